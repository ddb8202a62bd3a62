'use strict';
const { MessageChannel, receiveMessageOnPort } = require('worker_threads');
const { port1, port2 } = new MessageChannel();
port2.postMessage('one');
port2.postMessage('two');
log('received-' + receiveMessageOnPort(port1).message);
port1.on('message', (text) => {
  log('listener-' + text);
  port1.close();
});
process.nextTick(() => log('tick'));
