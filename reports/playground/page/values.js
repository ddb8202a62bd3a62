// What the translator knows of the values of a script. It never runs the script: it reads its tree, follows what is
// known, and says where it knows no more.
//
// These files are one script, in the order of ../make. Nothing in them needs a browser.

const MOST_STEPS = 3000;
const MOST_DEPTH = 40; // callbacks inside of callbacks
const MOST_WORK = 40000; // parts of the tree that are looked at
const MOST_RUNS = 40; // of one interval
const MOST_RUNS_OF_A_LISTENER = 4;
const MOST_TURNS_OF_A_LOOP = 200;
const MOST_ITEMS = 1000; // of an array
const LONGEST_TEXT = 20000; // that operators make

const known = (v) => ({k: 'value', v});
const UNDEFINED = known(undefined);
// `isData`: what was read or is given to a listener, whose methods compute and schedule nothing.
const unknown = (why, isData) => ({k: 'unknown', why, isData: Boolean(isData)});
const objectOf = (entries) => ({k: 'object', props: new Map(Object.entries(entries || {}))});
const arrayOf = (items) => ({k: 'array', items});
const api = (path) => ({k: 'api', path});
// `call` is a generator, as everything that may come to an `await` is.
const native = (name, call) => ({k: 'native', name, call});

const isNothing = (value) => value.k === 'value' && (value.v === undefined || value.v === null);
const isFunction = (value) => value.k === 'function' || value.k === 'native' || value.k === 'api';

// Thrown by `throw`, and by an `await` of what is rejected: there the model throws by itself.
class Thrown {
  constructor(value, byModel) {
    this.value = value;
    this.byModel = byModel;
  }
}

// Thrown by `?.` where there is nothing, up to the end of its chain.
class Nothing {}

// Ends the translation: too much, or nothing that can be made sense of.
class Enough {
  constructor(message) {
    this.message = message;
  }
}

// A stretch that nothing interrupts. What one turn writes is seen by all that it leads to.
class Turn {
  constructor(parents) {
    this.parents = parents;
    this.waited = 0; // milliseconds, in loops that look at the clock
  }

  isBefore(other) {
    const seen = new Set();
    const look = (turn) => {
      if (turn === this) return true;
      if (seen.has(turn)) return false;
      seen.add(turn);
      return turn.parents.some(look);
    };
    return look(other);
  }
}

// A variable, or what is in an object or an array.
class Binding {
  constructor(value, isWhole) {
    this.value = value;
    this.isWhole = isWhole; // a write leaves nothing of what was there
    this.reads = []; // {turn, node, isOwn}: isOwn where the turn reads what it has written
    this.writes = []; // turns
  }

  read(turn, node) {
    this.reads.push({turn, node, isOwn: this.isWhole && this.writes[this.writes.length - 1] === turn});
  }

  write(turn) {
    if (this.writes[this.writes.length - 1] !== turn) this.writes.push(turn);
  }

  // Where the value that a turn reads depends on which of two others ran first.
  races() {
    const writes = [...new Set(this.writes)];
    const isRace = ({turn, isOwn}) => {
      if (isOwn || writes.length === 0) return false;
      const others = writes.filter((write) => write !== turn);
      if (others.some((write) => !write.isBefore(turn) && !turn.isBefore(write))) return true;
      const before = others.filter((write) => write.isBefore(turn));
      return before.filter((one) => !before.some((other) => other !== one && one.isBefore(other))).length > 1;
    };
    return this.reads.filter(isRace).map((read) => read.node);
  }
}

class Scope {
  constructor(outer) {
    this.outer = outer;
    this.names = new Map();
  }

  find(name) {
    for (let scope = this; scope; scope = scope.outer) {
      if (scope.names.has(name)) return scope.names.get(name);
    }
    return null;
  }

  declare(name, value) {
    const binding = new Binding(value, true);
    this.names.set(name, binding);
    return binding;
  }
}

class PromiseValue {
  constructor(node) {
    this.k = 'promise';
    this.node = node;
    this.fate = null; // 'fulfilled' or 'rejected', once that is known
    this.value = UNDEFINED;
    this.turn = null; // that settled it
  }

  settle(fate, value, turn) {
    if (this.fate) return false;
    this.fate = fate;
    this.value = value;
    this.turn = turn;
    this.settledAs = ++PromiseValue.settled;
    return true;
  }
}

PromiseValue.settled = 0;

// As console.log prints it; null where that is not known.
function printed(value, inside) {
  if (value.k === 'value') {
    if (typeof value.v === 'string') return inside ? quoted(value.v) : value.v;
    if (typeof value.v === 'bigint') return `${value.v}n`;
    return Object.is(value.v, -0) ? '-0' : String(value.v);
  }
  if (value.k === 'array') {
    const items = value.items.map((item) => printed(item, true));
    const text = items.length === 0 ? '[]' : `[ ${items.join(', ')} ]`;
    return items.includes(null) || items.length > MOST_ITEMS_OF_A_LINE || text.length > LONGEST_LINE ? null : text;
  }
  return value.k === 'object' && value.isError && !inside ? textOf(value) : null;
}

// What console.log writes on one line.
const MOST_ITEMS_OF_A_LINE = 6;
const LONGEST_LINE = 60;

function quoted(text) {
  if (/[\\\x00-\x1f\x7f-\x9f]/.test(text)) return null;
  if (!text.includes("'")) return `'${text}'`;
  return text.includes('"') ? null : `"${text}"`;
}

// As a text; null where that is not known.
function textOf(value) {
  if (value.k === 'value') return String(value.v);
  if (value.k === 'array') {
    const items = value.items.map((item) => (isNothing(item) ? '' : textOf(item)));
    return items.includes(null) ? null : items.join(',');
  }
  if (value.k !== 'object') return null;
  if (!value.isError) return ['toString', 'valueOf'].some((name) => value.props.has(name)) ? null : '[object Object]';
  const text = textOf(value.props.get('message') || known(''));
  if (text === null || text === '') return text === null ? null : value.name;
  return `${value.name}: ${text}`;
}

// null where it is not known.
function truth(value) {
  if (value.k === 'value') return Boolean(value.v);
  if (value.k === 'api') return typeOfApi(value.path) === 'undefined' ? null : true;
  return ['unknown', 'time', 'elapsed'].includes(value.k) ? null : true;
}

// What `typeof` gives for something of the platform; 'undefined' where it may not be there.
function typeOfApi(path) {
  if (['process', 'console', 'Math', 'JSON', 'performance', 'globalThis', 'global', 'process.stdout'].includes(path)) {
    return 'object';
  }
  return (GLOBALS.includes(path) && path !== 'window') || path === 'process.nextTick' ? 'function' : 'undefined';
}

// What operators give. `time` is what the clock shows, `ms` after its turn began.
function binary(operator, a, b) {
  if (a.k === 'time' && b.k === 'time' && operator === '-' && a.turn === b.turn) return {k: 'elapsed', ms: a.ms - b.ms};
  if (a.k === 'time' && b.k === 'value') {
    if (operator === '+') return {...a, ms: a.ms + Number(b.v)};
    if (operator === '-') return {...a, ms: a.ms - Number(b.v)};
  }
  if (a.k === 'value' && b.k === 'time' && operator === '+') return {...b, ms: b.ms + Number(a.v)};
  if (a.k !== 'value' || b.k !== 'value') return ofThings(operator, a, b);
  try {
    const made = ofValues(operator, a.v, b.v);
    return typeof made === 'string' && made.length > LONGEST_TEXT ? unknown('it is too long') : known(made);
  } catch (refused) {
    return unknown(`'${operator}' is not understood`);
  }
}

// Of operands that are not both plain values.
function ofThings(operator, a, b) {
  const isKnown = [a, b].every((one) => !['unknown', 'time', 'elapsed'].includes(one.k));
  const isConverted = /^[=!]=$/.test(operator) && [a, b].some((one) => one.k === 'value' && !isNothing(one));
  if (isConverted) return unknown('its operands are converted');
  const isSame = a === b || (a.k === 'api' && b.k === 'api' && a.path === b.path);
  if (isKnown && (operator === '===' || operator === '==')) return known(isSame);
  if (isKnown && (operator === '!==' || operator === '!=')) return known(!isSame);
  const texts = [textOf(a), textOf(b)];
  if (operator === '+' && !texts.includes(null)) return known(texts.join(''));
  return unknown('its operands are not known');
}

function ofValues(operator, x, y) {
  switch (operator) {
    case '+': return x + y;
    case '-': return x - y;
    case '*': return x * y;
    case '/': return x / y;
    case '%': return x % y;
    case '**': return x ** y;
    case '<': return x < y;
    case '<=': return x <= y;
    case '>': return x > y;
    case '>=': return x >= y;
    case '===': return x === y;
    case '!==': return x !== y;
    case '==': return x == y;
    case '!=': return x != y;
    case '&': return x & y;
    case '|': return x | y;
    case '^': return x ^ y;
    case '<<': return x << y;
    case '>>': return x >> y;
    case '>>>': return x >>> y;
    default: throw new TypeError(operator);
  }
}

// How long a loop that looks at the clock continues, or null.
function waitOf(operator, a, b) {
  const [left, right] = operator === '<' || operator === '<=' ? [a, b] : [b, a];
  if (!['<', '<=', '>', '>='].includes(operator)) return null;
  if (left.k === 'elapsed' && right.k === 'value') return Number(right.v) - left.ms;
  if (left.k === 'time' && right.k === 'time' && left.turn === right.turn) return right.ms - left.ms;
  return null;
}

// Of texts and numbers: functions that only compute.
const PURE_OF_TEXT = ['toUpperCase', 'toLowerCase', 'trim', 'slice', 'substring', 'charAt', 'padStart', 'padEnd',
  'concat', 'includes', 'startsWith', 'endsWith', 'indexOf', 'replace', 'toString', 'at'];
// Of what was read, too.
const PURE_OF_DATA = [...PURE_OF_TEXT, 'split', 'toFixed', 'valueOf', 'toJSON', 'match'];
const PURE_OF_NUMBER = ['toFixed', 'toString'];

function computed(target, name, args) {
  const names = typeof target.v === 'string' ? PURE_OF_TEXT : typeof target.v === 'number' ? PURE_OF_NUMBER : [];
  if (!names.includes(name) || !args.every((arg) => arg.k === 'value' && typeof arg.v !== 'object')) return null;
  if (args.some((arg) => typeof arg.v === 'number' && Math.abs(arg.v) > 1000)) return null;
  try {
    return known(target.v[name](...args.map((arg) => arg.v)));
  } catch (refused) {
    return null;
  }
}
