// What the recorder notes of handles: servers and sockets, messages, children.
'use strict';

const childProcess = require('child_process');
const net = require('net');
const workerThreads = require('worker_threads');
const recorder = require('./recorder.cjs');

const { here, hide, inBody, leaveOut, note, schedule } = recorder;
const { isHidden, replace, things, watchEmitter } = recorder.platform;

// Sockets.

const servers = new Map();  // by path or port: their acts
const HANDLE_EVENTS = ['listening', 'connect', 'end', 'error', 'close', 'spawn'];

function watchReferences(handle, act) {
  ['ref', 'unref'].forEach((name) => {
    const before = handle[name];
    if (typeof before !== 'function') return;
    handle[name] = function () {
      if (!isHidden()) note({ op: name, of: act.number, api: name });
      hide(() => before.call(handle));
      return handle;
    };
  });
}

function watchServer(server) {
  const early = [];  // what was listened for before it listens
  let act = null;
  watchEmitter(server, 'a server', (event) => {
    if (event !== 'connection' && !HANDLE_EVENTS.includes(event)) return null;
    const listener = event === 'connection' ? { op: 'accept', api: 'a connection listener' }
      : { op: 'on', event: event, api: "on('" + event + "')" };
    if (act) return Object.assign(listener, { of: act.number });
    listener.bodies = [];
    listener.number = -1;
    early.push(Object.assign(listener, here()));
    return listener;
  });
  const on = server.on;
  const listen = server.listen;
  server.listen = function (...args) {
    if (isHidden()) return listen.apply(server, args);
    const callback = args.find((one) => typeof one === 'function');
    const isPath = typeof args[0] === 'string' || Boolean(recorder.isObject(args[0]) && args[0].path);
    act = note({ op: 'listen', kind: isPath ? '' : 'host', api: 'listen' });
    things.set(server, act);
    watchReferences(server, act);
    early.splice(0).forEach((listener) => {
      delete listener.number;
      note(Object.assign(listener, { of: act.number }), listener);
    });
    if (callback) on.call(server, 'listening', callback);
    hide(() => listen.apply(server, args.filter((one) => one !== callback)));
    const known = act;
    if (isPath) servers.set(typeof args[0] === 'string' ? args[0] : args[0].path, known);
    return server;
  };
  const close = server.close;
  server.close = function (callback) {
    if (!act || isHidden()) return close.call(server, callback);
    const closing = { op: 'close', of: act.number, api: 'close' };
    const known = schedule(closing, callback);
    hide(() => close.call(server, known));
    return server;
  };
  const address = server.address;
  server.address = function () {
    const found = address.call(server);
    if (act && found) servers.set(typeof found === 'string' ? found : found.port, act);
    return found;
  };
  if (typeof server[Symbol.asyncDispose] === 'function') server[Symbol.asyncDispose] = undefined;
  return server;
}

replace([net], 'createServer', (before) => function (...args) {
  if (isHidden()) return before.apply(net, args);
  const listener = args.find((one) => typeof one === 'function');
  const server = watchServer(hide(() => before.apply(net, args.filter((one) => one !== listener))));
  // Each socket that a listener is given is what its `accept` names.
  const on = server.on;
  server.on = function (event, callback) {
    if (event !== 'connection' || typeof callback !== 'function') return on.call(server, event, callback);
    return on.call(server, event, function (socket) {
      watchSocket(socket, recorder.currentStep());
      return callback.call(this, socket);
    });
  };
  if (listener) server.on('connection', listener);
  return server;
});

recorder.currentStep = function () {
  return recorder.acts.find((act) => act.bodies && act.bodies.includes(recorder.current));
};

function watchSocket(socket, act) {
  if (things.has(socket)) return socket;
  things.set(socket, act);
  const late = [];
  watchEmitter(socket, 'a socket', (event) => {
    if (!HANDLE_EVENTS.includes(event)) return null;
    // A connection that fails is a separate step.
    if (event === 'error' && act.op === 'connect' && act.mayFail) {
      act.failed = true;
      return act;
    }
    const listener = { op: 'on', event: event, of: act.number, api: "on('" + event + "')" };
    if (event === 'close') late.push(listener);
    return listener;
  });
  watchReferences(socket, act);
  const destroy = socket.destroy;
  socket.destroy = function (error) {
    if (!isHidden()) {
      const body = recorder.current;
      const last = body && recorder.acts[body.acts[body.acts.length - 1]];
      // A listener of its end, and then the end: one step.
      if (last && late.includes(last)) Object.assign(last, { op: 'close', event: undefined, of: act.number });
      else note({ op: 'close', of: act.number, bodies: [], api: 'destroy' });
    }
    return hide(() => destroy.call(socket, error));
  };
  ['write', 'end', 'pause', 'resume', 'pipe', 'setTimeout'].forEach((name) => {
    const before = socket[name];
    socket[name] = function (...args) {
      if (!isHidden()) leaveOut(name + ' of a socket has no step');
      return hide(() => before.apply(socket, args));
    };
  });
  return socket;
}

function isLoopback(host) { return host === undefined || host === 'localhost' || /^127\.|^::1$/.test(host); }

['connect', 'createConnection'].forEach((name) => replace([net], name, (before) => function (...args) {
  if (isHidden()) return before.apply(net, args);
  const callback = args.find((one) => typeof one === 'function');
  const first = recorder.isObject(args[0]) ? args[0].path || args[0].port : args[0];
  const host = recorder.isObject(args[0]) ? args[0].host : typeof args[1] === 'string' ? args[1] : undefined;
  const isPath = typeof first === 'string' && !/^\d+$/.test(first);
  const server = servers.get(isPath ? first : Number(first));
  if (!isPath && !isLoopback(host)) leaveOut('a connection to another machine has no step');
  const act = { op: 'connect', api: 'net.connect' };
  if (server) act.to = server.number;
  else Object.assign(act, { mayFail: true, kind: isPath ? 'path' : '' });
  const known = schedule(act, callback);
  const socket = hide(() => before.apply(net, args.filter((one) => one !== callback).concat(known || [])));
  return watchSocket(socket, act);
}));

const { Socket } = net;
net.Socket = new Proxy(Socket, {
  construct(target, args, newTarget) {
    const isOwn = !isHidden();
    const socket = hide(() => Reflect.construct(target, args, newTarget));
    if (!isOwn) return socket;
    const act = note({ op: 'socket', api: 'new net.Socket' });
    if (args[0] && args[0].fd !== undefined) leaveOut('a socket of a descriptor has no step', act);
    return watchSocket(socket, act);
  }
});

// Messages.

const { MessageChannel } = workerThreads;
const Channel = new Proxy(MessageChannel, {
  construct(target, args, newTarget) {
    const isOwn = !isHidden();
    const channel = hide(() => Reflect.construct(target, args, newTarget === Channel ? target : newTarget));
    if (isOwn) watchChannel(channel);
    return channel;
  }
});
workerThreads.MessageChannel = Channel;
global.MessageChannel = Channel;

// One message through a channel that its receiver closes first, or several through one channel.
function watchChannel(channel) {
  const place = here();
  const ports = [channel.port1, channel.port2];
  const states = ports.map(() => ({
    callback: null, isOnce: false, acts: [], pending: [], channel: null, closing: null, isReferenced: true
  }));
  ports.forEach((port, index) => watchPort(port, states[index], states[1 - index], place));
}

function nameOfPort(state) { return state.channel || state.acts[0]; }

function watchPort(port, state, other, place) {
  const before = {};
  ['on', 'once', 'postMessage', 'close', 'ref', 'unref'].forEach((name) => { before[name] = port[name]; });

  function listen(method, event, callback) {
    if (isHidden()) return before[method].call(port, event, callback);
    if (event === 'close' && nameOfPort(state)) {
      state.closing = { op: 'on', event: 'close', of: nameOfPort(state).number, api: "on('close')" };
      const known = schedule(state.closing, callback);
      return hide(() => before.on.call(port, event, known));
    }
    if (event !== 'message') {
      leaveOut("the event '" + event + "' of a port has no step");
      return hide(() => before.on.call(port, event, callback));
    }
    state.callback = callback;
    state.isOnce = method === 'once';
    hide(() => before[method].call(port, event, function (value) {
      const act = state.pending.shift();
      return act ? inBody(act, callback, port, [value]) : callback.call(port, value);
    }));
    return port;
  }
  port.on = port.addListener = (event, callback) => listen('on', event, callback);
  port.once = (event, callback) => listen('once', event, callback);

  port.postMessage = function (value, list) {
    if (!isHidden()) {
      const act = { op: 'message', api: 'postMessage' };
      if (!other.callback) leaveOut('a message to a port without a listener has no step', place);
      if (other.callback && !other.isOnce && !other.channel) {
        other.channel = note({ op: 'channel', api: 'new MessageChannel' }, place);
        recorder.remark('keeps the process alive only while a message is on its way, in the program', place);
      }
      if (other.channel) act.via = other.channel.number;
      schedule(act);
      other.acts.push(act);
      other.pending.push(act);
    }
    return hide(() => before.postMessage.call(port, value, list));
  };

  port.close = function (callback) {
    if (isHidden() || !nameOfPort(state)) return hide(() => before.close.call(port, callback));
    const body = recorder.current;
    const last = body && recorder.acts[body.acts[body.acts.length - 1]];
    const act = body && state.acts.find((one) => one.bodies.includes(body));
    // Whoever receives the only message closes the channel first: that is what the step does.
    if (act && body.acts.length === 0 && !state.channel) act.closes = true;
    else if (last && last === state.closing) Object.assign(last, { op: 'close', event: undefined });
    else schedule({ op: 'close', of: nameOfPort(state).number, api: 'close' });
    return hide(() => before.close.call(port, callback));
  };

  ['ref', 'unref'].forEach((name) => {
    port[name] = function () {
      // Without a message on its way, the program does not wait for it anyway.
      const isNew = state.isReferenced !== (name === 'ref') && state.pending.length > 0;
      if (!isHidden() && isNew) note({ op: name, of: nameOfPort(state).number, api: name });
      state.isReferenced = name === 'ref';
      return hide(() => before[name].call(port));
    };
  });
  Object.defineProperty(port, 'onmessage', {
    set(callback) { port.on('message', (data) => callback({ data })); },
    get() { return state.callback; },
    configurable: true
  });
}

// Children.

replace([childProcess], 'spawn', (before) => function (...args) {
  if (isHidden()) return before.apply(childProcess, args);
  const child = hide(() => before.apply(childProcess, args));
  const act = note({ op: 'child', kind: child.pid === undefined ? 'missing' : '', bodies: [], api: 'spawn' });
  if (child.pid !== undefined) recorder.remark('is taken for a child that exits immediately', act);
  let isTaken = false;
  watchEmitter(child, 'a child', (event) => {
    const isOwn = event === (child.pid === undefined ? 'error' : 'exit');
    if (isOwn && !isTaken) {
      isTaken = true;
      return act;
    }
    if (!isOwn && !HANDLE_EVENTS.includes(event)) return null;
    return { op: 'on', event: event, of: act.number, api: "on('" + event + "')" };
  });
  watchReferences(child, act);
  if (child.stdin || child.stdout || child.stderr) leaveOut('the streams of a child have no step', act);
  return child;
});
