'use strict';
var value = 1;
process.nextTick(function (then) { log('tick-' + then + '-' + value); }, value);
setImmediate(function (then) { log('immediate-' + then + '-' + value); }, value);
value = 2;
