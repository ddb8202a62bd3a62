// Expressions, and the functions of the platform that schedule something.

const GLOBALS = ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate',
  'queueMicrotask', 'process', 'console', 'Promise', 'require', 'Date', 'performance', 'Math', 'Error', 'TypeError',
  'RangeError', 'Array', 'String', 'Number', 'Boolean', 'JSON', 'Object', 'globalThis', 'global', 'window', 'log'];
const PRINTING = ['log', 'info', 'debug', 'error', 'warn'];
const ONE_TRIP = ['stat', 'lstat', 'access', 'open', 'unlink', 'mkdir', 'rmdir', 'rename', 'readdir', 'chmod', 'utimes',
  'realpath', 'readlink', 'exists', 'close', 'fsync', 'ftruncate', 'symlink', 'link', 'mkdtemp', 'fstat'];
const PROCESS_EVENTS = {
  exit: 'exit', beforeExit: 'beforeExit', uncaughtException: 'uncaught', unhandledRejection: 'unhandled',
  rejectionHandled: 'handled', uncaughtExceptionMonitor: 'monitor',
};
// As a loop comes to them.
const RANK = {tick: 0, microtask: 1, timeout: 3, immediate: 4, file: 5, event: 6, interval: 7};

Object.assign(Translator.prototype, {
  *value(node, scope, context) {
    if (++this.work > MOST_WORK) throw new Enough('it is too long, or repeats itself too often');
    switch (node.type) {
      case 'Literal':
        return node.regex ? unknown('a regular expression') : known(node.value);
      case 'TemplateLiteral':
        return yield* this.template(node, scope, context);
      case 'Identifier':
        return this.identifier(node, scope, context);
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return {k: 'function', node, scope, name: node.id ? node.id.name : ''};
      case 'ArrayExpression':
        return arrayOf(yield* this.list(node.elements, scope, context));
      case 'ObjectExpression':
        return yield* this.object(node, scope, context);
      case 'MemberExpression': {
        const target = yield* this.value(node.object, scope, context);
        if (node.optional && isNothing(target)) throw new Nothing();
        return this.member(target, yield* this.key(node, scope, context), node, context);
      }
      case 'ChainExpression':
        try {
          return yield* this.value(node.expression, scope, context);
        } catch (thrown) {
          if (thrown instanceof Nothing) return UNDEFINED;
          throw thrown;
        }
      case 'CallExpression':
        return yield* this.callExpression(node, scope, context);
      case 'NewExpression':
        return yield* this.newExpression(node, scope, context);
      case 'AwaitExpression':
        return yield* this.awaited(node, yield* this.value(node.argument, scope, context), context);
      case 'AssignmentExpression':
        return yield* this.assignment(node, scope, context);
      case 'UpdateExpression':
        return yield* this.update(node, scope, context);
      case 'UnaryExpression':
        return this.unary(node, yield* this.value(node.argument, scope, context));
      case 'BinaryExpression': {
        const left = yield* this.value(node.left, scope, context);
        const right = yield* this.value(node.right, scope, context);
        [left, right].forEach((one) => this.look(one, context, node));
        return binary(node.operator, left, right);
      }
      case 'LogicalExpression': {
        const left = yield* this.value(node.left, scope, context);
        const takes = this.takesRight(node.operator, left, node.left);
        if (takes === null) return unknown('its left side is not known');
        return takes ? yield* this.value(node.right, scope, context) : left;
      }
      case 'ConditionalExpression': {
        const is = truth(yield* this.value(node.test, scope, context));
        if (is === null) return this.notUnderstood(node.test, 'which way it goes is not known; both are left out');
        return yield* this.value(is ? node.consequent : node.alternate, scope, context);
      }
      case 'SequenceExpression': {
        let last = UNDEFINED;
        for (const one of node.expressions) last = yield* this.value(one, scope, context);
        return last;
      }
      case 'ThisExpression': {
        let found = scope;
        while (found && !found.self) found = found.outer;
        return found ? found.self : this.notUnderstood(node, "what 'this' is is not known here");
      }
      default:
        return this.notUnderstood(node);
    }
  },

  // Whether `&&`, `||` and `??` come to their right side, or null.
  takesRight(operator, left, node) {
    if (operator === '??') return left.k === 'unknown' ? this.goesEitherWay(node) : isNothing(left);
    const is = truth(left);
    if (is === null) return this.goesEitherWay(node);
    return operator === '&&' ? is : !is;
  },

  goesEitherWay(node) {
    this.note(node, 'which way it goes is not known; what comes behind it is left out');
    return null;
  },

  *list(nodes, scope, context) {
    const items = [];
    for (const one of nodes) {
      if (!one) {
        items.push(UNDEFINED);
      } else if (one.type === 'SpreadElement') {
        const value = yield* this.value(one.argument, scope, context);
        this.look(value, context, one);
        if (value.k === 'array') items.push(...value.items);
        else this.notUnderstood(one);
      } else {
        items.push(yield* this.value(one, scope, context));
      }
    }
    return items;
  },

  *object(node, scope, context) {
    const made = objectOf();
    for (const one of node.properties) {
      if (one.type !== 'Property' || one.kind !== 'init') {
        this.notUnderstood(one);
        continue;
      }
      const key = one.computed ? yield* this.value(one.key, scope, context) : known(one.key.name || one.key.value);
      const value = yield* this.value(one.value, scope, context);
      if (value.k === 'function' && !value.name) value.name = String(key.v);
      if (key.k === 'value') made.props.set(String(key.v), value);
      else this.notUnderstood(one);
    }
    return made;
  },

  *template(node, scope, context) {
    let text = node.quasis[0].value.cooked;
    for (let i = 0; i < node.expressions.length; ++i) {
      const value = yield* this.value(node.expressions[i], scope, context);
      this.look(value, context, node.expressions[i]);
      const part = textOf(value);
      if (part === null) return unknown('a part of it is not known');
      text += part + node.quasis[i + 1].value.cooked;
    }
    return known(text);
  },

  identifier(node, scope, context) {
    const binding = scope.find(node.name);
    if (binding) return this.read(binding, context, node);
    if (node.name === 'undefined') return UNDEFINED;
    if (node.name === '__filename' || node.name === '__dirname') return known(node.name);
    if (node.name === 'NaN') return known(NaN);
    if (node.name === 'Infinity') return known(Infinity);
    if (GLOBALS.includes(node.name)) return api(node.name);
    return this.notUnderstood(node, `'${node.name}' is not known here`);
  },

  // null where it is not known.
  *key(node, scope, context) {
    if (!node.computed) return node.property.name;
    const key = yield* this.value(node.property, scope, context);
    return key.k === 'value' ? String(key.v) : null;
  },

  member(target, name, node, context) {
    if (name === null && target.k !== 'unknown') return unknown('which member is not known');
    switch (target.k) {
      case 'api': {
        const path = ['globalThis', 'global', 'window'].includes(target.path) ? name : `${target.path}.${name}`;
        return api(path);
      }
      case 'object':
        this.contentOf(target).read(context.turn, node);
        if (target.isError && name === 'name') return known(target.name);
        if (target.isError && name === 'stack') return unknown('a stack');
        return target.props.get(name) || UNDEFINED;
      case 'array':
        this.contentOf(target).read(context.turn, node);
        if (name === 'length') return known(target.items.length);
        return /^\d+$/.test(name) ? target.items[name] || UNDEFINED : unknown('a member of an array');
      case 'value':
        if (typeof target.v === 'string' && name === 'length') return known(target.v.length);
        if (isNothing(target)) this.notUnderstood(node);
        return unknown('a member of a value');
      default:
        return unknown('a member of something that is not known', target.isData);
    }
  },

  // What stands on the left of `=`: its object and its key are read once.
  *place(target, scope, context) {
    if (target.type === 'Identifier') {
      return {
        get: () => this.identifier(target, scope, context),
        set: (value) => this.assignName(target, value, scope, context),
      };
    }
    const object = yield* this.value(target.object, scope, context);
    const key = yield* this.key(target, scope, context);
    return {
      get: () => this.member(object, key, target, context),
      set: (value) => this.assignMember(object, key, value, target, context),
    };
  },

  assignName(target, value, scope, context) {
    const binding = scope.find(target.name);
    let outermost = scope;
    while (outermost.outer) outermost = outermost.outer;
    if (binding) this.write(binding, value, context);
    else this.declare(outermost, target.name, value, context);
  },

  assignMember(object, key, value, target, context) {
    this.change(object, context);
    const isIndex = object.k === 'array' && key !== null && /^\d+$/.test(key) && Number(key) < MOST_ITEMS;
    if (object.k === 'object' && key !== null) {
      object.props.set(key, value);
    } else if (isIndex) {
      while (object.items.length < Number(key)) object.items.push(UNDEFINED);
      object.items[key] = value;
    } else if (object.k === 'array' && key === 'length' && value.k === 'value' && value.v <= object.items.length) {
      object.items.length = Math.max(0, Math.trunc(value.v)) || 0;
    } else {
      this.notUnderstood(target, `'${this.textOf(target)}' is set, which is left out`);
    }
  },

  *assignment(node, scope, context) {
    const operator = node.operator.slice(0, -1);
    if (operator === '' && /Pattern$/.test(node.left.type)) {
      const value = yield* this.value(node.right, scope, context);
      yield* this.assign(node.left, value, scope, context);
      return value;
    }
    const place = yield* this.place(node.left, scope, context);
    if (operator === '') {
      const value = yield* this.value(node.right, scope, context);
      place.set(value);
      return value;
    }
    const before = place.get();
    const isLogical = ['&&', '||', '??'].includes(operator);
    if (isLogical) {
      const takes = this.takesRight(operator, before, node.left);
      if (!takes) return takes === null ? unknown('its left side is not known') : before;
    }
    const right = yield* this.value(node.right, scope, context);
    const value = isLogical ? right : binary(operator, before, right);
    place.set(value);
    return value;
  },

  *assign(target, value, scope, context) {
    if (/Pattern$/.test(target.type)) {
      this.bind(target, value, scope, context, (one) => this.assignName(one.node, one.value, scope, context));
    } else {
      (yield* this.place(target, scope, context)).set(value);
    }
  },

  *update(node, scope, context) {
    const place = yield* this.place(node.argument, scope, context);
    const before = place.get();
    const after = binary(node.operator === '++' ? '+' : '-', before, known(1));
    place.set(after);
    return node.prefix ? after : before;
  },

  unary(node, value) {
    if (node.operator === 'void') return UNDEFINED;
    if (node.operator === '!') {
      const is = truth(value);
      return is === null ? unknown('its operand is not known') : known(!is);
    }
    if (node.operator === 'delete') return this.notUnderstood(node);
    if (node.operator === 'typeof') {
      const ofApi = value.k === 'api' ? typeOfApi(value.path) : '';
      if (ofApi) return ofApi === 'undefined' ? unknown('it may not be there') : known(ofApi);
      if (['unknown', 'time', 'elapsed'].includes(value.k)) return unknown('its operand is not known');
      return known(value.k === 'value' ? typeof value.v : isFunction(value) ? 'function' : 'object');
    }
    if (value.k !== 'value') return unknown('its operand is not known');
    if (node.operator === '-') return known(-value.v);
    if (node.operator === '+' && typeof value.v !== 'bigint') return known(Number(value.v));
    if (node.operator === '~') return known(~value.v);
    return this.notUnderstood(node);
  },

  // --- Calls ---

  *callExpression(node, scope, context) {
    const {callee} = node;
    if (callee.type === 'MemberExpression') {
      const target = yield* this.value(callee.object, scope, context);
      if (callee.optional && isNothing(target)) throw new Nothing();
      const name = yield* this.key(callee, scope, context);
      if (node.optional && target.k === 'object' && isNothing(target.props.get(name) || UNDEFINED)) throw new Nothing();
      const args = yield* this.list(node.arguments, scope, context);
      return yield* this.method(target, name, args, node, context);
    }
    const fn = yield* this.value(callee, scope, context);
    if (node.optional && isNothing(fn)) throw new Nothing();
    return yield* this.call(fn, yield* this.list(node.arguments, scope, context), node, context);
  },

  // `self`: what `this` is inside of it.
  *call(fn, args, node, context, self) {
    if (fn.k === 'native') return yield* fn.call(args, node, context);
    if (fn.k === 'api') return yield* this.platform(fn.path, args, node, context);
    if (fn.k !== 'function') return this.leftOut(node);
    if (fn.node.generator) return this.notUnderstood(node, 'generators are not understood');
    if (fn.node.async) return this.callAsync(fn, args, node, context, self);
    return yield* this.inside(fn, args, context, self);
  },

  *inside(fn, args, context, self) {
    const scope = new Scope(fn.scope);
    scope.isFunction = true;
    if (fn.node.type !== 'ArrowFunctionExpression') scope.self = self || unknown('this');
    fn.node.params.forEach((pattern, i) => {
      const value = pattern.type === 'RestElement' ? arrayOf(args.slice(i)) : args[i] || UNDEFINED;
      this.bind(pattern, value, scope, context);
    });
    if (fn.node.body.type !== 'BlockStatement') return yield* this.value(fn.node.body, scope, context);
    const ended = yield* this.statements(fn.node.body.body, scope, context);
    return ended && ended.type === 'return' ? ended.value : UNDEFINED;
  },

  // Its body runs now, up to the first `await`.
  callAsync(fn, args, node, context, self) {
    const step = this.add(context, {op: 'async', bodies: [[]], fn: fn.name || (fn.node.id && fn.node.id.name)}, node);
    const promise = new PromiseValue(step);
    const inside = {body: step.bodies[0], turn: context.turn, tries: 0, depth: context.depth, isAsync: true};
    this.drive(this.inside(fn, args, inside, self), inside, (value) => {
      this.returned(promise, value, inside, node);
    }, (thrown) => {
      if (!thrown.byModel) this.add(inside, {op: 'throw'}, node);
      promise.settle('rejected', thrown.value, inside.turn);
    });
    return promise;
  },

  // What a reaction or an async function gives: a promise is followed.
  returned(promise, value, inside, node) {
    this.refuseThenable(value, node);
    if (value.k !== 'promise') {
      promise.settle('fulfilled', value, inside.turn);
      return;
    }
    this.add(inside, {op: 'return', of: value.node}, node);
    this.follow(promise, value);
  },

  refuseThenable(value, node) {
    if (value.k === 'object' && value.props.has('then')) this.notUnderstood(node, 'an object with a then method is not understood');
  },

  follow(promise, other) {
    this.later(1, () => other.fate, () => promise.settle(other.fate, other.value, other.turn));
  },

  *awaited(node, value, context) {
    this.refuseThenable(value, node);
    const isPromise = value.k === 'promise';
    const step = this.add(context, {op: 'pause', isPlain: !isPromise, caught: false}, node);
    if (isPromise && value.node) step.of = value.node;
    if (!isPromise) {
      const resolved = new PromiseValue(null);
      resolved.settle('fulfilled', value, context.turn);
      return yield resolved;
    }
    try {
      return yield value;
    } catch (thrown) {
      if (context.tries > 0) step.caught = true;
      throw thrown;
    }
  },

  *newExpression(node, scope, context) {
    const made = yield* this.value(node.callee, scope, context);
    const args = yield* this.list(node.arguments, scope, context);
    if (made.k === 'api' && made.path === 'Promise') return yield* this.newPromise(args[0], node, context);
    if (made.k === 'api' && /Error$/.test(made.path)) {
      return {k: 'object', isError: true, name: made.path, props: new Map([['message', args[0] || known('')]])};
    }
    if (made.k === 'api' && made.path === 'Date' && args.length === 0) return this.clock(context);
    return this.notUnderstood(node);
  },

  *newPromise(executor, node, context) {
    const step = this.add(context, {op: 'promise'}, node);
    const promise = new PromiseValue(step);
    if (!executor || !isFunction(executor)) return this.notUnderstood(node);
    const {resolve, reject} = this.resolvers(promise);
    try {
      yield* this.call(executor, [resolve, reject], node, context);
    } catch (thrown) {
      if (!(thrown instanceof Thrown)) throw thrown;
      yield* reject.call([thrown.value], node, context);
    }
    return promise;
  },

  resolvers(promise) {
    const translator = this;
    const settle = (how) => native(how, function* (args, node, context) {
      const value = args[0] || UNDEFINED;
      translator.refuseThenable(value, node);
      if (promise.isResolved) {
        if (promise.resolvedIn !== context.turn && !promise.resolvedIn.isBefore(context.turn)) {
          translator.note(node, 'which of several calls settles the promise depends on the order; the first was assumed');
        }
      }
      const other = how === 'resolve' && value.k === 'promise' ? value : null;
      translator.add(context, {op: how, of: promise.node, ...(other ? {with: other.node} : {})}, node);
      if (promise.isResolved) return UNDEFINED;
      promise.isResolved = true;
      promise.resolvedIn = context.turn;
      if (other) translator.follow(promise, other);
      else promise.settle(how === 'resolve' ? 'fulfilled' : 'rejected', value, context.turn);
      return UNDEFINED;
    });
    return {resolve: settle('resolve'), reject: settle('reject')};
  },

  resolvedPromise(value, node, context) {
    this.refuseThenable(value, node);
    const promise = new PromiseValue(this.add(context, {op: 'resolved'}, node));
    promise.settle('fulfilled', value, context.turn);
    return promise;
  },

  // then, catch and finally.
  react(promise, op, onFulfilled, onRejected, node, context) {
    const step = this.add(context, {op, of: promise.node, bodies: []}, node);
    const derived = new PromiseValue(step);
    if (op === 'then' && !onFulfilled && onRejected) step.op = 'catch';
    this.later(1, () => promise.fate, () => {
      const handler = promise.fate === 'fulfilled' ? onFulfilled : onRejected;
      if (!handler) {
        derived.settle(promise.fate, promise.value, promise.turn);
        return;
      }
      if (op === 'then') step.op = promise.fate === 'fulfilled' ? 'then' : 'catch';
      const after = (value, thrown, inside) => {
        if (thrown) {
          this.uncaught(thrown, inside, node);
          derived.settle('rejected', thrown.value, inside.turn);
        } else if (op === 'finally' && value.k === 'promise') {
          this.add(inside, {op: 'return', of: value.node}, node);
          this.later(1, () => value.fate, () => {
            const one = value.fate === 'rejected' ? value : promise;
            derived.settle(one.fate, one.value, value.turn);
          });
        } else if (op === 'finally') {
          this.refuseThenable(value, node);
          derived.settle(promise.fate, promise.value, inside.turn);
        } else {
          this.returned(derived, value, inside, node);
        }
      };
      const args = op === 'finally' ? [] : [promise.value];
      this.callback(step, handler, args, context, node, 1, after, null, () => (promise.turn ? [promise.turn] : []));
    });
    return derived;
  },

  *method(target, name, args, node, context) {
    const fn = (i) => (args[i] && isFunction(args[i]) ? args[i] : null);
    switch (target.k) {
      case 'promise':
        if (name === 'then') return this.react(target, 'then', fn(0), fn(1), node, context);
        if (name === 'catch') return this.react(target, 'catch', null, fn(0), node, context);
        if (name === 'finally') return this.react(target, 'finally', fn(0), fn(0), node, context);
        return this.notUnderstood(node);
      case 'handle':
        return this.ofHandle(target, name, node, context);
      case 'server':
      case 'socket':
        return this.ofSocket(target, name, args, node, context);
      case 'array':
        return yield* this.ofArray(target, name, args, node, context);
      case 'api':
        if (['bind', 'call', 'apply'].includes(name)) return yield* this.ofFunction(target, name, args, node, context);
        if (name === null) return this.notUnderstood(node);
        return yield* this.platform(this.member(target, name, node, context).path, args, node, context);
      case 'value': {
        const result = computed(target, name, args);
        return result || this.notUnderstood(node);
      }
      case 'object': {
        this.contentOf(target).read(context.turn, node);
        const found = target.props.get(name);
        return found ? yield* this.call(found, args, node, context, target) : this.notUnderstood(node);
      }
      case 'function':
      case 'native':
        return yield* this.ofFunction(target, name, args, node, context);
      default:
        if (target.isData && PURE_OF_DATA.includes(name) && !args.some(isFunction)) {
          return unknown('what is not known gives it', true);
        }
        return this.leftOut(node);
    }
  },

  *ofFunction(fn, name, args, node, context) {
    if (name === 'call') return yield* this.call(fn, args.slice(1), node, context, args[0]);
    if (name === 'apply' && (!args[1] || args[1].k === 'array')) {
      return yield* this.call(fn, args[1] ? args[1].items : [], node, context, args[0]);
    }
    return name === 'bind' ? this.bound(fn, args.slice(1), args[0]) : this.notUnderstood(node);
  },

  bound(fn, first, self) {
    const translator = this;
    return native('bound', function* (args, node, context) {
      return yield* translator.call(fn, [...first, ...args], node, context, self);
    });
  },

  *ofArray(target, name, args, node, context) {
    const {items} = target;
    const first = args[0] || UNDEFINED;
    const isPlain = args.every((one) => one.k === 'value');
    const isAdding = ['push', 'unshift'].includes(name);
    if (!isAdding) this.look(target, context, node);
    if (isAdding && items.length + args.length <= MOST_ITEMS) {
      this.change(target, context);
      items[name](...args);
      return known(items.length);
    }
    if (['pop', 'shift', 'reverse'].includes(name)) {
      this.change(target, context);
      return name === 'reverse' ? (items.reverse(), target) : items[name]() || UNDEFINED;
    }
    if (name === 'slice' && isPlain) return arrayOf(items.slice(...args.map((one) => one.v)));
    if (name === 'concat' && args.every((one) => one.k !== 'unknown')) return arrayOf(items.concat(...args.map((one) => (one.k === 'array' ? one.items : [one]))));
    if (name === 'join') {
      const parts = items.map((item) => (isNothing(item) ? '' : textOf(item)));
      const by = args.length === 0 ? ',' : textOf(first);
      return parts.includes(null) || by === null ? unknown('an item is not known') : known(parts.join(by));
    }
    if (['forEach', 'map'].includes(name) && args[0]) {
      const made = [];
      for (let i = 0; i < items.length; ++i) {
        made.push(yield* this.call(args[0], [items[i], known(i), target], node, context, args[1]));
      }
      return name === 'map' ? arrayOf(made) : UNDEFINED;
    }
    return this.notUnderstood(node);
  },
});
