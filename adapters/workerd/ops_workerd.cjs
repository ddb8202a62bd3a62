// What the steps mean on workerd alone; ops_web.cjs of the JavaScript adapter has the rest.
'use strict';

const { LANGUAGE, replaceAll } = require('./ops.cjs');
const { clears, live, tasks } = require('./ops_web.cjs');

// The clock stands still in the Workers that one can rent, and moves in `workerd test`. It has whole milliseconds.
const BUSY_MARGIN_MS = 3;
const MOST_READINGS = 1e6;

function clockMoves() {
  const start = Date.now();
  for (let i = 0; i < MOST_READINGS; i += 1) if (Date.now() !== start) return true;
  return false;
}

const busy = {
  has: clockMoves,
  act(step) {
    const end = Date.now() + Number(step.argument) + BUSY_MARGIN_MS;
    while (Date.now() < end);
  }
};

function rejectionEvent(name, hasOutcome) {
  return {
    outcome: hasOutcome,
    start(callback) { addEventListener(name, (event) => { callback(event.reason); }); }
  };
}

const table = {
  ...tasks((callback) => callback()),
  ...clears,
  busy,
  'on unhandled': rejectionEvent('unhandledrejection', true),
  'on handled': rejectionEvent('rejectionhandled', false)
};

replaceAll(LANGUAGE, table);

module.exports = { table: {}, live };
