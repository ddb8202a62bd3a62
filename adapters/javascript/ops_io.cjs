// What the steps mean that reach beyond the process: descriptors, the pool, sockets, messages and children. Loaded only
// for programs that have such a step; the modules that an entry names are loaded before the program starts, and
// `require` only gets them. The shape of an entry is described in ops.cjs.
'use strict';

var shared = require('./adapter.cjs');

var table = {};
var names = 0;
// A process that was killed leaves its files behind, and the next one of its number must not meet them.
var started = Date.now().toString(36);

function temporaryName(ending) {
  names += 1;
  return (process.env.TMPDIR || '/tmp') + '/cf-' + process.pid + '-' + started + '-' + names + ending;
}

// A path for a server. It is removed at the end, in case that the server is never closed.
function socketPath() {
  var path = temporaryName('.sock');
  shared.cleanUps.push(function () {
    var fs = require('fs');
    if (fs.existsSync(path)) fs.unlinkSync(path);
  });
  return path;
}

// Descriptors and the pool.

table.read = {
  modules: ['net'],
  makes: 'socket',
  start: function (callback, step, thing, interpreter) {
    if (interpreter.descriptors.length === 0) interpreter.fail('there is no descriptor left for `read`');
    var fd = interpreter.descriptors.shift();
    var socket = new (require('net').Socket)({ fd: fd, readable: true, writable: false });
    // Some take the descriptor only when they are connected to it.
    if (!socket._handle) socket.connect({ fd: fd });
    // It is destroyed before the callback, so that it keeps nothing alive even if the callback throws.
    socket.once('data', function () {
      socket.destroy();
      callback();
    });
    return socket;
  }
};

table.file = { modules: ['fs'], start: function (callback) { require('fs').stat('.', callback); } };
// A small file, because a large one is read in several pieces.
table['file as readFile'] = {
  modules: ['fs'],
  start: function (callback) { require('fs').readFile(__dirname + '/probe.mjs', callback); }
};
table['file as random'] = {
  modules: ['crypto'],
  start: function (callback) { require('crypto').randomBytes(1, callback); }
};
table['file as deflate'] = {
  modules: ['zlib'],
  start: function (callback) { require('zlib').deflate('x', callback); }
};
table['file as promise'] = {
  modules: ['fs'],
  // Not looked at: reading it makes some releases warn.
  has: function () { return 'promises' in require('fs'); },
  makes: 'promise',
  start: function (callback) { return require('fs').promises.stat('.').then(callback); }
};

// Sockets.

// Before Node 5.7 and Bun 1.0.36 there is no `listening`. `_handle` is there in every release of Node for as long as a
// server is open; in Bun it is never there in some releases, and always in others.
function isOpen(server) {
  if (server.value.listening !== undefined) return server.value.listening;
  return shared.isBun ? !server.closeAsked : Boolean(server.value._handle);
}

table.listen = {
  modules: ['net'],
  makes: 'server',
  start: function () { return require('net').createServer().listen(socketPath()); }
};
table['listen as host'] = {
  modules: ['net'],
  makes: 'server',
  start: function () { return require('net').createServer().listen(0, '127.0.0.1'); }
};

table.connect = {
  modules: ['net'],
  of: { server: true },
  makes: 'socket',
  start: function (callback, step, server) {
    if (!isOpen(server)) return undefined;
    var address = server.value.address();
    if (typeof address === 'string') return require('net').connect(address, callback);
    return require('net').connect(address.port, '127.0.0.1', callback);
  }
};

table.accept = {
  of: { server: true },
  makes: 'socket',
  start: function (callback, step, server, interpreter) {
    server.value.on('connection', function (socket) {
      interpreter.remember(step.label, 'socket', socket);
      callback();
    });
  }
};

table.socket = { modules: ['net'], makes: 'socket', start: function () { return new (require('net').Socket)(); } };

table.refused = {
  modules: ['net'],
  makes: 'socket',
  start: function (callback) { return require('net').connect(1, '127.0.0.1').on('error', callback); }
};
table['refused as path'] = {
  modules: ['net'],
  makes: 'socket',
  start: function (callback) { return require('net').connect(temporaryName('.missing')).on('error', callback); }
};

table.write = {
  of: { socket: true },
  outcome: true,
  start: function (callback, step, socket) { socket.value.write('x', callback); }
};

table.close = {
  of: { server: true, socket: true, port: true },
  start: function (callback, step, thing) {
    var handle = thing.value;
    var silent = step.label === undefined && step.body === undefined;
    if (thing.kind === 'server') {
      if (step.mayBeClosing && !isOpen(thing)) return;
      thing.closeAsked = true;
      if (silent) handle.close();
      else handle.close(callback);
      return;
    }
    // One that the runtime has destroyed still has its event to come.
    if (thing.kind === 'socket' && step.mayBeClosing && thing.closeAsked) return;
    thing.closeAsked = true;
    if (!silent) handle.on('close', callback);
    if (thing.kind === 'port') handle.close();
    else handle.destroy();
  }
};

// Messages.

// A number: Node 11.8 and 11.9 fail on a message that is null.
function post(callback) {
  var channel = new (require('worker_threads').MessageChannel)();
  channel.port1.once('message', function () {
    channel.port1.close();
    callback();
  });
  channel.port2.postMessage(0);
  return channel.port1;
}

// A channel for several messages. Its port keeps the loop alive only while a message is on its way.
function openChannel() {
  var channel = new (require('worker_threads').MessageChannel)();
  var callbacks = [];
  channel.port1.on('message', function () {
    var callback = callbacks.shift();
    if (callbacks.length === 0) channel.port1.unref();
    callback();
  });
  return function (callback) {
    callbacks.push(callback);
    channel.port1.ref();
    channel.port2.postMessage(0);
    return channel.port1;
  };
}

table.message = {
  modules: ['worker_threads'],
  makes: 'port',
  start: function (callback, step, thing, interpreter) {
    if (!step.via) return post(callback);
    var channels = interpreter.channels;
    if (!channels[step.via]) channels[step.via] = openChannel();
    var port = channels[step.via](callback);
    interpreter.remember(step.via, 'port', port);
    return port;
  }
};

// Children.

table.child = {
  modules: ['child_process'],
  makes: 'child',
  start: function (callback) {
    return require('child_process').spawn('true', [], { stdio: 'ignore' }).on('exit', callback);
  }
};
table['child as missing'] = {
  modules: ['child_process'],
  makes: 'child',
  start: function (callback) {
    return require('child_process').spawn('no-such-program', [], { stdio: 'ignore' }).on('error', callback);
  }
};

module.exports = { table: table };
