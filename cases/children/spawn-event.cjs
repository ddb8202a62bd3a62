'use strict';
const child = require('child_process').spawn('echo', ['x']);
process.nextTick(() => log('tick'));
child.on('spawn', () => log('spawn'));
child.stdout.on('data', () => log('data'));
log('after');
