'use strict';
Promise.all([Promise.resolve(), Promise.resolve()]).then(function () { log('all'); });
Promise.resolve()
  .then(function () { log('P1'); })
  .then(function () { log('P2'); })
  .then(function () { log('P3'); });
