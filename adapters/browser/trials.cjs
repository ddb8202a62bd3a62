// What a browser is asked to find out what it has: small programs that emit the name of a capability when it works. A
// label with a capital letter names a thing that is only referred to.
'use strict';

function step(op, fields, body) {
  return Object.assign({ op }, fields, body ? { body } : {});
}

// `OP LABEL ...`, where the label is the name of the capability.
function callback(op, fields) {
  return step(op, Object.assign({ label: op }, fields));
}

function log(label) { return step('log', { label }); }

// A cleared timer must not come; the one that comes later shows that it did not.
function clearing(kind) {
  const name = kind ? 'clear as ' + kind : 'clear';
  return [
    step('timeout', { label: 'A', argument: '1' }, [step('clear', { target: 'B' })]),
    step('timeout', { label: 'B', argument: '60' }, [log(name)]),
    step('clear', { target: 'A', kind })
  ];
}

function combining(kind) {
  const label = kind ? 'combine as ' + kind : 'combine';
  return [
    step('promise', { label: 'D' }), step('resolve', { target: 'D' }), callback('combine', { label, target: 'D', kind })
  ];
}

module.exports = [
  [callback('microtask')], [callback('then')], [callback('finally')], [callback('await')], [callback('message')],
  [callback('timeout', { argument: '1' })],
  [callback('interval', { argument: '1', times: '1' })],
  [step('promise', { label: 'D' }), callback('catch', { target: 'D' }), step('reject', { target: 'D' }), log('reject')],
  [
    step('promise', { label: 'D' }), step('then', { target: 'D' }, [log('promise'), log('resolve')]),
    step('resolve', { target: 'D' })
  ],
  combining(), combining('race'), combining('any'), combining('allSettled'),
  [step('promise', { label: 'D' }), step('then', {}, [log('return'), step('return', { target: 'D' })])],
  [callback('thenable'), step('promise', { label: 'D' }), step('resolve', { target: 'D', with: 'thenable' })],
  [step('async', {}, [log('async'), step('pause', { label: 'pause' })])],
  [step('try', { label: 'try' }, [step('throw')])],
  clearing(), clearing('timeout'), clearing('interval'), clearing('number'), clearing('string'),
  [step('on', { event: 'unhandled', label: 'on unhandled' }), step('reject')],
  // Handled in a task after the one that reported it.
  [
    step('on', { event: 'unhandled' }, [step('message', {}, [step('catch', { target: 'D' })])]),
    step('on', { event: 'handled', label: 'on handled' }), step('promise', { label: 'D' }), step('reject', { target: 'D' })
  ],
  [
    step('on', { event: 'uncaught', label: 'on uncaught' }),
    step('timeout', { argument: '1' }, [log('throw'), step('throw')])
  ]
];
