'use strict';
const { Writable } = require('stream');
const stream = new Writable({ write: (chunk, encoding, done) => setImmediate(done) });
stream.on('finish', () => log('finish'));
stream.on('close', () => log('close'));
stream.write('a', () => log('write-1'));
stream.write('b', () => log('write-2'));
stream.end();
log('after');
