// What the steps mean in pages and on workerd, where that is not what they mean on Node.js. The shape of an entry is
// described in ops.cjs. There a timer is a number, both functions clear both kinds of timer, and no event says that
// nothing is left to do: what is still to come is kept in `live`.
'use strict';

const live = new Set();

function startTimer(set, step, callback) {
  const delay = step.argument === 'none' ? [] : [Number(step.argument)];
  const timer = set(callback, ...delay);
  live.add(timer);
  return timer;
}

function clearingBy(clear) {
  return {
    of: { timeout: true, interval: true },
    act(step, frame, thing) {
      live.delete(thing.value);
      clear(thing.value);
    }
  };
}

const clears = {
  'clear': clearingBy(clearTimeout),
  'clear as timeout': clearingBy(clearTimeout),
  'clear as interval': clearingBy(clearInterval),
  'clear as number': clearingBy((timer) => clearTimeout(+timer)),
  'clear as string': clearingBy((timer) => clearTimeout(String(timer)))
};

// A channel, and the function that sends a message through it.
function openChannel(runTask) {
  const channel = new MessageChannel();
  const callbacks = [];
  channel.port1.onmessage = () => {
    const callback = callbacks.shift();
    live.delete(callback);
    runTask(callback);
  };
  return (callback) => {
    callbacks.push(callback);
    live.add(callback);
    channel.port2.postMessage(null);
    return channel.port1;
  };
}

// The steps that start tasks of the platform. runTask(callback) is how each is run.
function tasks(runTask) {
  return {
    timeout: {
      makes: 'timeout',
      start(callback, step) {
        const timer = startTimer(setTimeout, step, () => {
          live.delete(timer);
          runTask(callback);
        });
        return timer;
      }
    },
    interval: {
      makes: 'interval',
      start: (callback, step) => startTimer(setInterval, step, () => runTask(callback)),
      stop(timer) {
        live.delete(timer);
        clearInterval(timer);
      }
    },
    message: {
      has: () => typeof MessageChannel === 'function',
      makes: 'port',
      start(callback, step, thing, interpreter) {
        if (!step.via) return openChannel(runTask)(callback);
        const { channels } = interpreter;
        if (!channels[step.via]) channels[step.via] = openChannel(runTask);
        return channels[step.via](callback);
      }
    }
  };
}

module.exports = { clears, live, tasks };
