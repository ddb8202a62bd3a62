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
        return this.member(target, yield* this.key(node, scope, context), node);
      }
      case 'ChainExpression':
        return yield* this.value(node.expression, scope, context);
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
        return binary(node.operator, left, yield* this.value(node.right, scope, context));
      }
      case 'LogicalExpression': {
        const left = yield* this.value(node.left, scope, context);
        const is = node.operator === '??' ? !(left.k === 'value' && (left.v === null || left.v === undefined)) : truth(left);
        if (is === null) return unknown('its left side is not known');
        const takesRight = node.operator === '&&' ? is : !is;
        return takesRight ? yield* this.value(node.right, scope, context) : left;
      }
      case 'ConditionalExpression': {
        const is = truth(yield* this.value(node.test, scope, context));
        if (is === null) return unknown('its condition is not known');
        return yield* this.value(is ? node.consequent : node.alternate, scope, context);
      }
      case 'SequenceExpression': {
        let last = UNDEFINED;
        for (const one of node.expressions) last = yield* this.value(one, scope, context);
        return last;
      }
      case 'ThisExpression':
        return unknown('this');
      default:
        return this.notUnderstood(node);
    }
  },

  *list(nodes, scope, context) {
    const items = [];
    for (const one of nodes) {
      if (!one) {
        items.push(UNDEFINED);
      } else if (one.type === 'SpreadElement') {
        const value = yield* this.value(one.argument, scope, context);
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
      if (one.type !== 'Property') {
        this.notUnderstood(one);
        continue;
      }
      const key = one.computed ? yield* this.value(one.key, scope, context) : known(one.key.name || one.key.value);
      made.props.set(String(key.v), yield* this.value(one.value, scope, context));
    }
    return made;
  },

  *template(node, scope, context) {
    let text = node.quasis[0].value.cooked;
    for (let i = 0; i < node.expressions.length; ++i) {
      const part = printed(yield* this.value(node.expressions[i], scope, context));
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

  *key(node, scope, context) {
    if (!node.computed) return node.property.name;
    const key = yield* this.value(node.property, scope, context);
    return key.k === 'value' ? String(key.v) : '';
  },

  member(target, name, node) {
    switch (target.k) {
      case 'api': {
        const path = ['globalThis', 'global', 'window'].includes(target.path) ? name : `${target.path}.${name}`;
        return api(path);
      }
      case 'object':
        if (target.isError && name === 'name') return known(target.name);
        return target.props.get(name) || UNDEFINED;
      case 'array':
        if (name === 'length') return known(target.items.length);
        return target.items[name] || UNDEFINED;
      case 'value':
        if (typeof target.v === 'string' && name === 'length') return known(target.v.length);
        if (target.v === null || target.v === undefined) this.notUnderstood(node);
        return unknown('a member of a value');
      default:
        return unknown('a member of something that is not known');
    }
  },

  *assignment(node, scope, context) {
    let value = yield* this.value(node.right, scope, context);
    if (node.operator !== '=') {
      const before = yield* this.value(node.left, scope, context);
      value = binary(node.operator.slice(0, -1), before, value);
    }
    yield* this.assign(node.left, value, scope, context);
    return value;
  },

  *assign(target, value, scope, context) {
    if (target.type === 'Identifier') {
      const binding = scope.find(target.name);
      if (binding) this.write(binding, value, context);
      else this.declare(this.functionScope(scope), target.name, value, context);
    } else if (target.type === 'MemberExpression') {
      const object = yield* this.value(target.object, scope, context);
      const key = yield* this.key(target, scope, context);
      if (object.k === 'object') object.props.set(key, value);
      else if (object.k === 'array') object.items[key] = value;
      else if (isFunction(value)) this.notUnderstood(target);
    } else {
      this.bind(target, value, scope, context);
    }
  },

  *update(node, scope, context) {
    const before = yield* this.value(node.argument, scope, context);
    const after = binary(node.operator === '++' ? '+' : '-', before, known(1));
    yield* this.assign(node.argument, after, scope, context);
    return node.prefix ? after : before;
  },

  unary(node, value) {
    if (node.operator === 'void') return UNDEFINED;
    if (node.operator === '!') {
      const is = truth(value);
      return is === null ? unknown('its operand is not known') : known(!is);
    }
    if (node.operator === 'typeof') {
      if (value.k === 'unknown') return value;
      return known(value.k === 'value' ? typeof value.v : isFunction(value) ? 'function' : 'object');
    }
    if (value.k !== 'value') return unknown('its operand is not known');
    if (node.operator === '-') return known(-value.v);
    if (node.operator === '+') return known(Number(value.v));
    if (node.operator === '~') return known(~value.v);
    return this.notUnderstood(node);
  },

  // --- Calls ---

  *callExpression(node, scope, context) {
    const {callee} = node;
    if (callee.type === 'MemberExpression') {
      const target = yield* this.value(callee.object, scope, context);
      const name = yield* this.key(callee, scope, context);
      const args = yield* this.list(node.arguments, scope, context);
      return yield* this.method(target, name, args, node, context);
    }
    const fn = yield* this.value(callee, scope, context);
    return yield* this.call(fn, yield* this.list(node.arguments, scope, context), node, context);
  },

  *call(fn, args, node, context) {
    if (fn.k === 'native') return yield* fn.call(args, node, context);
    if (fn.k === 'api') return yield* this.platform(fn.path, args, node, context);
    if (fn.k !== 'function') return this.notUnderstood(node, `what '${this.textOf(node)}' calls is not known; it is left out`);
    if (fn.node.generator) return this.notUnderstood(node, 'generators are not understood');
    if (fn.node.async) return this.callAsync(fn, args, node, context);
    return yield* this.inside(fn, args, context);
  },

  *inside(fn, args, context) {
    const scope = new Scope(fn.scope);
    scope.isFunction = true;
    fn.node.params.forEach((pattern, i) => {
      const value = pattern.type === 'RestElement' ? arrayOf(args.slice(i)) : args[i] || UNDEFINED;
      this.bind(pattern, value, scope, context);
    });
    if (fn.node.body.type !== 'BlockStatement') return yield* this.value(fn.node.body, scope, context);
    const ended = yield* this.statements(fn.node.body.body, scope, context);
    return ended && ended.type === 'return' ? ended.value : UNDEFINED;
  },

  // Its body runs now, up to the first `await`.
  callAsync(fn, args, node, context) {
    const step = this.add(context, {op: 'async', bodies: [[]], fn: fn.name || (fn.node.id && fn.node.id.name)}, node);
    const promise = new PromiseValue(step);
    const inside = {body: step.bodies[0], turn: context.turn, tries: 0, depth: context.depth, isAsync: true};
    this.drive(this.inside(fn, args, inside), inside, (value) => {
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
    if (made.k === 'api' && made.path === 'Date') return {k: 'time', ms: 0};
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
        if (value) this.refuseThenable(value, node);
        if (thrown) {
          this.uncaught(thrown, inside, node);
          derived.settle('rejected', thrown.value, inside.turn);
        } else if (op === 'finally' && value.k !== 'promise') {
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
        return yield* this.platform(this.member(target, name, node).path, args, node, context);
      case 'value': {
        const result = computed(target, name, args);
        return result || this.notUnderstood(node);
      }
      case 'object': {
        const found = target.props.get(name);
        return found ? yield* this.call(found, args, node, context) : this.notUnderstood(node);
      }
      case 'function':
      case 'native':
        if (name === 'call') return yield* this.call(target, args.slice(1), node, context);
        if (name === 'bind') return this.bound(target, args.slice(1));
        return this.notUnderstood(node);
      default:
        if (args.some(isFunction)) return this.notUnderstood(node);
        return unknown('what is not known gives it');
    }
  },

  bound(fn, first) {
    const translator = this;
    return native('bound', function* (args, node, context) {
      return yield* translator.call(fn, [...first, ...args], node, context);
    });
  },

  *ofArray(target, name, args, node, context) {
    if (name === 'push') {
      target.items.push(...args);
      return known(target.items.length);
    }
    if (name === 'join') {
      const parts = target.items.map((item) => printed(item));
      return parts.includes(null) ? unknown('an item is not known') : known(parts.join(args[0] ? args[0].v : ','));
    }
    if (['forEach', 'map'].includes(name) && args[0]) {
      const made = [];
      for (let i = 0; i < target.items.length; ++i) {
        made.push(yield* this.call(args[0], [target.items[i], known(i), target], node, context));
      }
      return name === 'map' ? arrayOf(made) : UNDEFINED;
    }
    return this.notUnderstood(node);
  },
});
