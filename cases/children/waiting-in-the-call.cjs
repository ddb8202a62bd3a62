'use strict';
setTimeout(function () { log('timeout'); }, 1);
Promise.resolve().then(function () { log('promise'); });
process.nextTick(function () { log('tick'); });
require('child_process').execSync('sleep 0.05');
log('returned');
