'use strict';
setImmediate(function () { log('immediate'); });
Promise.resolve().then(function () { log('promise'); });
process.nextTick(function () { log('tick-1'); });
require('dns').lookup('127.0.0.1', function () { log('found'); });
process.nextTick(function () { log('tick-2'); });
log('after');
