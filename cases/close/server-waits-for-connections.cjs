'use strict';
var net = require('net');
var server = net.createServer(function (socket) {
  server.close(function () { log('closed'); });
  log('closing');
  setTimeout(function () {
    log('connection-ends');
    socket.destroy();
  }, 20);
});
server.listen(0, '127.0.0.1', function () {
  net.connect(server.address().port, '127.0.0.1').on('error', function () {}).resume();
});
