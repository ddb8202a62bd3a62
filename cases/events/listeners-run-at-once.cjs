'use strict';
var emitter = new (require('events').EventEmitter)();
emitter.on('go', function () {
  log('first');
  Promise.resolve().then(function () { log('promise'); });
  process.nextTick(function () { log('tick'); });
});
emitter.on('go', function () { log('second'); });
setTimeout(function () {
  log('before');
  emitter.emit('go');
  log('after');
}, 1);
