// What Node and pages offer: which function is which step.

const SILENT_OF_CONSOLE = ['time', 'clear', 'groupEnd', 'countReset'];
const HARMLESS = ['process.cwd', 'process.uptime', 'process.memoryUsage', 'process.cpuUsage', 'process.hrtime',
  'JSON.parse', 'JSON.stringify', 'Object.keys', 'Object.values', 'Object.entries', 'Object.freeze', 'Array.isArray',
  'Array.from', 'Array.of', 'Math.random', 'Number.isInteger', 'Number.isNaN', 'Number.parseInt', 'Number.parseFloat'];

Object.assign(Translator.prototype, {
  *platform(path, args, node, context) {
    const fn = args[0] && isFunction(args[0]) ? args[0] : null;
    const last = args.length > 0 && isFunction(args[args.length - 1]) ? args[args.length - 1] : null;
    const dot = path.lastIndexOf('.');
    const [module, name] = [path.slice(0, Math.max(0, dot)), path.slice(dot + 1)];
    if (module === 'console' && PRINTING.includes(name)) return this.print(args, node, context);
    if (module === 'console' && SILENT_OF_CONSOLE.includes(name)) return UNDEFINED;
    switch (path) {
      case 'log':
        return this.print(args, node, context);
      case 'process.stdout.write':
        if (args.length > 1) this.notUnderstood(args[1].node || node, 'only what it prints is followed');
        return this.print(args.slice(0, 1), node, context);
      case 'require':
        if (this.entry === 'esm') return this.notUnderstood(node, "a module has no 'require'");
        return this.moduleOf(args[0] && args[0].v, node);
      case 'setTimeout':
      case 'timers.setTimeout':
      case 'setInterval':
      case 'timers.setInterval':
        return this.timer(name === 'setInterval' ? 'interval' : 'timeout', args, node, context);
      case 'setImmediate':
      case 'timers.setImmediate':
        return this.scheduled('immediate', fn, args.slice(1), node, context);
      case 'process.nextTick':
        this.scheduled('tick', fn, args.slice(1), node, context);
        return UNDEFINED;
      case 'queueMicrotask':
        this.scheduled('microtask', fn, [], node, context);
        return UNDEFINED;
      case 'clearTimeout':
      case 'clearInterval':
      case 'clearImmediate':
        return this.clear(name.slice(5).toLowerCase(), args[0] || UNDEFINED, node, context);
      case 'timers/promises.setTimeout':
        this.refuseOptions(args[2], node);
        return this.promiseOf('timeout', this.delayOf(args[0], node), args[1], node, context);
      case 'timers/promises.setImmediate':
        this.refuseOptions(args[1], node);
        return this.promiseOf('immediate', null, args[0], node, context);
      case 'Date.now':
      case 'performance.now':
        return this.clock(context);
      case 'process.exit':
        this.add(context, {op: 'exit', argument: args[0] && args[0].k === 'value' ? Number(args[0].v) || '' : ''}, node);
        throw new Thrown(UNDEFINED, true);
      case 'process.on':
      case 'process.once':
        return this.onProcess(args, name === 'once', node, context);
      case 'util.promisify':
        return this.promisified(args[0], node);
      case 'crypto.randomBytes':
      case 'crypto.pbkdf2':
        if (last && name === 'randomBytes') return this.file('random', last, node, context);
        return this.notUnderstood(node);
      case 'net.createServer':
        return {k: 'server', onConnection: last ? [last] : [], onListening: [], accepts: [], step: null};
      case 'net.connect':
      case 'net.createConnection':
        return this.connect(last, args[0], node, context);
      case 'String':
      case 'Number':
      case 'Boolean':
        return args[0] && args[0].k === 'value' ? known({String, Number, Boolean}[path](args[0].v)) : unknown(path);
      case 'Error':
      case 'TypeError':
      case 'RangeError':
        return {k: 'object', isError: true, name: path, props: new Map([['message', args[0] || known('')]])};
      default:
        break;
    }
    if (module === 'Promise') return this.ofPromise(name, args, node, context);
    if (module === 'fs') return this.ofFs(name, args, last, node, context);
    if (module === 'fs/promises' || module === 'fs.promises') return this.ofFsPromises(name, node, context);
    if (module === 'Math' && args.every((arg) => arg.k === 'value') && name !== 'random' && typeof Math[name] === 'function') {
      return known(Math[name](...args.map((arg) => arg.v)));
    }
    if (HARMLESS.includes(path) && !args.some(isFunction)) return unknown(`${path}() is not followed`, true);
    return this.notUnderstood(node, `${path} has no step, and is left out`);
  },

  clock(context) {
    return {k: 'time', ms: context.turn.waited, turn: context.turn};
  },

  refuseOptions(options, node) {
    if (options && !isNothing(options)) this.notUnderstood(node, 'its options are left out');
  },

  // A line is a label.
  print(args, node, context) {
    args.forEach((arg) => this.look(arg, context, node));
    const parts = args.map((arg) => printed(arg));
    const isFormat = args.length > 1 && args[0].k === 'value' && /%[sdifjoOc%]/.test(args[0].v);
    if (parts.includes(null) || isFormat) {
      const step = this.add(context, {op: 'log', text: null}, node);
      this.note(node, `what it prints is not known; it is called line-${step.line}`);
      return UNDEFINED;
    }
    if (args.some((arg) => arg.isError)) this.note(node, 'of an error, its stack is printed too', true);
    for (const text of parts.join(' ').replace(/\n$/, '').split('\n')) this.add(context, {op: 'log', text}, node);
    return UNDEFINED;
  },

  moduleOf(name, node) {
    const plain = String(name).replace(/^node:/, '');
    const modules = ['fs', 'fs/promises', 'net', 'util', 'timers', 'timers/promises', 'process', 'crypto', 'perf_hooks'];
    if (!modules.includes(plain)) return this.notUnderstood(node, `the module '${plain}' is not understood`);
    if (plain === 'perf_hooks') return objectOf({performance: api('performance')});
    return api(plain);
  },

  importModule(node, scope, context) {
    const found = this.moduleOf(node.source.value, node);
    for (const one of node.specifiers) {
      const isWhole = one.type !== 'ImportSpecifier';
      const name = isWhole || one.imported.name || String(one.imported.value);
      this.bind(one.local, isWhole ? found : this.member(found, name, one, context), scope, context);
    }
  },

  delayOf(value, node) {
    if (!value || (value.k === 'value' && value.v === undefined)) return 'none';
    if (value.k === 'value' && value.v !== null && !Number.isNaN(Number(value.v))) return String(Number(value.v));
    if (value.k === 'value') return value.v === null ? '0' : 'NaN';
    this.note(node, 'how long it waits is not known; 1 ms was assumed');
    return '1';
  },

  scheduled(op, fn, args, node, context, more) {
    if (!fn) return this.notUnderstood(node, `the callback of '${this.textOf(node)}' is not known; it is left out`);
    const step = this.add(context, {op, ...more}, node);
    const handle = {k: 'handle', step, isCleared: false, madeIn: context.turn};
    const rank = RANK[op] + this.rankOfDelay(step);
    this.callback(step, fn, args, context, node, rank, null, () => !handle.isCleared);
    // A timer that is refreshed may run once more.
    let times = 1;
    handle.again = (from) => {
      step.isRepeated = true;
      if (++times <= MOST_RUNS_OF_A_LISTENER) this.callback(step, fn, args, from, node, rank, null);
    };
    return handle;
  },

  // Earlier timers first; all before immediates.
  rankOfDelay(step) {
    return step.op === 'timeout' ? Math.min(0.9, (Number(step.argument) || 1) / 1e6) : 0;
  },

  timer(op, args, node, context) {
    const fn = args[0] && isFunction(args[0]) ? args[0] : null;
    const delay = this.delayOf(args[1], node);
    if (op === 'timeout') return this.scheduled(op, fn, args.slice(2), node, context, {argument: delay});
    if (!fn) return this.notUnderstood(node);
    const step = this.add(context, {op, argument: delay}, node);
    const handle = {k: 'handle', step, isCleared: false, madeIn: context.turn};
    step.isRepeated = true;
    this.nextRun(step, handle, fn, args.slice(2), node, context, 1, RANK.interval);
    return handle;
  },

  // What comes again and again is found out run by run, until it ends itself or does the same as before.
  nextRun(step, handle, fn, args, node, context, run, rank) {
    const isThere = () => !handle.isCleared;
    this.callback(step, fn, args, context, node, rank, (value, thrown, inside) => {
      if (thrown) this.uncaught(thrown, inside, node);
      if (handle.isCleared) {
        step.isEnded = true;
      } else if (run < (step.op === 'interval' ? MOST_RUNS : MOST_RUNS_OF_A_LISTENER)) {
        this.nextRun(step, handle, fn, args, node, {...context, turn: inside.turn}, run + 1, rank);
      } else if (step.op === 'interval' && !handle.isClearedElsewhere) {
        this.note(node, `it does not end within ${MOST_RUNS} runs, and nothing else ends it`);
      }
    }, isThere);
  },

  clear(kind, value, node, context) {
    if (value.k !== 'handle') {
      if (value.k === 'unknown') this.notUnderstood(node, 'what it clears is not known; it is left out');
      return UNDEFINED;
    }
    const own = value.step.op;
    const isOther = own === 'immediate' ? kind !== 'immediate' : kind === 'immediate' || (kind === 'interval' && own === 'timeout');
    this.add(context, {op: 'clear', of: value.step, kind: isOther ? kind : ''}, node);
    // Another callback may clear it too late, so that what it would do stays in the program.
    const isOwn = own === 'interval' && (value.step.turns || []).some((turn) => turn.isBefore(context.turn));
    const isSure = isOwn || context.turn === value.madeIn;
    value.isClearedElsewhere = !isOther && !isSure;
    if (!isOther && isSure) value.isCleared = true;
    return UNDEFINED;
  },

  ofHandle(handle, name, node, context) {
    if (name === 'refresh' && handle.again) handle.again(context);
    if (['ref', 'unref', 'refresh'].includes(name)) this.add(context, {op: name, of: handle.step}, node);
    else this.notUnderstood(node);
    return handle;
  },

  // A promise that a timer or an immediate resolves.
  promiseOf(op, delay, value, node, context) {
    const promise = new PromiseValue(this.add(context, {op: 'promise'}, node));
    const {resolve} = this.resolvers(promise);
    this.scheduled(op, this.bound(resolve, [value || UNDEFINED]), [], node, context, delay === null ? {} : {argument: delay});
    return promise;
  },

  promisified(fn, node) {
    const path = fn && fn.k === 'api' ? fn.path : '';
    const translator = this;
    if (path === 'setTimeout' || path === 'setImmediate') return api(`timers/promises.${path}`);
    if (/^fs\./.test(path)) {
      return native('promisified', function* (args, at, context) {
        return translator.ofFsPromises(path.slice(3), at, context);
      });
    }
    return this.notUnderstood(node);
  },

  onProcess(args, isOnce, node, context) {
    const event = PROCESS_EVENTS[args[0] && args[0].v];
    if (!event || !args[1] || !isFunction(args[1])) return this.notUnderstood(node);
    const step = this.add(context, {op: 'on', event, isOnce: isOnce && event !== 'exit'}, node);
    const brings = [unknown('what the event brings', true)];
    if (isOnce) {
      if (event === 'uncaught') this.note(node, 'a second error, which nothing would catch, is not followed');
      this.callback(step, args[1], brings, context, node, RANK.event, null);
      return api('process');
    }
    step.isRepeated = true;
    const handle = {k: 'handle', step, isCleared: false, madeIn: context.turn};
    this.nextRun(step, handle, args[1], brings, node, context, 1, RANK.event);
    return api('process');
  },

  file(kind, fn, node, context, more) {
    const step = this.add(context, {op: 'file', kind, ...more}, node);
    const noError = {...known(null), assumes: 'it succeeds'};
    this.callback(step, fn, [noError, unknown('what was read', true)], context, node, RANK.file, null);
    return UNDEFINED;
  },

  ofFs(name, args, last, node, context) {
    const isOutput = args[0] && (args[0].v === 1 || args[0].v === 2);
    if (isOutput && (name === 'writeSync' || name === 'writeFileSync')) return this.print(args.slice(1, 2), node, context);
    if (/Sync$/.test(name)) return unknown('what was read', true);
    if (!last) return this.notUnderstood(node);
    if (name === 'readFile') return this.file('readFile', last, node, context);
    if (name === 'writeFile' || name === 'appendFile') return this.file('', last, node, context, {trips: 3});
    if (ONE_TRIP.includes(name)) return this.file('', last, node, context);
    return this.notUnderstood(node);
  },

  ofFsPromises(name, node, context) {
    if (!ONE_TRIP.includes(name)) {
      return this.notUnderstood(node, `fs.promises.${name} makes several trips through the pool, and has no step; left out`);
    }
    const promise = new PromiseValue(this.add(context, {op: 'promise'}, node));
    this.file('', this.bound(this.resolvers(promise).resolve, [unknown('what was read', true)]), node, context);
    return promise;
  },

  ofPromise(name, args, node, context) {
    switch (name) {
      case 'resolve':
        return args[0] && args[0].k === 'promise' ? args[0] : this.resolvedPromise(args[0] || UNDEFINED, node, context);
      case 'reject': {
        const promise = new PromiseValue(this.add(context, {op: 'promise'}, node));
        this.add(context, {op: 'reject', of: promise.node}, node);
        promise.settle('rejected', args[0] || UNDEFINED, context.turn);
        return promise;
      }
      case 'withResolvers': {
        const promise = new PromiseValue(this.add(context, {op: 'promise'}, node));
        return objectOf({promise, ...this.resolvers(promise)});
      }
      case 'all':
      case 'race':
      case 'any':
      case 'allSettled':
        return this.combined(name, args[0], node, context);
      default:
        return this.notUnderstood(node);
    }
  },

  // A promise that reactions of the others settle: for `all`, one of the last of them. Where it has one reaction and no
  // more than two parts, the writer makes one step of all.
  combined(name, list, node, context) {
    if (!list || list.k !== 'array') {
      return this.notUnderstood(node, `what Promise.${name} waits for is not known; it is left out`);
    }
    this.look(list, context, node);
    const parts = list.items.map((one) => (one.k === 'promise' ? one : this.resolvedPromise(one, node, context)));
    const promise = new PromiseValue(this.add(context, {op: 'promise'}, node));
    const settling = parts.map((part) => {
      return this.add(context, {op: 'none', of: part.node, bodies: [[]], isSettling: true}, node);
    });
    promise.node.combination = {name, parts: parts.map((part) => part.node), settling};
    const settle = (i, fate) => {
      const how = fate === 'fulfilled' ? 'resolve' : 'reject';
      settling[i].op = parts[i].fate === 'fulfilled' ? 'then' : 'catch';
      settling[i].bodies = [[{op: how, of: promise.node, line: settling[i].line}]];
    };
    if (parts.length === 0) {
      this.add(context, {op: 'resolve', of: promise.node}, node);
      promise.settle('fulfilled', arrayOf([]), context.turn);
      return promise;
    }
    const isDone = (part) => part.fate;
    const isWanted = name === 'all' ? 'rejected' : 'fulfilled';
    const decides = (part) => (name === 'race' ? part.fate : name === 'allSettled' ? false : part.fate === isWanted);
    // Each that may be the first to decide; and what is rejected is handled.
    parts.forEach((part, i) => this.later(1, () => part.fate, () => {
      if (decides(part)) settle(i, part.fate);
      else if (part.fate === 'rejected' && settling[i].op === 'none') settling[i].op = 'catch';
    }));
    this.later(1, () => parts.some(decides) || parts.every(isDone), () => {
      const order = parts.filter(isDone).sort((a, b) => a.settledAs - b.settledAs);
      const decisive = order.find(decides) || order[order.length - 1];
      const others = parts.filter((part) => part !== decisive && part.turn !== decisive.turn);
      const isSure = others.every((part) => part.turn && part.turn.isBefore(decisive.turn));
      promise.node.combination.isAssumed = !isSure && !decides(decisive);
      const values = arrayOf(parts.map((part) => part.value));
      const isAll = (name === 'all' && decisive.fate === 'fulfilled') || name === 'allSettled';
      const fate = isAll ? 'fulfilled' : decisive.fate;
      const value = isAll ? (name === 'all' ? values : unknown('what they came to')) : isSure ? decisive.value : unknown('one of them');
      settle(parts.indexOf(decisive), fate);
      promise.settle(fate, value, decisive.turn);
    });
    return promise;
  },

  // --- Sockets ---

  connect(fn, port, node, context) {
    const server = this.servers[this.servers.length - 1];
    const step = this.add(context, server ? {op: 'connect', to: server.step} : {op: 'refused'}, node);
    const socket = {k: 'socket', step, onClose: []};
    if (!server) this.note(node, 'there is no server in this script: it is written as a connection that is refused', true);
    const isOther = server && server.port && port && port.k === 'value' && server.port.v !== port.v;
    if (this.servers.length > 1 || isOther) this.note(node, 'which server it connects to is not known; the last was assumed');
    if (server) server.accepts.forEach((accept) => this.accepted(accept, context));
    if (fn && server) this.callback(step, fn, [], context, node, RANK.file, null);
    else step.bodies = [];
    return socket;
  },

  // A server calls its function once for each connection.
  accepted({step, fn, node}, context) {
    step.isEnded = true; // all connections are known
    this.callback(step, fn, [{k: 'socket', step, onClose: []}], context, node, RANK.file, null);
  },

  ofSocket(target, name, args, node, context) {
    const last = args.length > 0 && isFunction(args[args.length - 1]) ? args[args.length - 1] : null;
    const event = args[0] && args[0].k === 'value' ? args[0].v : '';
    if (name === 'listen' && target.k === 'server') {
      target.step = this.add(context, {op: 'listen'}, node);
      target.port = args[0] && args[0].k === 'value' && Number(args[0].v) > 0 ? args[0] : null;
      this.servers.push(target);
      for (const fn of [...target.onListening, ...(last ? [last] : [])]) {
        const on = this.add(context, {op: 'on', event: 'listening', of: target.step}, node);
        this.callback(on, fn, [], context, node, RANK.tick, null);
      }
      for (const fn of target.onConnection) {
        target.accepts.push({step: this.add(context, {op: 'accept', of: target.step, bodies: []}, node), fn, node});
      }
    } else if ((name === 'on' || name === 'once') && target.k === 'server' && !target.step && last) {
      if (event === 'connection') target.onConnection.push(last);
      else if (event === 'listening') target.onListening.push(last);
      else this.notUnderstood(node);
    } else if ((name === 'on' || name === 'once') && event === 'close' && last) {
      if (target.closing && target.closing.bodies.length === 0 && !target.closing.isTaken) {
        target.closing.isTaken = true;
        this.callback(target.closing, last, [], context, node, RANK.event, null);
      } else if (target.closing) {
        this.note(node, 'of several functions that are called when it is closed, the first is taken');
      } else {
        this.closings.push({target, node});
        (target.onClose = target.onClose || []).push(last);
      }
    } else if (name === 'on' && event === 'connect' && last && target.step.op === 'connect' && target.step.bodies.length === 0) {
      this.callback(target.step, last, [], context, node, RANK.file, null);
    } else if ((name === 'close' || name === 'destroy') && target.step) {
      const fns = [...(target.onClose || []), ...(last ? [last] : [])];
      const step = this.add(context, {op: 'close', of: target.step, bodies: [], isTaken: fns.length > 0}, node);
      target.closing = target.closing || step;
      if (fns.length > 0) this.callback(step, fns[0], [], context, node, RANK.event, null);
      if (fns.length > 1) this.note(node, 'of several functions that are called when it is closed, the first is taken');
    } else if (name === 'address' || name === 'port') {
      return unknown('an address');
    } else {
      this.notUnderstood(node);
    }
    return target;
  },
});
