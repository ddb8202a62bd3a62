'use strict';
const { AsyncResource } = require('async_hooks');
new AsyncResource('Example').runInAsyncScope(() => {
  process.nextTick(() => log('tick'));
  Promise.resolve().then(() => log('promise'));
  log('inside');
});
log('after');
