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

const known = (v) => ({k: 'value', v});
const UNDEFINED = known(undefined);
const unknown = (why) => ({k: 'unknown', why});
const objectOf = (entries) => ({k: 'object', props: new Map(Object.entries(entries || {}))});
const arrayOf = (items) => ({k: 'array', items});
const api = (path) => ({k: 'api', path});
// `call` is a generator, as everything that may come to an `await` is.
const native = (name, call) => ({k: 'native', name, call});

const isFunction = (value) => value.k === 'function' || value.k === 'native' || value.k === 'api';

// Thrown by `throw`, and by an `await` of what is rejected: there the model throws by itself.
class Thrown {
  constructor(value, byModel) {
    this.value = value;
    this.byModel = byModel;
  }
}

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

class Binding {
  constructor(value) {
    this.value = value;
    this.reads = [];
    this.writes = [];
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
    const binding = new Binding(value);
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
    if (typeof value.v === 'string') return inside ? `'${value.v}'` : value.v;
    return String(value.v);
  }
  if (value.k === 'array') {
    const items = value.items.map((item) => printed(item, true));
    return items.includes(null) ? null : items.length === 0 ? '[]' : `[ ${items.join(', ')} ]`;
  }
  if (value.k === 'object' && value.isError) {
    const text = printed(value.props.get('message') || known(''));
    return text === null ? null : `${value.name || 'Error'}: ${text}`;
  }
  return null;
}

function truth(value) {
  if (value.k === 'value') return Boolean(value.v);
  if (value.k === 'unknown' || value.k === 'time') return null;
  return true;
}

// What operators give. `time` is what Date.now() gives, and so much more.
function binary(operator, a, b) {
  if (a.k === 'time' && b.k === 'time' && operator === '-') return {k: 'elapsed', ms: a.ms - b.ms};
  if (a.k === 'time' && b.k === 'value') {
    if (operator === '+') return {k: 'time', ms: a.ms + Number(b.v)};
    if (operator === '-') return {k: 'time', ms: a.ms - Number(b.v)};
  }
  if (a.k === 'value' && b.k === 'time' && operator === '+') return {k: 'time', ms: b.ms + Number(a.v)};
  if (a.k !== 'value' || b.k !== 'value') {
    const isSame = a === b;
    if (a.k !== 'unknown' && b.k !== 'unknown' && (operator === '===' || operator === '==')) return known(isSame);
    if (a.k !== 'unknown' && b.k !== 'unknown' && (operator === '!==' || operator === '!=')) return known(!isSame);
    if (operator === '+' && printed(a) !== null && printed(b) !== null) return known(printed(a) + printed(b));
    return unknown('its operands are not known');
  }
  const [x, y] = [a.v, b.v];
  switch (operator) {
    case '+': return known(x + y);
    case '-': return known(x - y);
    case '*': return known(x * y);
    case '/': return known(x / y);
    case '%': return known(x % y);
    case '**': return known(x ** y);
    case '<': return known(x < y);
    case '<=': return known(x <= y);
    case '>': return known(x > y);
    case '>=': return known(x >= y);
    case '===': return known(x === y);
    case '!==': return known(x !== y);
    case '==': return known(x == y);
    case '!=': return known(x != y);
    case '&': return known(x & y);
    case '|': return known(x | y);
    case '^': return known(x ^ y);
    case '<<': return known(x << y);
    case '>>': return known(x >> y);
    default: return unknown(`'${operator}' is not understood`);
  }
}

// How long a loop that looks at the clock continues, or null.
function waitOf(operator, a, b) {
  const [left, right] = operator === '<' || operator === '<=' ? [a, b] : [b, a];
  if (!['<', '<=', '>', '>='].includes(operator)) return null;
  if (left.k === 'elapsed' && right.k === 'value') return Number(right.v) - left.ms;
  if (left.k === 'time' && right.k === 'time') return right.ms - left.ms;
  return null;
}

// Of texts and numbers: functions that only compute.
const PURE_OF_TEXT = ['toUpperCase', 'toLowerCase', 'trim', 'slice', 'substring', 'charAt', 'padStart', 'padEnd',
  'concat', 'includes', 'startsWith', 'endsWith', 'indexOf', 'replace', 'toString', 'at'];
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
