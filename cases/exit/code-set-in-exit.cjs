'use strict';
process.on('exit', function (code) {
  log('first-' + code);
  process.exitCode = 5;
});
process.on('exit', function () { log('second'); });
