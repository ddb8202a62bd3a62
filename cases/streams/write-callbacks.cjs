'use strict';
var stream = new (require('stream').Writable)();
stream._write = function (chunk, encoding, done) { setImmediate(done); };
stream.on('finish', function () { log('finish'); });
stream.on('close', function () { log('close'); });
stream.write('a', function () { log('write-1'); });
stream.write('b', function () { log('write-2'); });
stream.end();
log('after');
