'use strict';
process.exitCode = 4;
process.on('exit', function (code) { log('exit-' + code); });
setTimeout(function () { log('timeout'); }, 1);
log('main');
