// From JavaScript to steps: reads the tree of a script as it would run, callback by callback, with what is known of its
// values. Nothing is executed. What is not understood is a note with its place.
//
//   translate(source, isModule)  ->  {program, entry, labels, madeUp, notes: [{from, to, what, isRemark}], error?: {at, what}}

function translate(source, isModule) {
  const translator = new Translator(source, isModule);
  try {
    return translator.run();
  } catch (thrown) {
    if (thrown instanceof Enough) return {notes: translator.notes, error: {at: 0, what: thrown.message}};
    if (thrown instanceof SyntaxError) {
      const what = thrown.message.replace(/ \(\d+:\d+\)$/, '');
      return {notes: [], error: {at: thrown.pos === undefined ? 0 : thrown.pos, what}};
    }
    if (thrown instanceof RangeError) return {notes: [], error: {at: 0, what: 'it is nested too deep'}};
    throw thrown;
  }
}

class Translator {
  constructor(source, isModule) {
    this.source = source;
    this.isModule = isModule;
    this.notes = [];
    this.noted = new Set();
    this.steps = 0;
    this.work = 0;
    this.bindings = [];
    this.waiting = []; // {isReady, run, rank}
    this.servers = [];
    this.closings = []; // functions that wait for something to be closed: {target, node}
  }

  run() {
    let tree = null;
    let entry = 'script';
    const options = {ecmaVersion: 'latest', locations: true, allowHashBang: true};
    try {
      if (this.isModule) throw new SyntaxError('it is a module');
      tree = acorn.parse(this.source, {...options, sourceType: 'script', allowReturnOutsideFunction: true});
    } catch (ofScript) {
      try {
        tree = acorn.parse(this.source, {...options, sourceType: 'module'});
        entry = 'esm';
      } catch (ofModule) {
        throw this.isModule || /\b(import|export)\b|\bawait\b/.test(this.source) ? ofModule : ofScript;
      }
    }
    this.entry = entry;
    const body = [];
    const context = {body, turn: new Turn([]), tries: 0, depth: 0, isAsync: entry === 'esm'};
    const scope = new Scope(null);
    this.drive(this.topLevel(tree, scope, context), context, () => {}, (thrown) => this.uncaught(thrown, context, tree));
    this.workOff();
    this.findRaces();
    this.findUnclosed();
    const writer = new Writer(body);
    const program = writer.write();
    for (const step of writer.assumed) {
      this.note(step.at, `which promise decides Promise.${step.combination.name} was assumed from the order of the program`, true);
    }
    for (const step of writer.unsure) this.note(step.at, 'what it does in later runs is not known');
    const labels = {};
    writer.texts.forEach((text, label) => {
      if (text !== label) labels[label] = text;
    });
    return {program, entry, labels, madeUp: writer.madeUp, notes: this.notes};
  }

  *topLevel(tree, scope, context) {
    const ended = yield* this.statements(tree.body, scope, context);
    if (ended && ended.type === 'return') return ended.value;
    return UNDEFINED;
  }

  note(node, what, isRemark) {
    const key = `${node.start}:${what}`;
    if (this.noted.has(key)) return;
    this.noted.add(key);
    this.notes.push({from: node.start, to: node.end, line: node.loc.start.line, what, isRemark: Boolean(isRemark)});
  }

  textOf(node) {
    const text = this.source.slice(node.start, node.end).replace(/\s+/g, ' ');
    return text.length > 40 ? text.slice(0, 39) + '…' : text;
  }

  // Unless a part of it has been noted already.
  leftOut(node) {
    const isSaid = this.notes.some((one) => !one.isRemark && node.start <= one.from && one.to <= node.end);
    return isSaid ? unknown('it is not understood') : this.notUnderstood(node, `what '${this.textOf(node)}' calls is not known; it is left out`);
  }

  notUnderstood(node, why) {
    this.note(node, why || `'${this.textOf(node)}' is not understood, and left out`);
    return unknown('it is not understood');
  }

  // --- Steps, and what runs later ---

  add(context, step, node) {
    if (++this.steps > MOST_STEPS) throw new Enough(`it schedules more than ${MOST_STEPS.toLocaleString('en-GB')} things`);
    step.line = node.loc.start.line;
    step.at = node;
    context.body.push(step);
    return step;
  }

  // Runs a generator until it ends; where it awaits, it resumes once that promise is settled.
  drive(generator, context, done, failed, sent) {
    let result = null;
    try {
      result = sent && sent.error ? generator.throw(sent.error) : generator.next(sent && sent.value);
    } catch (thrown) {
      if (!(thrown instanceof Thrown)) throw thrown;
      failed(thrown);
      return;
    }
    if (result.done) {
      done(result.value);
      return;
    }
    const promise = result.value;
    const before = context.turn;
    this.later(1, () => promise.fate, () => {
      context.turn = new Turn(promise.turn ? [before, promise.turn] : [before]);
      const next = promise.fate === 'rejected' ? {error: new Thrown(promise.value, true)} : {value: promise.value};
      this.drive(generator, context, done, failed, next);
    });
  }

  // A smaller rank comes first, as it does in a loop.
  later(rank, isReady, run) {
    this.waiting.push({rank, isReady, run, number: this.waiting.length});
  }

  workOff() {
    for (;;) {
      const ready = this.waiting.filter((one) => one.isReady());
      if (ready.length === 0) return;
      const next = ready.reduce((best, one) => (one.rank < best.rank ? one : best));
      this.waiting.splice(this.waiting.indexOf(next), 1);
      next.run();
    }
  }

  // The callback of a step runs once, with these arguments. `after` is given what it returned or threw.
  callback(step, fn, args, context, node, rank, after, isReady, moreTurns) {
    step.bodies = step.bodies || [];
    if (context.depth >= MOST_DEPTH) {
      this.note(node, `does not end, or not within ${MOST_DEPTH} callbacks, one inside the other: cut here`);
      return;
    }
    this.later(rank, isReady || (() => true), () => {
      const body = [];
      step.bodies.push(body);
      const turn = new Turn([context.turn, ...(moreTurns ? moreTurns() : [])]);
      (step.turns = step.turns || []).push(turn);
      const inside = {body, turn, tries: 0, depth: context.depth + 1, isAsync: false};
      const list = typeof args === 'function' ? args() : args;
      this.drive(this.call(fn, list, node, inside), inside, (value) => {
        if (after) after(value, null, inside);
      }, (thrown) => {
        if (after) after(null, thrown, inside);
        else this.uncaught(thrown, inside, node);
      });
    });
  }

  uncaught(thrown, context, node) {
    if (!thrown.byModel) this.add(context, {op: 'throw'}, node);
  }

  // --- Variables ---

  declare(scope, name, value, context) {
    const binding = scope.declare(name, value);
    binding.turn = context.turn;
    this.bindings.push(binding);
    return binding;
  }

  read(binding, context, node) {
    binding.read(context.turn, node);
    return binding.value;
  }

  write(binding, value, context) {
    binding.write(context.turn);
    binding.value = value;
  }

  // What is in an object or an array, as a variable.
  contentOf(value) {
    if (value.k !== 'object' && value.k !== 'array') return null;
    if (!value.content) {
      value.content = new Binding(value, false);
      this.bindings.push(value.content);
    }
    return value.content;
  }

  // A look at a value, and at what is in it.
  look(value, context, node) {
    const content = this.contentOf(value);
    if (!content) return;
    content.read(context.turn, node);
    if (value.k === 'array') value.items.forEach((item) => this.look(item, context, node));
  }

  change(value, context) {
    const content = this.contentOf(value);
    if (content) content.write(context.turn);
  }

  // What is read in one callback and written in another, neither of which leads to the other.
  findRaces() {
    for (const binding of this.bindings) {
      for (const node of binding.races()) {
        this.note(node, 'its value depends on which callback runs first; one of them was assumed');
      }
    }
  }

  // What waits for the end of something that only the other side ends.
  findUnclosed() {
    for (const {target, node} of this.closings) {
      if (!target.closing) this.note(node, 'nothing here closes it; what is called when it is closed is left out');
    }
  }

  // --- Statements. Each gives undefined, or how it ended: {type, value} ---

  *statements(list, scope, context) {
    for (const node of list) {
      if (node.type === 'FunctionDeclaration') {
        this.declare(scope, node.id.name, {k: 'function', node, scope}, context);
      }
    }
    for (const node of list) {
      const ended = yield* this.statement(node, scope, context);
      if (ended) return ended;
    }
    return undefined;
  }

  *statement(node, scope, context) {
    if (++this.work > MOST_WORK) throw new Enough('it is too long, or repeats itself too often');
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'EmptyStatement':
        return undefined;
      case 'ExpressionStatement':
        yield* this.value(node.expression, scope, context);
        return undefined;
      case 'BlockStatement':
        return yield* this.statements(node.body, new Scope(scope), context);
      case 'VariableDeclaration':
        for (const one of node.declarations) {
          const value = one.init ? yield* this.value(one.init, scope, context) : UNDEFINED;
          if (value.k === 'function' && one.id.type === 'Identifier' && !value.name) value.name = one.id.name;
          this.bind(one.id, value, node.kind === 'var' ? this.functionScope(scope) : scope, context);
        }
        return undefined;
      case 'ReturnStatement':
        return {type: 'return', value: node.argument ? yield* this.value(node.argument, scope, context) : UNDEFINED};
      case 'ThrowStatement':
        throw new Thrown(yield* this.value(node.argument, scope, context), false);
      case 'IfStatement':
        return yield* this.branch(node, scope, context);
      case 'ForStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
        return yield* this.loop(node, scope, context);
      case 'ForOfStatement':
        return yield* this.loopOver(node, scope, context);
      case 'BreakStatement':
      case 'ContinueStatement':
        return {type: node.type === 'BreakStatement' ? 'break' : 'continue'};
      case 'TryStatement':
        return yield* this.tryStatement(node, scope, context);
      case 'ImportDeclaration':
        this.importModule(node, scope, context);
        return undefined;
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration':
        if (node.source) this.notUnderstood(node, `the module '${node.source.value}' is not followed`);
        if (!node.declaration) return undefined;
        if (/Declaration$/.test(node.declaration.type)) {
          return yield* this.statements([node.declaration], scope, context);
        }
        yield* this.value(node.declaration, scope, context);
        return undefined;
      default:
        this.notUnderstood(node, `${node.type.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()}: not understood, and left out`);
        return undefined;
    }
  }

  functionScope(scope) {
    let found = scope;
    while (found.outer && !found.isFunction) found = found.outer;
    return found;
  }

  // Declares what the pattern names, or gives it to what is there: `put` is done with each name.
  bind(pattern, value, scope, context, put) {
    const each = put || ((name) => this.declareAgain(scope, name.name, name.value, context));
    switch (pattern.type) {
      case 'Identifier':
        each({name: pattern.name, value, node: pattern});
        return;
      case 'AssignmentPattern': {
        const isGiven = !(value.k === 'value' && value.v === undefined);
        const otherwise = isGiven ? value : this.now(pattern.right, scope, context);
        this.bind(pattern.left, otherwise, scope, context, put);
        return;
      }
      case 'ObjectPattern':
        for (const one of pattern.properties) {
          if (one.type === 'RestElement') {
            this.bind(one.argument, unknown('the rest'), scope, context, put);
          } else {
            const key = one.computed ? null : one.key.name || String(one.key.value);
            this.bind(one.value, this.member(value, key, one, context), scope, context, put);
          }
        }
        return;
      case 'ArrayPattern':
        pattern.elements.forEach((one, i) => {
          if (!one) return;
          const isRest = one.type === 'RestElement';
          const item = !isRest ? this.member(value, String(i), one, context)
            : value.k === 'array' ? arrayOf(value.items.slice(i)) : unknown('the rest');
          this.bind(isRest ? one.argument : one, item, scope, context, put);
        });
        return;
      case 'RestElement':
        this.bind(pattern.argument, value, scope, context, put);
        return;
      default:
        this.notUnderstood(pattern);
    }
  }

  declareAgain(scope, name, value, context) {
    const old = scope.names.get(name);
    if (old) this.write(old, value, context);
    else this.declare(scope, name, value, context);
  }

  // The value of an expression that awaits nothing.
  now(node, scope, context) {
    const result = this.value(node, scope, context).next();
    return result.done ? result.value : this.notUnderstood(node);
  }

  *branch(node, scope, context) {
    const test = yield* this.value(node.test, scope, context);
    const is = truth(test);
    if (is === null) {
      this.note(node.test, 'which way it goes is not known; both are left out');
      return undefined;
    }
    if (test.assumes) this.note(node.test, `it is assumed that ${test.assumes}`, true);
    if (is) return yield* this.statement(node.consequent, scope, context);
    return node.alternate ? yield* this.statement(node.alternate, scope, context) : undefined;
  }

  *loop(node, scope, context) {
    let inner = new Scope(scope);
    if (node.init) {
      if (node.init.type === 'VariableDeclaration') yield* this.statement(node.init, inner, context);
      else yield* this.value(node.init, inner, context);
    }
    const wait = node.test && (yield* this.clockLoop(node.test, inner, context));
    if (wait !== null && wait !== undefined) {
      this.waitFor(wait, node, context);
      return undefined;
    }
    for (let turns = 0; ; ++turns) {
      if (turns > MOST_TURNS_OF_A_LOOP) {
        this.note(node, `a loop of more than ${MOST_TURNS_OF_A_LOOP} turns is cut`);
        return undefined;
      }
      if (node.test && !(node.type === 'DoWhileStatement' && turns === 0)) {
        const is = truth(yield* this.value(node.test, inner, context));
        if (is === null) this.note(node.test, 'how often it repeats is not known; it is left out');
        if (!is) return undefined;
      }
      const ended = yield* this.statement(node.body, inner, context);
      if (ended && ended.type === 'break') return undefined;
      if (ended && ended.type === 'return') return ended;
      // Each turn has its own variables, which the next one begins with.
      const next = new Scope(scope);
      inner.names.forEach((binding, name) => this.declare(next, name, binding.value, context));
      inner = next;
      if (node.update) yield* this.value(node.update, inner, context);
    }
  }

  waitFor(ms, node, context) {
    const isEmpty = node.body.type === 'EmptyStatement' || (node.body.type === 'BlockStatement' && node.body.body.length === 0);
    if (!isEmpty || node.update) this.note(node, 'what it does while it waits is left out');
    if (!(ms > 0)) return;
    const argument = Math.min(10000, Math.ceil(ms));
    context.turn.waited += argument;
    this.add(context, {op: 'busy', argument}, node);
  }

  // `while (Date.now() - start < 50);`: the milliseconds, or null.
  *clockLoop(test, scope, context) {
    if (test.type !== 'BinaryExpression') return null;
    const text = this.source.slice(test.start, test.end);
    if (!/\bnow\(\)|new Date/.test(text)) return null;
    const left = yield* this.value(test.left, scope, context);
    const right = yield* this.value(test.right, scope, context);
    return waitOf(test.operator, left, right);
  }

  *loopOver(node, scope, context) {
    const list = yield* this.value(node.right, scope, context);
    if (list.k !== 'array' || node.await) {
      this.notUnderstood(node, 'what it loops over is not known; the loop is left out');
      return undefined;
    }
    this.look(list, context, node.right);
    for (let i = 0; i < list.items.length; ++i) {
      if (++this.work > MOST_WORK) throw new Enough('it is too long, or repeats itself too often');
      const inner = new Scope(scope);
      if (node.left.type === 'VariableDeclaration') {
        const own = node.left.kind === 'var' ? this.functionScope(scope) : inner;
        this.bind(node.left.declarations[0].id, list.items[i], own, context);
      } else {
        yield* this.assign(node.left, list.items[i], scope, context);
      }
      const ended = yield* this.statement(node.body, inner, context);
      if (ended && ended.type === 'break') return undefined;
      if (ended && ended.type === 'return') return ended;
    }
    return undefined;
  }

  *tryStatement(node, scope, context) {
    let ended;
    let failure = null;
    try {
      ++context.tries;
      try {
        ended = yield* this.statement(node.block, scope, context);
      } finally {
        --context.tries;
      }
    } catch (thrown) {
      if (!(thrown instanceof Thrown)) throw thrown;
      failure = thrown;
    }
    if (failure && node.handler) {
      const inner = new Scope(scope);
      if (node.handler.param) this.bind(node.handler.param, failure.value, inner, context);
      failure = null;
      try {
        ended = yield* this.statement(node.handler.body, inner, context);
      } catch (thrown) {
        if (!(thrown instanceof Thrown)) throw thrown;
        failure = thrown;
      }
    }
    if (node.finalizer) ended = (yield* this.statement(node.finalizer, scope, context)) || ended;
    if (failure) throw new Thrown(failure.value, false);
    return ended;
  }
}
