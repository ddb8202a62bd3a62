'use strict';
const { PassThrough, pipeline } = require('stream');
const source = new PassThrough();
const target = new PassThrough();
source.on('end', () => log('end'));
target.on('finish', () => log('finish'));
pipeline(source, target, () => log('done'));
target.resume();
source.end('x');
