// What a script that was ended from outside may still have waited for: what repeats, what listens, a timer.
'use strict';

const MANY = 100;

module.exports = function waitingOf(record) {
  const isEnded = new Set(record.acts.filter((act) => act.op === 'clear' || act.op === 'close').map((act) => act.of));
  const open = record.acts.filter((act) => ['interval', 'listen', 'accept', 'child', 'connect'].includes(act.op));
  const first = open.find((act) => act.number !== undefined && !isEnded.has(act.number));
  if (first) return { how: 'never', line: first.line, file: first.file, text: first.api + ' is not ended here' };
  const last = record.acts.filter((act) => act.op === 'timeout' && !isEnded.has(act.number) && !act.bodies.length).pop();
  if (last) {
    return { how: 'never', line: last.line, file: last.file, text: last.api + ' starts a timer here that has not run' };
  }
  const newest = record.acts[record.acts.length - 1] || { line: 0, file: '' };
  const isOneOf = (act) => act.op === newest.op && act.line === newest.line && act.file === newest.file;
  const text = record.acts.filter(isOneOf).length >= MANY ? (newest.api || newest.op) + ' is called here again and again' : '';
  return { how: 'never', line: text ? newest.line : 0, file: newest.file, text: text };
};
