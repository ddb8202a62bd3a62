'use strict';
const { scheduler } = require('timers/promises');
setImmediate(() => log('immediate-1'));
scheduler.yield().then(() => log('yielded'));
setImmediate(() => log('immediate-2'));
Promise.resolve().then(() => log('promise'));
process.nextTick(() => log('tick'));
