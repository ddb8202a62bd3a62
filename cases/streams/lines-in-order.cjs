'use strict';
var input = new (require('stream').PassThrough)();
var lines = require('readline').createInterface({ input: input, output: null, terminal: false });
lines.on('line', log);
lines.on('close', function () { log('close'); });
input.end('one\ntwo\nthree');
