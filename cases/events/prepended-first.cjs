'use strict';
var emitter = new (require('events').EventEmitter)();
emitter.on('go', function () { log('added'); });
emitter.prependListener('go', function () { log('prepended'); });
emitter.emit('go');
