'use strict';
var dgram = require('dgram');
var socket = dgram.createSocket('udp4');
socket.on('message', function () {
  log('message');
  socket.close();
});
socket.on('close', function () { log('close'); });
socket.bind(0, '127.0.0.1', function () {
  log('listening');
  var x = Buffer.from ? Buffer.from('x') : new Buffer('x');
  socket.send(x, 0, 1, socket.address().port, '127.0.0.1', function () { log('sent'); });
});
