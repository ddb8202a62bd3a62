'use strict';
var stream = new (require('stream').PassThrough)();
stream.end('x');
process.nextTick(function () { log('tick'); });
Promise.resolve().then(function () { log('promise'); });
stream.on('data', function () { log('data'); });
stream.on('end', function () { log('end'); });
log('after');
