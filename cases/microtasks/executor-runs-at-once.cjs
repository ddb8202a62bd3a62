'use strict';
log('before');
var promise = new Promise(function (resolve) {
  log('executor');
  resolve(1);
  resolve(2);
});
promise.then(function (value) { log('reaction-' + value); });
log('after');
