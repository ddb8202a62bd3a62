'use strict';
var net = require('net');
var server = net.createServer(function (socket) { socket.end('x'); });
server.listen(0, '127.0.0.1', function () {
  var client = net.connect(server.address().port, '127.0.0.1');
  client.on('data', function () { log('data'); });
  client.on('end', function () { log('end'); });
  client.on('close', function () {
    log('close');
    server.close();
  });
});
