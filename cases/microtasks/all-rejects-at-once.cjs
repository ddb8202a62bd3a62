'use strict';
process.on('unhandledRejection', function () { log('unhandled'); });
Promise.all([Promise.reject(new Error('first')), Promise.reject(new Error('second'))])
  .catch(function (error) { log('caught-' + error.message); });
setTimeout(function () { log('end'); }, 20);
