// The two ends of the conversation: descriptor 0 is read to its end before anything else happens, and descriptor 1 is
// written synchronously. `process.stdin`, `process.stdout` and `console` are never touched, because each of them makes a
// handle that the program's loop would know of.
'use strict';

var fs = require('fs');

var CHUNK_BYTES = 65536;

// `new Buffer` warns on later releases, and a warning is a tick; the others do not exist on early ones.
function newBuffer(bytes) {
  return typeof Buffer.allocUnsafe === 'function' ? Buffer.allocUnsafe(bytes) : new Buffer(bytes);
}

function bufferFrom(text) {
  return typeof Buffer.allocUnsafe === 'function' ? Buffer.from(text) : new Buffer(text);
}

// A descriptor that does not block, and has nothing to give or no room yet, is asked again.
function insist(attempt) {
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (error.code !== 'EAGAIN' && error.code !== 'EINTR') throw error;
    }
  }
}

function readAll(fd) {
  var chunks = [];
  var bytes;
  do {
    var chunk = newBuffer(CHUNK_BYTES);
    bytes = insist(function () { return fs.readSync(fd, chunk, 0, CHUNK_BYTES, null); });
    if (bytes > 0) chunks.push(chunk.slice(0, bytes));
  } while (bytes > 0);
  return Buffer.concat(chunks).toString('utf8');
}

function writeAll(fd, text) {
  var buffer = bufferFrom(text);
  var written = 0;
  while (written < buffer.length) {
    written += insist(function () { return fs.writeSync(fd, buffer, written, buffer.length - written, null); });
  }
}

function send(message) {
  writeAll(1, JSON.stringify(message) + '\n');
}

// All that `conform` says: `{hello, run}`, of which `run` may be missing.
function receive() {
  var said = { hello: null, run: null };
  readAll(0).split('\n').forEach(function (line) {
    if (line.trim() === '') return;
    var message = JSON.parse(line);
    if (message.type === 'hello') said.hello = message;
    if (message.type === 'run') said.run = message;
  });
  if (said.hello === null) throw new Error('the conversation does not open with hello');
  if (said.hello.protocol[0] > 1 || said.hello.protocol[1] < 1) throw new Error('only version 1 is spoken here');
  return said;
}

function implementation() {
  var versions = process.versions;
  var name = typeof Bun !== 'undefined' ? 'bun' : typeof Deno !== 'undefined' ? 'deno' : 'node';
  var details = {};
  ['v8', 'uv', 'modules', 'webkit'].forEach(function (part) {
    if (versions[part]) details[part === 'uv' ? 'libuv' : part] = String(versions[part]);
  });
  if (name !== 'node') details.node = versions.node;
  return { name: name, version: String(versions[name]), details: details };
}

// Bun and Deno say which Node.js they want to be taken for, and are held to that.
function ready() {
  return {
    type: 'ready',
    protocol: 1,
    implementation: implementation(),
    claims: { profile: 'node', version: process.versions.node },
    isolation: 'process'
  };
}

module.exports = { receive: receive, send: send, writeAll: writeAll, ready: ready };
