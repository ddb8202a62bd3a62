// Makes a program of the case language from what the recorder wrote in several runs of one script. Prints JSON:
//
//   entry     script or esm
//   steps     [{text, line, file, body}]: the program
//   labels    {label: text}: what was printed, where the label is not the text itself
//   made_up   {label: {line, file, what}}: labels of callbacks that print nothing but have to have a name
//   notes     [{line, file, what, is_remark}]: what is not in the program; a remark says how something is written in it
//   orders    [[label, …], …]: what each run printed
//   ending    {how, line, file, text}: why a script cannot be lifted, or null
'use strict';

const fs = require('fs');
const waitingOf = require('./waiting.cjs');

const MOST_DEPTH = 60;
const LONGEST_LABEL = 60;
const MOST_RUNS = 1000000;  // the limit of `only`
const CHAIN = 4;  // this many runs, each inside of the one before, are written with xN
const RESERVED = /^(of|to|with|via|as|plain|unsent|exit|x\d+)$/;

const notes = [];
const noted = new Set();
function addNote(node, what, isRemark) {
  const key = node.file + ':' + node.line + ':' + what;
  if (noted.has(key)) return;
  noted.add(key);
  notes.push({ line: node.line, file: node.file, what: what, is_remark: Boolean(isRemark) });
}

// The trees. Every act becomes a node that has its bodies, and refers to other nodes.

const REFERENCES = ['of', 'with', 'to', 'via'];

function treeOf(record) {
  const nodes = record.acts.map((act) => Object.assign({}, act));
  nodes.forEach((node) => {
    REFERENCES.forEach((name) => {
      if (Array.isArray(node[name])) node[name] = node[name].map((number) => (number === null ? null : nodes[number]));
      else if (typeof node[name] === 'number') node[name] = nodes[node[name]];
      else delete node[name];
    });
    if (node.bodies) node.bodies = node.bodies.map((body) => bodyOf(body, nodes));
    if (node.fails) node.bodies[0].nodes.push({ op: 'throw', line: node.line, file: node.file });
    if (node.op === 'throw' && node.text) addNote(node, 'throws ' + node.text, true);
  });
  return bodyOf(record.main, nodes);
}

function bodyOf(body, nodes) { return { nodes: body.acts.map((number) => nodes[number]), ended: body.ended }; }

// What two runs have in common. The first keeps what it has; where a callback did not run in it, it takes what the
// second knows. `same` gives the node of the first for one of the second.

const same = new Map();

function isSame(a, b) {
  return ['op', 'argument', 'kind', 'event', 'line', 'file', 'plain', 'trips'].every((name) => {
    return a[name] === b[name] || (a.op === 'busy' && name === 'argument');
  });
}

function endsEarly(body) { return body.nodes.some((node) => node.op === 'exit' || node.op === 'throw'); }
// A loop that waits is not seen where the machine was away for all of its time.
function alignBusy(a, b) {
  for (let i = 0; i < Math.max(a.nodes.length, b.nodes.length); i += 1) {
    const isIn = [a, b].map((body) => body.nodes[i] !== undefined && body.nodes[i].op === 'busy');
    if (isIn[0] && !isIn[1]) b.nodes.splice(i, 0, Object.assign({}, a.nodes[i]));
    if (isIn[1] && !isIn[0]) a.nodes.splice(i, 0, Object.assign({}, b.nodes[i]));
  }
}

function mergeBodies(a, b) {
  alignBusy(a, b);
  const count = Math.min(a.nodes.length, b.nodes.length);
  for (let i = 0; i < count; i += 1) {
    if (!isSame(a.nodes[i], b.nodes[i])) {
      addNote(a.nodes[i], 'what happens from here on depends on the order or on data: runs differ');
      return;
    }
    mergeNodes(a.nodes[i], b.nodes[i]);
  }
  if (a.nodes.length === b.nodes.length) {
    a.ended = a.ended || b.ended;
    return;
  }
  const [shorter, longer] = a.nodes.length < b.nodes.length ? [a, b] : [b, a];
  if (shorter.ended && !endsEarly(shorter)) {
    addNote(longer.nodes[count], 'what happens from here on depends on the order or on data: runs differ');
    return;
  }
  a.nodes = longer.nodes;
  a.ended = longer.ended;
}

function mergeNodes(a, b) {
  same.set(b, a);
  if (a.op === 'log' && a.text !== b.text) a.varies = true;
  if (a.op === 'busy') a.argument = Math.min(a.argument, b.argument);
  if (a.op === 'combine' && b.states.last !== null && a.states.last !== b.states.last) {
    if (a.states.last !== null && a.kind !== 'race') {
      addNote(a, a.api + ' depends on which promise is the last; in runs they differ');
    } else {
      a.states = b.states;
    }
  }
  ['caught', 'closes', 'failed'].forEach((name) => { a[name] = a[name] || b[name]; });
  if (a.ran && b.ran && a.ran !== b.ran) addNote(a, 'is fulfilled in some runs and rejected in others');
  a.ran = a.ran || b.ran;
  if (!a.bodies) return;
  for (let i = 0; i < b.bodies.length; i += 1) {
    if (i < a.bodies.length) mergeBodies(a.bodies[i], b.bodies[i]);
    else a.bodies.push(b.bodies[i]);
  }
}

// Where a node is, without the number of the run: the same in every run of a callback.
const paths = new Map();
function pathTo(outer, index) {
  const path = outer + '/' + index;
  if (!paths.has(path)) paths.set(path, String(paths.size));
  return paths.get(path);
}

function visit(body, look, path) {
  body.nodes.forEach((node, index) => {
    const here = pathTo(path, index);
    look(node, body, index, here);
    (node.bodies || []).forEach((inner) => visit(inner, look, here));
  });
}

function resolveSame(main) {
  const current = (node) => {
    let found = node;
    while (same.has(found) && same.get(found) !== found) found = same.get(found);
    return found;
  };
  visit(main, (node) => {
    REFERENCES.forEach((name) => {
      if (Array.isArray(node[name])) node[name] = node[name].map((one) => one && current(one));
      else if (node[name]) node[name] = current(node[name]);
    });
  }, '');
}

// Labels.

const labelTexts = new Map();  // label to text
const labelsOf = new Map();  // text to label
const taken = new Set();

function free(wanted) {
  let label = wanted;
  for (let i = 2; taken.has(label); i += 1) label = wanted + '.' + i;
  taken.add(label);
  return label;
}

function labelOf(text) {
  if (labelsOf.has(text)) return labelsOf.get(text);
  let word = text.trim().replace(/[^A-Za-z0-9_.]+/g, '-').replace(/^-+|-+$/g, '').slice(0, LONGEST_LABEL);
  if (word === '') word = text.trim() === '' ? 'blank' : 'sign';
  if (!/^[A-Za-z]/.test(word)) word = 'n' + word;
  if (RESERVED.test(word)) word = word + '.';
  const label = free(word);
  labelsOf.set(text, label);
  labelTexts.set(label, text);
  return label;
}

function labelOfLog(node) {
  if (!node.varies) return labelOf(node.text);
  if (!node.label) {
    node.label = free('line-' + node.line);
    addNote(node, 'prints another text in each run; it is called ' + node.label);
  }
  return node.label;
}

// Names. A step is named by its label. Where several have the same label, or there is none, a name is made up; of what
// makes promises without a callback, it is never seen.

const WORDS = {
  timeout: 'timer', interval: 'timer', immediate: 'immediate', listen: 'server', on: 'listener', signal: 'signal',
  async: 'async', connect: 'socket', accept: 'socket', socket: 'socket', message: 'message', child: 'child',
  channel: 'channel'
};
const SILENT = ['promise', 'async', 'listen', 'socket', 'resolved', 'combine', 'channel'];
const REACTIONS = ['then', 'catch'];
const DROPPED = ['foreign', 'none'];

const madeUp = {};
const names = new Map();  // by path: made-up names are the same in every run of a callback

function isDropped(node) {
  if (node.isDropped !== undefined) return node.isDropped;
  node.isDropped = false;  // what refers to itself
  let dropped = DROPPED.includes(node.op);
  REFERENCES.forEach((name) => {
    const found = node[name];
    if (Array.isArray(found)) dropped = dropped || found.some((one) => one && isDropped(one));
    else if (found) dropped = dropped || isDropped(found);
  });
  if (node.op === 'connect' && !node.to && !node.failed) dropped = true;
  if (node.op === 'message' && !node.closes && !node.via && node.bodies.length > 0) dropped = true;
  node.isDropped = dropped;
  return dropped;
}

function textsIn(node) {
  const texts = [];
  (node.bodies || []).forEach((body) => visit(body, (inner) => {
    if (inner.op === 'log') texts.push("'" + inner.text + "'");
  }, ''));
  return texts;
}

function hoisted(node) {
  if (!node.bodies || node.bodies.length === 0 || node.trips || isOneOfMany(node)) return null;
  // The label of one that is given an error would have the error behind it.
  if (node.op === 'on' && ['uncaught', 'unhandled', 'monitor'].includes(node.event)) return null;
  if (node.op === 'async') {
    const second = awaitsOnce(node) && node.bodies[0].nodes[1];
    return second && second.op === 'log' ? labelOfLog(second) : null;
  }
  const first = node.bodies[0].nodes[0];
  if (!first || first.op !== 'log') return null;
  const label = labelOfLog(first);
  const isShared = node.bodies.every((body) => {
    return body.nodes[0] && body.nodes[0].op === 'log' && labelOfLog(body.nodes[0]) === label;
  });
  return isShared ? label : null;
}

// A listener that is removed by its first event, where there may be more events.
function isOneOfMany(node) {
  return node.isOnce && node.event !== 'exit' && node.op !== 'child' && node.op !== 'connect';
}

// A promise of Node, or of several promises, whose only use is the reaction right behind it: they are one step.
function joinReactions(body) {
  for (let i = 0; i + 1 < body.nodes.length; i += 1) {
    const node = body.nodes[i];
    const next = body.nodes[i + 1];
    const isOne = next.op === 'then' && next.of === node && node.uses.length === 1 && next.ran !== 'second';
    const isFew = node.op === 'combine' && node.of.length >= 1 && node.of.length <= 2;
    if (!isOne || (!node.isPromise && !isFew)) continue;
    Object.assign(next, {
      op: node.op, kind: node.op === 'combine' && node.kind === 'all' ? '' : node.kind, argument: node.argument,
      of: node.op === 'combine' ? node.of[0] : undefined, with: node.op === 'combine' ? node.of[1] : undefined,
      joined: true
    });
    if (node.op === 'combine') node.of.forEach((one) => {
      if (one) one.uses = one.uses.map((use) => (use === node ? next : use));
    });
    body.nodes.splice(i, 1);
  }
}

function joinAll(body) {
  joinReactions(body);
  body.nodes.forEach((node) => (node.bodies || []).forEach(joinAll));
}

// A promise that was fulfilled from the start need not be written where nothing names it.
function dropUnused(body) {
  body.nodes = body.nodes.filter((node) => node.op !== 'resolved' || needsName(node));
  body.nodes.forEach((node) => (node.bodies || []).forEach(dropUnused));
}

function countUses(main) {
  visit(main, (node) => { node.uses = []; }, '');
  visit(main, (node) => {
    REFERENCES.forEach((name) => {
      [].concat(node[name] || []).forEach((one) => { if (one && one.uses) one.uses.push(node); });
    });
  }, '');
}

// What has to have a name, because something that stays in the program refers to it.
function needsName(node) {
  const uses = node.uses.filter((use) => !isDropped(use));
  if (node.op === 'promise') return uses.some((use) => !(use.op === 'resolve' && use.of === node));
  const waits = ['then', 'catch', 'finally', 'pause'];
  if (node.op === 'resolved') return uses.some((use) => !waits.includes(use.op) || use.with === node);
  return uses.length > 0;
}

function giveNames(main) {
  const makers = new Map();  // label to paths
  visit(main, (node, body, index, path) => {
    node.path = path;
    if (node.op === 'log') labelOfLog(node);
    node.label = hoisted(node) || '';
    if (node.label) makers.set(node.label, (makers.get(node.label) || new Set()).add(path));
  }, '');
  visit(main, (node) => {
    const isUnknown = Boolean(node.bodies) && node.bodies.length === 0 && !isWithoutCallback(node);
    if (isDropped(node) || !(isUnknown || needsName(node))) return;
    if (node.label && makers.get(node.label).size === 1) {
      node.name = node.label;
      return;
    }
    if (!names.has(node.path)) {
      const word = node.op === 'async' && /^[A-Za-z]\w*$/.test(node.fn) ? node.fn : WORDS[node.op] || 'promise';
      names.set(node.path, free((RESERVED.test(word) ? 'async' : word) + '.' + node.line));
    }
    const name = names.get(node.path);
    node.name = name;
    node.isNamedApart = true;
    const isSilent = SILENT.includes(node.op) && !node.joined;
    node.isDeferred = !isSilent && canBeDeferred(node) && node.bodies.length > 0;
    if (isSilent || node.isDeferred) return;
    const what = isUnknown ? 'its callback ran in no run, and what it does is not known' : 'it needs a name';
    madeUp[name] = { line: node.line, file: node.file, what: what, is_unknown: isUnknown };
  }, '');
}

// What has no callback of the script, or one that never says anything.
function isWithoutCallback(node) {
  return Boolean(node.isWithout || node.isPromise) || ['async', 'combine', 'child', 'close'].includes(node.op);
}

// Its promise can be written as one that the callback resolves at its end.
function canBeDeferred(node) { return REACTIONS.includes(node.op) || node.joined || Boolean(node.isPromise); }

// Steps.

function stepOf(text, node, body) { return { text: text, line: node.line, file: node.file, body: body || [] }; }

function of(node) { return !node || (node.op === 'resolved' && !node.name) ? '' : ' of ' + node.name; }
function kind(node) { return node.kind ? ' as ' + node.kind : ''; }

function stepsOf(body, end) {
  const steps = [];
  for (let i = 0; i < body.nodes.length; i += 1) {
    const node = body.nodes[i];
    if (isDropped(node)) {
      const texts = textsIn(node);
      addNote(node, (node.api || node.op) + ' is left out, because what it waits for has no step' +
                        (texts.length > 0 ? '; with it: ' + texts.join(', ') : ''));
      continue;
    }
    const next = body.nodes[i + 1];
    if (node.op === 'pause' && !node.caught && next && next.op === 'log') {
      steps.push(stepOf('pause ' + labelOfLog(next) + of(node.of), node));
      i += 1;
      continue;
    }
    write(node, end).forEach((step) => steps.push(step));
    if (node.op === 'throw' || node.op === 'return' || node.op === 'exit') return steps;
  }
  if (end && body.ended) steps.push(stepOf('resolve ' + end, { line: 0, file: '' }));
  return steps;
}

// The steps of a node. `end`: the promise that the callback around it stands for.
function write(node, end) {
  const isSilent = SILENT.includes(node.op) && !node.joined;
  const label = node.isNamedApart && !node.isDeferred && !isSilent ? node.name : node.label;
  const withLabel = label ? ' ' + label : '';
  const body = () => callbackBody(node, label);
  const line = (text) => [stepOf(text, node)];
  const before = node.isDeferred ? line('promise ' + node.name) : [];
  const call = (text) => before.concat(stepOf(text, node, body()));
  switch (node.op) {
    case 'log': return line('log ' + labelOfLog(node));
    case 'busy': return line('busy ' + node.argument);
    case 'tick': case 'microtask': return call(node.op + withLabel);
    case 'then': case 'catch': case 'finally':
      return call((node.ran === 'second' && node.op === 'then' ? 'catch' : node.op) + withLabel + of(node.of));
    case 'timeout': case 'interval': return call(node.op + withLabel + ' ' + node.argument + kind(node));
    case 'immediate': return call(node.op + withLabel + kind(node));
    case 'file': return call(node.op + withLabel + kind(node) + (node.trips ? ' x' + node.trips : ''));
    case 'combine': return node.joined ? writeCombine(node, withLabel, call) : writeSettling(node);
    case 'channel': return [];
    case 'message': return call('message' + withLabel + (node.via ? ' via ' + node.via.name : ''));
    case 'child': case 'signal': case 'thenable': return call(node.op + withLabel + kind(node));
    case 'accept': return call('accept' + withLabel + of(node.of));
    case 'close': return call('close' + withLabel + of(node.of));
    case 'on': return call('on ' + node.event + withLabel + of(node.of));
    case 'connect':
      return call(node.to ? 'connect' + withLabel + ' to ' + node.to.name : 'refused' + withLabel + kind(node));
    case 'listen': case 'socket': return line(node.op + (node.name ? ' ' + node.name : '') + kind(node));
    case 'clear': return line('clear ' + node.of.name + kind(node));
    case 'ref': case 'unref': case 'refresh': case 'raise': return line(node.op + ' ' + node.of.name);
    case 'exit': return line('exit' + (node.argument ? ' ' + node.argument : ''));
    case 'throw': return line(end ? 'reject of ' + end : 'throw');
    case 'return': return line(end ? 'resolve ' + end + ' with ' + node.of.name : 'return' + of(node.of));
    case 'promise': return node.name ? line('promise ' + node.name) : [];
    case 'resolved': return node.name ? line('promise ' + node.name).concat(line('resolve ' + node.name)) : [];
    case 'resolve':
      if (!node.of.name) return [];
      return line('resolve ' + node.of.name + (node.with ? ' with ' + node.with.name : ''));
    case 'reject': return line('reject of ' + node.of.name);
    case 'async': return writeAsync(node);
    case 'pause': return node.caught ? [stepOf('try', node, line('pause' + of(node.of)))] : line('pause' + of(node.of));
    default: throw new Error('there is no step ' + node.op);
  }
}

// A function with one `await` at its beginning has its own step, which can also await what is not a promise.
function awaitsOnce(node) {
  const inner = node.bodies[0].nodes;
  const pauses = inner.filter((one) => one.op === 'pause');
  return pauses.length === 1 && inner[0] === pauses[0] && !inner[0].caught && !isDropped(inner[0]);
}

function writeAsync(node) {
  const inner = node.bodies[0];
  const first = inner.nodes[0];
  if (awaitsOnce(node) && !node.isNamedApart) {
    const rest = { nodes: inner.nodes.slice(node.label ? 2 : 1), ended: true };
    const text = 'await' + (node.label ? ' ' + node.label : '') + of(first.of) + (first.plain ? ' plain' : '');
    return [stepOf(text, node, stepsOf(rest, ''))];
  }
  inner.nodes.filter((one) => one.op === 'pause' && one.plain).forEach((one) => {
    addNote(one, 'awaits a value that is not a promise, which is written as a promise: the same since Node 12', true);
  });
  return [stepOf('async' + (node.name ? ' ' + node.name : ''), node, stepsOf(inner, ''))];
}

function writeCombine(node, withLabel, call) {
  return call('combine' + withLabel + of(node.of) + (node.with ? ' with ' + node.with.name : '') + kind(node));
}

// A promise of several, as one that the reactions of those resolve.
function writeSettling(node) {
  if (!node.name) return [];
  const { states, last } = node.states;
  const steps = [stepOf('promise ' + node.name, node)];
  const settle = (one, state) => {
    const act = state === 'rejected' ? 'reject of ' : 'resolve ';
    steps.push(stepOf((state === 'rejected' ? 'catch' : 'then') + of(one), node, [stepOf(act + node.name, node)]));
  };
  const has = (state) => states.includes(state);
  if (node.kind === 'race' || (node.kind === 'any' && has('fulfilled'))) {
    node.of.forEach((one, i) => {
      if (node.kind === 'race' || states[i] !== 'rejected') settle(one, states[i]);
      else steps.push(stepOf('catch' + of(one), node));
    });
  } else if (node.of.length === 0) {
    steps.push(stepOf('resolve ' + node.name, node));
  } else if (node.kind === 'all' && has('rejected')) {
    node.of.forEach((one, i) => { if (states[i] === 'rejected') settle(one, 'rejected'); });
    addNote(node, 'Promise.all is written as one that each rejected promise rejects', true);
  } else if (last !== null && !has('pending')) {
    node.of.forEach((one, i) => {
      if (i !== last && states[i] === 'rejected') steps.push(stepOf('catch' + of(one), node));
    });
    settle(node.of[last], node.kind === 'any' ? 'rejected' : 'fulfilled');
    if (states[last] === 'rejected') steps[steps.length - 1].text = 'catch' + of(node.of[last]);
    const isSure = node.of.every((one) => !one || one.op === 'resolved');
    const what = ' is written as one that the promise which was the last in every run settles';
    if (!isSure) addNote(node, node.api + what, true);
  }
  return steps;
}

// The bodies of all runs as one: what they begin with, and then what differs in each.
function callbackBody(node, label) {
  if (!node.bodies) return [];
  const end = node.isDeferred ? node.name : '';
  if (node.isPromise && !node.joined) return end ? [stepOf('resolve ' + end, node)] : [];
  const skip = node.label && label === node.label ? 1 : 0;
  const all = node.bodies.map((body) => {
    return stepsOf({ nodes: body.nodes.slice(skip), ended: body.ended }, end);
  });
  if (node.bodies.length === 0 && end) return [];
  const merged = mayDiffer(node, all) ? onlyAsSeen(mergeRuns(all, node), node) : mergeRuns(all, node);
  if (node.trips && merged.length > 0) return [only(node.trips, node.trips, merged, node)];
  return isOneOfMany(node) && merged.length > 0 ? [only(1, 1, all[0], node)] : merged;
}

// A callback that comes again and again may do something else when it comes more often than in any run: it is given
// another error, or did something else each time.
const REPEATING = ['on', 'interval', 'accept', 'signal', 'timeout'];
const GIVEN_ERRORS = ['uncaught', 'unhandled', 'monitor', 'handled'];

function mayDiffer(node, all) {
  if (!REPEATING.includes(node.op) || node.isOnce || all.length === 0) return false;
  const last = node.bodies[node.bodies.length - 1].nodes;
  const isCleared = last.some((inner) => inner.op === 'clear' && inner.of === node);
  const isGivenErrors = node.op === 'on' && GIVEN_ERRORS.includes(node.event) && all.some((steps) => steps.length > 0);
  return !isCleared && (isGivenErrors || all.some((steps) => keyOf(steps) !== keyOf(all[0])));
}

function onlyAsSeen(steps, node) {
  const runs = node.bodies.length;
  if (!names.has(node.path + ' again')) names.set(node.path + ' again', free('again.' + node.line));
  const again = names.get(node.path + ' again');
  madeUp[again] = {
    line: node.line, file: node.file, what: 'it comes more often than in any run, and what it does then is not known',
    is_unknown: true
  };
  const isSorted = steps.every((step) => step.text.startsWith('only '));
  const more = only(runs + 1, MOST_RUNS, [stepOf('log ' + again, node)], node);
  return (isSorted ? steps : [only(1, runs, steps, node)]).concat(more);
}

function key(step) { return step.text + '{' + step.body.map(key).join(';') + '}'; }
function keyOf(steps) { return steps.map(key).join(';'); }

function only(from, to, body, node) {
  return stepOf('only ' + (from === to ? from : from === 1 ? '..' + to : from + '..' + to), node, body);
}

function mergeRuns(all, node) {
  if (all.length <= 1) return all[0] || [];
  const least = Math.min(...all.map((steps) => steps.length));
  let shared = 0;
  while (shared < least && all.every((steps) => key(steps[shared]) === key(all[0][shared]))) shared += 1;
  const merged = all[0].slice(0, shared);
  const rests = all.map((steps) => steps.slice(shared));
  for (let from = 0; from < rests.length;) {
    let to = from;
    while (to + 1 < rests.length && keyOf(rests[to + 1]) === keyOf(rests[from])) to += 1;
    if (rests[from].length > 0) merged.push(only(from + 1, to + 1, rests[from], node));
    from = to + 1;
  }
  return merged;
}

// A callback that starts its like, which starts its like: a chain.
function chainOf(step) {
  const chain = [];
  if (/ (of|to) |^on |^async|^accept|^signal|^interval|^thenable| x\d+$/.test(step.text + ' ')) return chain;
  for (let at = step; at;) {
    const inner = at.body.filter((child) => child.text === step.text);
    const child = inner.length === 1 ? inner[0] : null;
    const index = child ? at.body.indexOf(child) : at.body.length;
    chain.push({ before: at.body.slice(0, index), after: at.body.slice(index + 1) });
    at = child;
  }
  return chain;
}

// The steps, with chains as such, and without what is too deep for a case.
function compressed(steps, depth) {
  if (steps.length > 0 && depth > MOST_DEPTH) {
    addNote(steps[0], 'is left out: callbacks inside of callbacks, more than ' + MOST_DEPTH + ' deep');
    return [];
  }
  return steps.map((step) => {
    const chain = chainOf(step);
    const made = stepOf(step.text, step, step.body);
    if (chain.length >= CHAIN) {
      const before = mergeRuns(chain.map((run) => run.before), step);
      const after = mergeRuns(chain.map((run) => run.after), step);
      made.text = step.text + ' x' + chain.length;
      made.body = after.length === 0 ? before : before.concat(stepOf('again', step), after);
    }
    made.body = compressed(made.body, depth + 1);
    return made;
  });
}

function lift(records) {
  const trees = records.map(treeOf);
  const main = trees[0];
  trees.slice(1).forEach((tree) => mergeBodies(main, tree));
  resolveSame(main);
  countUses(main);
  dropUnused(main);
  joinAll(main);
  giveNames(main);
  const steps = compressed(stepsOf(main, ''), 0);
  records.forEach((record) => record.notes.forEach((one) => addNote(one, one.what, one.isRemark)));
  const labels = {};
  labelTexts.forEach((text, label) => { if (text !== label) labels[label] = text; });
  const orders = records.map((record) => {
    return record.acts.filter((act) => act.op === 'log').map((act) => labelsOf.get(act.text) || 'line-' + act.line);
  });
  return {
    entry: records[0].is_module ? 'esm' : 'script', steps: steps, labels: labels, made_up: madeUp, notes: notes,
    orders: orders
  };
}

const isUnended = process.argv[2] === '--unended';
const files = process.argv.slice(isUnended ? 3 : 2);
const records = files.map((file) => JSON.parse(fs.readFileSync(file, 'utf8')));
const stopped = records.find((record) => record.ending);
const ending = stopped ? stopped.ending : isUnended ? waitingOf(records[0]) : null;
let answer = null;
try {
  answer = ending ? { ending: ending } : lift(records);
} catch (error) {
  if (!(error instanceof RangeError)) throw error;
  const text = 'schedules callbacks inside of callbacks, too deep to be lifted';
  answer = { ending: { how: 'much', line: 0, file: '', text: text } };
}
process.stdout.write(JSON.stringify(answer) + '\n');
