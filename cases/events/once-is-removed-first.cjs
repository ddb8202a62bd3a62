'use strict';
var emitter = new (require('events').EventEmitter)();
emitter.once('go', function () {
  log('listeners-' + emitter.listeners('go').length);
  emitter.emit('go');
});
emitter.emit('go');
log('end');
