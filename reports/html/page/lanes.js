// Lanes of a timeline: the phases of the loop and the queues between its callbacks, in the order of one turn.

const LANES = [
  ['main', 'main script'],
  ['ticks', 'ticks'],
  ['microtasks', 'microtasks'],
  ['timers', 'timers'],
  ['pending', 'pending'],
  ['idle', 'idle'],
  ['prepare', 'prepare'],
  ['poll', 'poll'],
  ['check', 'check'],
  ['closing', 'closing'],
  ['ready', 'ready queue'],
  ['rendering', 'rendering'],
  ['errors', 'errors'],
  ['rejections', 'rejections'],
  ['exit', 'exit'],
  ['other', 'elsewhere'],
];

const LANE_OF_EVENT = {
  exit: 'exit',
  beforeExit: 'exit',
  uncaught: 'errors',
  monitor: 'errors',
  unhandled: 'rejections',
  handled: 'rejections',
};

// `R=0` is an outcome of R.
function nameOf(label) {
  const end = label.indexOf('=');
  return end < 0 ? label : label.slice(0, end);
}

// From label to lane, for all traces of a case. What the model says of a label holds for every loop, so that expected
// and observed are drawn alike; where it says nothing, the operation does. What a callback does at once is in its lane.
class LaneMap {
  constructor(steps, modelTraces) {
    this.steps = new Map();
    steps.forEach((step, index) => this.steps.set(step.label, {...step, index}));
    this.list = steps;
    this.phases = new Map();
    for (const trace of modelTraces) {
      for (const [label, , , phase] of trace.events) {
        if (phase && !this.phases.has(label)) this.phases.set(label, phase);
      }
    }
  }

  of(label) {
    const phase = this.phases.get(label);
    if (phase) return LANES.some(([id]) => id === phase) ? phase : 'other';
    const name = nameOf(label);
    if (name === 'exit' && name !== label) return 'exit';
    const step = this.steps.get(name);
    return step ? this.ofStep(step, 0) : 'other';
  }

  ofStep(step, depth) {
    if (step.op === 'on') return LANE_OF_EVENT[step.event] || 'poll';
    if (step.lane) return step.lane;
    return step.parent < 0 || depth > 100 ? 'main' : this.ofStep(this.list[step.parent], depth + 1);
  }

  // The label of the callback that scheduled this one, or null for the main script.
  parentOf(label) {
    const step = this.steps.get(nameOf(label));
    return step && step.parent >= 0 ? this.list[step.parent].label : null;
  }

  isChain(label) {
    const step = this.steps.get(nameOf(label));
    return Boolean(step && step.chain);
  }

  textOf(label) {
    const step = this.steps.get(nameOf(label));
    return step ? step.text : '';
  }

  // Those that some of the traces need, in the order of LANES.
  used(traces) {
    const seen = new Set();
    for (const trace of traces) for (const [label] of trace.events) seen.add(this.of(label));
    return LANES.filter(([id]) => seen.has(id));
  }
}
