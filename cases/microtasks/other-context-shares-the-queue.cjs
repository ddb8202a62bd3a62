'use strict';
var vm = require('vm');
Promise.resolve().then(function () { log('here'); });
vm.runInNewContext('Promise.resolve().then(function () { log("there"); })', { log: log });
Promise.resolve().then(function () { log('here-again'); });
process.nextTick(function () { log('tick'); });
