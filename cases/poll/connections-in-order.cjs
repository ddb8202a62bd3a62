'use strict';
var net = require('net');
var clients = [];
var accepted = [];
var connected = 0;

// When all is known, the port of each end tells whose connection it was.
function look() {
  if (accepted.length < 3 || connected < 3) return;
  var ports = clients.map(function (client) { return client.localPort; });
  accepted.forEach(function (port) { log('abc'[ports.indexOf(port)]); });
  clients.forEach(function (client) { client.destroy(); });
  server.close(function () { log('closed'); });
}

var server = net.createServer(function (socket) {
  accepted.push(socket.remotePort);
  socket.on('error', function () {}).resume();
  look();
});
server.listen(0, '127.0.0.1', function () {
  for (var n = 0; n < 3; ++n) {
    clients.push(net.connect(server.address().port, '127.0.0.1', function () {
      ++connected;
      look();
    }));
  }
});
