'use strict';
if (process.argv[2] === 'child') {
  process.send('one');
  process.send('two');
  process.once('message', function () { process.disconnect(); });
} else {
  var child = require('child_process').fork(__filename, ['child']);
  child.on('message', function (text) {
    log(text);
    if (text === 'two') child.send('go');
  });
  child.on('disconnect', function () { log('disconnect'); });
  child.on('exit', function () { log('exited'); });
}
