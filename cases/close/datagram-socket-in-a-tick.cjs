'use strict';
var dgram = require('dgram');
var socket = dgram.createSocket('udp4');
socket.on('close', function () { log('close'); });
socket.bind(0, '127.0.0.1', function () {
  setImmediate(function () { log('immediate'); });
  socket.close();
  process.nextTick(function () { log('tick'); });
});
