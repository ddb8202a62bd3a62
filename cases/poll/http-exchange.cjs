'use strict';
var http = require('http');
var server = http.createServer(function (request, response) {
  log('request');
  response.end('x');
});
server.on('connection', function () { log('connection'); });
server.listen(0, '127.0.0.1', function () {
  http.get({ host: '127.0.0.1', port: server.address().port, agent: false }, function (response) {
    log('response');
    response.on('data', function () { log('data'); });
    response.on('end', function () {
      log('end');
      server.close(function () { log('closed'); });
    });
  });
});
