'use strict';
var pending = new Promise(function () {});
Promise.race([pending, Promise.resolve('b')]).then(function (value) { log('race-' + value); });
Promise.resolve()
  .then(function () { log('P1'); })
  .then(function () { log('P2'); })
  .then(function () { log('P3'); });
