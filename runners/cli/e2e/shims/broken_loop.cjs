// Preloaded with `-r`: a Node.js whose loop is broken in one way, named by BROKEN_LOOP. All but one are well until a
// program runs: what the probe finds is what Node.js has.
'use strict';

const fs = require('fs');
const net = require('net');

let isRunning = false;
const readSync = fs.readSync;
fs.readSync = (fd, buffer, ...rest) => {
  const bytes = readSync.call(fs, fd, buffer, ...rest);
  if (fd === 0 && buffer.toString('latin1', 0, bytes).includes('"type":"run"')) isRunning = true;
  return bytes;
};

const {setImmediate: immediate, setTimeout: timeout} = globalThis;

const SHIMS = {
  // The probe loses an immediate, and finds none.
  'loses-immediate': () => {
    globalThis.setImmediate = undefined;
  },
  // After an immediate the loop turns without end.
  spins: () => {
    globalThis.setImmediate = (callback) =>
      immediate(() => {
        callback();
        while (isRunning) continue;
      });
  },
  // The wake-up of an immediate is lost, and the loop is kept alive by what never comes.
  waits: () => {
    globalThis.setImmediate = (callback) => (isRunning ? net.createServer().listen(`\0conform-${process.pid}`) : immediate(callback));
  },
  // Short timers are taken for long ones, and long ones for short ones.
  'swaps-timers': () => {
    globalThis.setTimeout = (callback, ms) => timeout(callback, isRunning ? 51 - ms : ms);
  },
};

SHIMS[process.env.BROKEN_LOOP]();
