'use strict';
var net = require('net');
var path = require('os').tmpdir() + '/conform-' + process.pid + '-' + Date.now();
var accepted = [];

// Each client says who it is. When all are known, the server reports in which order it accepted them.
function look() {
  if (accepted.length < 3 || accepted.indexOf('') !== -1) return;
  accepted.forEach(function (name) { log(name); });
  server.close(function () { log('closed'); });
}

var server = net.createServer(function (socket) {
  var place = accepted.push('') - 1;
  socket.on('data', function (text) {
    accepted[place] = String(text);
    socket.destroy();
    look();
  });
});
server.listen(path, function () {
  ['a', 'b', 'c'].forEach(function (name) {
    net.connect(path).on('error', function () {}).write(name);
  });
});
