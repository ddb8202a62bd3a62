// One run, moment by moment: what waits in which queue, what runs, what has been printed.

const WAITING_LANE = ['waiting', 'waits for a promise'];

class QueueState {
  constructor(steps) {
    this.steps = steps;
    this.entries = []; // {step, lane, number}
    this.running = null;
    this.printed = [];
    this.runs = new Map(); // of chains
    this.number = 0;
  }

  laneOf(step) {
    if (step.op === 'on') return LANE_OF_EVENT[step.event] || 'poll';
    return step.lane || 'other';
  }

  put(step, lane) {
    this.entries.push({step, lane, number: ++this.number});
  }

  take(step) {
    const index = this.entries.findIndex((entry) => entry.step === step);
    if (index >= 0) this.entries.splice(index, 1);
  }

  // A promise is settled: its reactions become jobs. Those that pass its value on run nothing of the program.
  settled(name, isRejected) {
    this.entries = this.entries.filter((entry) => {
      if (entry.lane !== 'waiting' || entry.step.target !== name) return true;
      entry.lane = 'microtasks';
      return entry.step.op !== (isRejected ? 'then' : 'catch');
    });
  }

  apply([kind, id, label, turn, phase]) {
    const step = this.steps[id];
    switch (kind) {
      case 'schedules':
        if (step.listens) break;
        this.put(step, step.target && step.lane === 'microtasks' ? 'waiting' : this.laneOf(step));
        break;
      case 'rearms':
        if ((this.runs.get(id) || 0) < step.times && !this.entries.some((entry) => entry.step === step)) {
          this.put(step, this.laneOf(step));
        }
        break;
      case 'runs':
        this.runs.set(id, (this.runs.get(id) || 0) + 1);
        this.take(step);
        if (step.repeats && !(step.chain && this.runs.get(id) >= step.times)) this.put(step, this.laneOf(step));
        this.running = {step, turn, phase};
        break;
      case 'waits':
        this.put(step, step.target ? 'waiting' : 'microtasks');
        break;
      case 'resumes':
        this.take(step);
        this.running = {step, turn, phase};
        break;
      case 'prints':
        this.printed.push(label);
        break;
      case 'ends':
        this.settled(step.label, false);
        break;
      case 'acts':
        if (step.op === 'clear') this.entries = this.entries.filter((entry) => entry.step.label !== step.target);
        if (step.op === 'resolve' && !/ with /.test(step.text)) this.settled(step.target, false);
        if (step.op === 'reject') this.settled(step.target, true);
        break;
      default:
        break;
    }
  }
}

const MOMENT_WORDS = {
  schedules: (step) => `schedules ${step.text}`,
  rearms: (step) => `schedules ${step.text} again`,
  runs: (step) => `${step.text} runs`,
  waits: () => 'an async function pauses',
  resumes: () => 'the async function resumes',
  acts: (step) => step.text,
};

function momentText(moment, steps, labelText) {
  const [kind, id, label, turn, phase] = moment;
  const where = phase === 'main' ? 'main script' : `${phase}, turn ${turn}`;
  const what = kind === 'prints' ? `prints ${labelText(label)}` : MOMENT_WORDS[kind](steps[id]);
  return `${where}: ${what}`;
}

// The stepper of one run.
function stepper(answer, run, labelText) {
  const steps = [];
  answer.steps.forEach((step) => {
    steps[step.id] = step;
  });
  const {moments} = run;
  const stops = moments.map((moment, i) => i).filter((i) => moments[i][0] !== 'ends');
  if (stops.length === 0) return element('p', {class: 'details'}, 'This run is too long to be stepped through.');
  const lanes = lanesOf(answer, moments, steps);
  const slider = element('input', {type: 'range', min: '0', max: String(stops.length), value: '0', id: 'moment',
    'aria-label': 'Moment of the run'});
  const said = element('p', {class: 'moment', role: 'status', 'aria-live': 'polite'});
  const picture = element('div', {class: 'queues'});
  const output = element('p', {class: 'printed'});
  const show = () => {
    const count = Number(slider.value);
    const state = new QueueState(steps);
    const end = count === 0 ? -1 : stops[count - 1];
    for (let i = 0; i <= end; ++i) state.apply(moments[i]);
    const current = count === 0 ? null : moments[end];
    const text = current ? momentText(current, steps, labelText) : 'before the script';
    slider.setAttribute('aria-valuetext', text);
    said.textContent = `${count} of ${stops.length} · ${text}`;
    const phase = current ? current[4] : '';
    picture.replaceChildren(...lanes.map(([id, title]) => queueBox(id, title, state, phase, current)));
    const printed = state.printed.flatMap((label) => [' ', element('span', {class: 'label'}, labelText(label))]);
    output.replaceChildren('printed:', ...(printed.length > 0 ? printed : [' –']));
  };
  const move = (by) => () => {
    slider.value = String(Number(slider.value) + by);
    show();
  };
  slider.addEventListener('input', show);
  show();
  const button = (text, name, by) => element('button', {type: 'button', 'aria-label': name, on: {click: move(by)}}, text);
  return element(
    'div',
    {class: 'stepper'},
    element('div', {class: 'row'}, button('←', 'One moment back', -1), button('→', 'One moment on', 1), slider),
    said,
    picture,
    output,
  );
}

// Those that something is ever in, in the order of a turn.
function lanesOf(answer, moments, steps) {
  const used = new Set(moments.map((moment) => moment[4]));
  const state = new QueueState(steps);
  for (const moment of moments) {
    state.apply(moment);
    state.entries.forEach((entry) => used.add(entry.lane));
  }
  const all = [...LANES.slice(0, 3), WAITING_LANE, ...LANES.slice(3)];
  return all.filter(([id]) => used.has(id));
}

function queueBox(id, title, state, phase, current) {
  const entries = state.entries.filter((entry) => entry.lane === id);
  const isHere = phase === id;
  const runs = isHere && state.running && state.running.phase === id ? state.running.step : null;
  return element(
    'div',
    {class: `queue lane-${id}${isHere ? ' here' : ''}`},
    element('h4', {}, title, isHere && spoken(' (runs now)')),
    element(
      'ul',
      {},
      runs && element('li', {class: 'running'}, shortStep(runs)),
      entries.map((entry) => {
        const isNew = current && current[0] === 'schedules' && entry.step.id === current[1] && entry.number === state.number;
        return element('li', {class: isNew ? 'new' : false}, shortStep(entry.step));
      }),
    ),
  );
}

function shortStep(step) {
  if (step.op === 'pause') return `await${step.label ? `, then ${step.label}` : ''}`;
  const text = step.label || step.text;
  const delay = ['timeout', 'interval'].includes(step.op) && step.argument ? ` ${step.argument}\u00a0ms` : '';
  return text.length > 30 ? text.slice(0, 29) + '…' : text + (step.label ? delay : '');
}
