'use strict';
process.nextTick(function () { log('tick-1'); });
Promise.resolve().then(function () { log('promise'); });
process.emitWarning('x');
process.nextTick(function () { log('tick-2'); });
process.on('warning', function () { log('warning'); });
log('end');
