'use strict';
var Readable = require('stream').Readable;
var stream = new Readable({ read: function () {} });
stream.on('error', function () { log('error'); });
stream.on('close', function () { log('close'); });
stream.destroy(new Error());
process.nextTick(function () { log('tick'); });
Promise.resolve().then(function () { log('promise'); });
log('after');
