'use strict';
// Its output ends at once; the process itself waits for its input to end.
var child = require('child_process').spawn('/bin/sh', ['-c', 'echo x; exec >&- 2>&-; read y']);
child.stdout.on('data', function () { log('data'); });
child.stdout.on('end', function () {
  log('end');
  child.stdin.end();
});
child.on('exit', function () { log('exited'); });
child.on('close', function () { log('close'); });
