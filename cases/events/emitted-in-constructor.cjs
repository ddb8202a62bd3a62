'use strict';
var EventEmitter = require('events').EventEmitter;
var util = require('util');
function Thing() {
  var self = this;
  EventEmitter.call(this);
  this.emit('ready', 'at-once');
  process.nextTick(function () { self.emit('ready', 'put-off'); });
}
util.inherits(Thing, EventEmitter);
var thing = new Thing();
thing.on('ready', log);
log('made');
