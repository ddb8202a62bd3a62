'use strict';
var emitter = new (require('events').EventEmitter)();
var done = false;
function second() { log('second'); }
emitter.on('go', function () {
  log('first');
  if (done) return;
  done = true;
  emitter.removeListener('go', second);
  emitter.on('go', function () { log('added'); });
});
emitter.on('go', second);
emitter.emit('go');
log('again');
emitter.emit('go');
