// From what the translator found to steps of the case language. Labels and names are made as `conform lift` makes them:
// a callback that begins by printing takes that as its label; a label is the text without what a label cannot hold.

const LONGEST_LABEL = 60;
const LAST_RUN = 1000000; // the limit of `only`
const RESERVED = /^(of|to|with|via|as|plain|unsent|exit|x\d+)$/;
const WORDS = {
  timeout: 'timer', interval: 'timer', immediate: 'immediate', listen: 'server', on: 'listener', async: 'async',
  connect: 'socket', accept: 'socket', signal: 'signal',
};
const SILENT = ['promise', 'async', 'listen', 'socket', 'resolved'];
const REACTIONS = ['then', 'catch', 'finally', 'combine'];
const WAITS = ['then', 'catch', 'finally', 'pause'];

class Writer {
  constructor(main) {
    this.main = main;
    this.texts = new Map(); // label to text
    this.labels = new Map(); // text to label
    this.taken = new Set();
    this.names = new Map(); // by path: the same in every run of a callback
    this.unsure = []; // what does something else in each run
    this.madeUp = []; // labels that the script does not print
    this.assumed = []; // promises of several, of which one was taken to decide
  }

  // The program, a step on each line.
  write() {
    this.countUses();
    this.joinCombinations(this.main);
    this.visit(this.main, (node) => {
      if (node.combination && node.combination.isAssumed) this.assumed.push(node);
    }, '');
    this.countUses();
    this.giveNames();
    const steps = this.stepsOf(this.main, '');
    return steps.map((step) => this.flat(step)).join('\n');
  }

  flat(step) {
    return step.body.length > 0 ? `${step.text}: [${step.body.map((one) => this.flat(one)).join(', ')}]` : step.text;
  }

  visit(body, look, path) {
    body.forEach((node, index) => {
      const here = `${path}/${index}`;
      look(node, here);
      (node.bodies || []).forEach((inner) => this.visit(inner, look, here));
    });
  }

  countUses() {
    this.visit(this.main, (node) => {
      node.uses = [];
    }, '');
    this.visit(this.main, (node) => {
      for (const name of ['of', 'with', 'to']) if (node[name] && node[name].uses) node[name].uses.push(node);
    }, '');
  }

  // Promise.all and its like with one reaction, right behind it.
  joinCombinations(body) {
    for (let i = 0; i < body.length; ++i) {
      const {combination} = body[i];
      if (!combination || combination.parts.length > 2 || combination.parts.length === 0) continue;
      const {name, parts, settling} = combination;
      const next = body[i + settling.length + 1];
      const uses = body[i].uses.filter((use) => !settling.some((one) => one.bodies[0].includes(use)));
      if (!next || next.op !== 'then' || next.of !== body[i] || uses.length !== 1) continue;
      body.splice(i, settling.length + 1);
      Object.assign(next, {op: 'combine', of: parts[0], with: parts[1], kind: name === 'all' ? '' : name});
    }
    body.forEach((node) => (node.bodies || []).forEach((inner) => this.joinCombinations(inner)));
  }

  free(wanted) {
    let label = wanted;
    for (let i = 2; this.taken.has(label); ++i) label = `${wanted}.${i}`;
    this.taken.add(label);
    return label;
  }

  labelOf(node) {
    if (node.text === null) {
      if (!node.label) node.label = this.free(`line-${node.line}`);
      return node.label;
    }
    if (this.labels.has(node.text)) return this.labels.get(node.text);
    const trimmed = node.text.trim();
    let word = trimmed.replace(/[^A-Za-z0-9_.]+/g, '-').replace(/^-+|-+$/g, '').slice(0, LONGEST_LABEL);
    if (word === '') word = trimmed === '' ? 'blank' : 'sign';
    if (!/^[A-Za-z]/.test(word)) word = 'n' + word;
    if (RESERVED.test(word)) word += '.';
    const label = this.free(word);
    this.labels.set(node.text, label);
    this.texts.set(label, node.text);
    return label;
  }

  // The label of a callback: what it prints first, in each of its runs.
  hoisted(node) {
    if (!node.bodies || node.bodies.length === 0 || node.trips || node.isOnce || SILENT.includes(node.op)) return '';
    if (node.op === 'on' && ['uncaught', 'unhandled', 'monitor'].includes(node.event)) return '';
    const firsts = node.bodies.map((body) => (body[0] && body[0].op === 'log' ? this.labelOf(body[0]) : ''));
    return firsts.every((label) => label === firsts[0]) ? firsts[0] : '';
  }

  needsName(node) {
    if (node.op === 'promise') return node.uses.some((use) => !(use.op === 'resolve' && use.of === node));
    if (node.op === 'resolved') return node.uses.some((use) => !WAITS.includes(use.op));
    if (node.isSettling) return false;
    return node.uses.length > 0;
  }

  giveNames() {
    const makers = new Map(); // label to the paths of those that have it
    this.visit(this.main, (node, path) => {
      node.path = path;
      if (node.op === 'log') this.labelOf(node);
      node.label = node.op === 'log' ? node.label : this.hoisted(node);
      if (node.op !== 'log' && node.label) makers.set(node.label, (makers.get(node.label) || new Set()).add(path));
    }, '');
    this.visit(this.main, (node) => {
      if (node.op === 'log' || !this.needsName(node)) return;
      if (node.label && makers.get(node.label).size === 1) {
        node.name = node.label;
        return;
      }
      if (!this.names.has(node.path)) {
        const own = node.op === 'async' && /^[A-Za-z]\w*$/.test(node.fn || '') && !RESERVED.test(node.fn) && node.fn;
        this.names.set(node.path, this.free(`${own || WORDS[node.op] || 'promise'}.${node.line}`));
      }
      node.name = this.names.get(node.path);
      node.isNamedApart = true;
      // One that only passes a value on runs nothing, and never prints the name that it has.
      const isSilent = SILENT.includes(node.op) || (REACTIONS.includes(node.op) && node.bodies.length === 0);
      // What `finally` passes on is not what it returns.
      node.isDeferred = REACTIONS.includes(node.op) && node.op !== 'finally' && node.bodies.length > 0;
      if (!isSilent && !node.isDeferred && !this.madeUp.includes(node.name)) this.madeUp.push(node.name);
    }, '');
  }

  of(node) {
    return !node || (node.op === 'resolved' && !node.name) ? '' : ` of ${node.name}`;
  }

  step(text, node, body) {
    return {text, node, body: body || []};
  }

  // `end`: the promise that the callback around stands for, where it has a name apart.
  stepsOf(body, end) {
    const steps = [];
    for (let i = 0; i < body.length; ++i) {
      const node = body[i];
      const next = body[i + 1];
      if (node.op === 'pause' && !node.caught && next && next.op === 'log') {
        steps.push(this.step(`pause ${this.labelOf(next)}${this.of(node.of)}`, node));
        ++i;
        continue;
      }
      steps.push(...this.written(node, end));
      if (['throw', 'return', 'exit'].includes(node.op)) return steps;
    }
    if (end) steps.push(this.step(`resolve ${end}`, null));
    return steps;
  }

  written(node, end) {
    const isSilent = SILENT.includes(node.op);
    const label = node.isNamedApart && !node.isDeferred && !isSilent ? node.name : node.label;
    const withLabel = label ? ` ${label}` : '';
    const kind = node.kind ? ` as ${node.kind}` : '';
    const line = (text) => [this.step(text, node)];
    const before = node.isDeferred ? line(`promise ${node.name}`) : [];
    const call = (text) => [...before, this.step(text, node, this.callbackBody(node, label))];
    switch (node.op) {
      case 'none': return [];
      case 'log': return line(`log ${this.labelOf(node)}`);
      case 'busy': return line(`busy ${node.argument}`);
      case 'tick':
      case 'microtask': return call(node.op + withLabel);
      case 'then':
      case 'catch':
      case 'finally': return call(node.op + withLabel + this.of(node.of));
      case 'combine':
        return call(`combine${withLabel} of ${node.of.name}${node.with ? ` with ${node.with.name}` : ''}${kind}`);
      case 'timeout':
      case 'interval': return call(`${node.op}${withLabel} ${node.argument}`);
      case 'immediate': return call(node.op + withLabel);
      case 'file': return call(`file${withLabel}${kind}${node.trips ? ` x${node.trips}` : ''}`);
      case 'accept':
      case 'close': return call(`${node.op}${withLabel}${this.of(node.of)}`);
      case 'on': return call(`on ${node.event}${withLabel}${this.of(node.of)}`);
      case 'connect': return call(`connect${withLabel} to ${node.to.name}`);
      case 'refused': return call(`refused${withLabel}${kind}`);
      case 'listen': return line(`listen${node.name ? ` ${node.name}` : ''}`);
      case 'clear': return line(`clear ${node.of.name}${kind}`);
      case 'ref':
      case 'unref':
      case 'refresh': return line(`${node.op} ${node.of.name}`);
      case 'exit': return line(`exit${node.argument ? ` ${node.argument}` : ''}`);
      case 'throw': return line(end ? `reject of ${end}` : 'throw');
      case 'return': return line(end ? `resolve ${end} with ${node.of.name}` : `return of ${node.of.name}`);
      case 'promise': return node.name ? line(`promise ${node.name}`) : [];
      case 'resolved': return node.name ? [...line(`promise ${node.name}`), ...line(`resolve ${node.name}`)] : [];
      case 'resolve':
        return node.of.name ? line(`resolve ${node.of.name}${node.with ? ` with ${node.with.name}` : ''}`) : [];
      case 'reject': return line(`reject of ${node.of.name}`);
      case 'async': return this.writtenAsync(node);
      case 'pause': {
        const pause = line(`pause${this.of(node.of)}`);
        return node.caught ? [this.step('try', node, pause)] : pause;
      }
      default: throw new Enough(`there is no step '${node.op}'`);
    }
  }

  // A function with one `await`, at its beginning, has its own step, which can also await what is not a promise.
  writtenAsync(node) {
    const [inner] = node.bodies;
    const pauses = inner.filter((one) => one.op === 'pause');
    if (pauses.length === 1 && inner[0] === pauses[0] && !inner[0].caught && !node.isNamedApart) {
      const hasLabel = inner[1] && inner[1].op === 'log';
      const label = hasLabel ? ` ${this.labelOf(inner[1])}` : '';
      const plain = inner[0].isPlain ? ' plain' : '';
      const rest = this.stepsOf(inner.slice(hasLabel ? 2 : 1), '');
      return [this.step(`await${label}${this.of(inner[0].of)}${plain}`, node, rest)];
    }
    return [this.step(`async${node.name ? ` ${node.name}` : ''}`, node, this.stepsOf(inner, ''))];
  }

  // The bodies of all runs as one: what they begin with, and then what each run alone has.
  callbackBody(node, label) {
    const end = node.isDeferred ? node.name : '';
    const skip = node.label && label === node.label ? 1 : 0;
    const all = (node.bodies || []).map((body) => this.stepsOf(body.slice(skip), end));
    if (node.isOnce && all.length > 0 && all[0].length > 0) return [this.step('only 1', node, all[0])];
    if (all.length <= 1) {
      const body = all[0] || [];
      return node.trips && body.length > 0 ? [this.step(`only ${node.trips}`, node, body)] : body;
    }
    return this.mergedRuns(all, node);
  }

  mergedRuns(all, node) {
    const key = (step) => this.flat(step);
    const least = Math.min(...all.map((steps) => steps.length));
    let shared = 0;
    while (shared < least && all.every((steps) => key(steps[shared]) === key(all[0][shared]))) ++shared;
    const merged = all[0].slice(0, shared);
    const rests = all.map((steps) => steps.slice(shared));
    const keys = rests.map((rest) => rest.map(key).join(';'));
    for (let from = 0; from < rests.length; ) {
      let to = from;
      while (to + 1 < rests.length && keys[to + 1] === keys[from]) ++to;
      // What it does last, it continues to do.
      const isLast = to + 1 === rests.length && node.isRepeated && !node.isEnded;
      if (isLast && from === to) this.unsure.push(node);
      const end = isLast ? LAST_RUN : to + 1;
      const runs = from + 1 === end ? end : from === 0 ? `..${end}` : `${from + 1}..${end}`;
      if (rests[from].length > 0) merged.push(this.step(`only ${runs}`, node, rests[from]));
      from = to + 1;
    }
    return merged;
  }
}
