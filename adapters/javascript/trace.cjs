// What a run emits. Labels are kept in memory and written when the process ends, so that writing takes no time among the
// callbacks; what is emitted after that, by listeners of `exit` and by the microtasks behind them, is written at once.
'use strict';

var conversation = require('./conversation.cjs');

function eventText(label, time, start) {
  var nanoseconds = (time[0] - start[0]) * 1e9 + (time[1] - start[1]);
  return '{"label":' + JSON.stringify(label) + ',"t_ns":' + nanoseconds + '}';
}

// `atOnce`: the program may never end, or end without a last moment to write anything.
function openTrace(seq, atOnce) {
  var start = process.hrtime();
  var labels = [];
  var times = [];
  var through = atOnce;

  function write(events, more) {
    conversation.writeAll(1, '{"type":"trace","seq":' + seq + ',"events":[' + events + ']' + more + '}\n');
  }

  function log(label) {
    label = String(label);
    if (through) return write(eventText(label, process.hrtime(), start), ',"more":true');
    labels.push(label);
    times.push(process.hrtime());
  }

  function flush() {
    through = true;
    conversation.send(conversation.ready());
    write(labels.map(function (label, i) { return eventText(label, times[i], start); }).join(','), '');
  }

  if (atOnce) {
    // A trace without events says that the program has begun.
    conversation.send(conversation.ready());
    write('', ',"more":true');
  } else {
    process.on('exit', flush);
  }
  return log;
}

// Instead of a trace. The process ends here, without the listeners of the program.
function refuse(message) {
  conversation.send(conversation.ready());
  conversation.send(message);
  if (process.reallyExit) process.reallyExit(0);
  process.exit(0);
}

module.exports = { open: openTrace, refuse: refuse };
