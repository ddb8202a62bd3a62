// The page: reads what is typed, asks the worker, shows what it says. Everything that is shown is text.

const MOST_SECONDS = 25;
const PAUSE_MS = 60; // after the last key

const data = readData('data');
const find = (id) => document.getElementById(id);
const program = find('program');
const fields = {release: find('release'), beside: find('beside'), example: find('example')};
const state = {language: 'js', text: '', release: '', beside: '', order: 0};
let releases = [];
let worker = null;
let asked = 0;
let typing = 0;
let limit = 0;
let last = null; // what is shown: {answers, entries, translation}
const module = compiled();
let workerAddress = '';

// The model, as it was compressed into the page.
async function compiled() {
  const bytes = Uint8Array.from(atob(data.wasm), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

async function startWorker() {
  if (!workerAddress) workerAddress = URL.createObjectURL(new Blob([data.worker], {type: 'text/javascript'}));
  const made = new Worker(workerAddress);
  worker = made;
  made.onmessage = ({data: said}) => {
    if (made === worker) heard(said);
  };
  made.onerror = (event) => {
    if (made === worker) broken(event.message);
  };
  made.postMessage({module: await module, profiles: data.profiles});
}

function stopWorker() {
  clearTimeout(limit);
  if (worker) worker.terminate();
  worker = null;
  find('stop').hidden = true;
}

function broken(message) {
  stopWorker();
  say(`The model failed: ${message}`);
}

function say(text) {
  find('status').textContent = text;
}

function heard(said) {
  if (said.families) {
    if (releases.length === 0) begin(said.families);
    return;
  }
  if (said.error) {
    broken(said.error);
    return;
  }
  if (said.number !== asked) return;
  clearTimeout(limit);
  find('stop').hidden = true;
  worker.isBusy = false;
  show(said);
}

function begin(families) {
  const groups = families.filter((family) => ['node', 'libuv', 'html', 'asyncio'].includes(family.name));
  const options = (field, first) => {
    fields[field].replaceChildren(
      ...first,
      ...groups.map((family) =>
        element('optgroup', {label: family.title},
          [...family.releases].reverse().map((version) => {
            const name = `${family.name}@${version}`;
            return element('option', {value: name}, name);
          })),
      ),
    );
  };
  groups.sort((a, b) => ['node', 'libuv', 'html', 'asyncio'].indexOf(a.name) - ['node', 'libuv', 'html', 'asyncio'].indexOf(b.name));
  options('release', []);
  options('beside', [element('option', {value: ''}, 'nothing')]);
  releases = groups.flatMap((family) => family.releases.map((version) => `${family.name}@${version}`));
  fields.example.replaceChildren(
    element('option', {value: ''}, 'choose …'),
    ...data.examples.map((example, i) => element('option', {value: String(i)}, example.title)),
  );
  state.newest = fields.release.options[0].value;
  takeAddress();
}

function takeAddress() {
  const read = readAddress(location.hash, releases);
  if (read.refused) say(`Not opened: ${read.refused}.`);
  if (!read.text && !read.refused) read.text = data.examples[0].js;
  setState(read);
  if (!read.refused) ask();
}

function setState(next) {
  Object.assign(state, {language: next.language, text: next.text, release: next.release || state.newest, beside: next.beside});
  state.order = next.order || 0;
  program.value = state.text;
  fields.release.value = state.release;
  fields.beside.value = state.beside;
  for (const radio of document.getElementsByName('language')) radio.checked = radio.value === state.language;
}

function keepAddress() {
  const shown = {...state, release: state.release === state.newest ? '' : state.release};
  const address = addressOf(shown);
  if (address.length <= LONGEST_ADDRESS) history.replaceState(null, '', address);
}

async function ask() {
  keepAddress();
  underline([]);
  const number = ++asked;
  if (state.text.length > LONGEST_PROGRAM) {
    say(`A program here has at most ${LONGEST_PROGRAM.toLocaleString('en-GB')} characters.`);
    return;
  }
  if (worker && worker.isBusy) stopWorker();
  if (!worker) await startWorker();
  if (number !== asked) return;
  worker.isBusy = true;
  find('result').setAttribute('aria-busy', 'true');
  find('stop').hidden = false;
  const names = state.beside && state.beside !== state.release ? [state.release, state.beside] : [state.release];
  worker.postMessage({number, language: state.language, text: state.text, releases: names});
  limit = setTimeout(() => {
    stopWorker();
    say(`Stopped: it took longer than ${MOST_SECONDS} seconds.`);
  }, MOST_SECONDS * 1000);
}

function show(said) {
  find('result').removeAttribute('aria-busy');
  const {translation} = said;
  showNotes(translation, said.answers);
  const labels = (translation && translation.labels) || {};
  const labelText = (label) => {
    const name = nameOf(label);
    return Object.hasOwn(labels, name) ? labels[name] + label.slice(name.length) : label;
  };
  const answers = said.answers.filter((answer) => !answer.error);
  const errors = said.answers.filter((answer) => answer.error).map((answer) => errorText(answer.error));
  if (translation && translation.error) errors.push(`${placeText(translation.error.at)}${translation.error.what}`);
  const time = `${Math.max(1, Math.round(said.ms))} ms`;
  const isEmpty = said.answers.length === 0 && errors.length === 0;
  say(isEmpty ? 'There is nothing that runs.' : [...errors, ...answers.map(summary), time].join(' · '));
  const entries = mergedOrders(answers);
  last = {answers, entries, labelText};
  if (state.order >= entries.length) state.order = 0;
  draw();
}

function draw(focus) {
  const {answers, entries, labelText} = last;
  find('orders').replaceChildren(
    ...(entries.length > 0 ? [orderList(entries, answers, state.order, labelText, choose)] : []),
  );
  find('detail').replaceChildren(
    ...(entries.length > 0 ? detailOf(entries[state.order], state.order, answers, labelText, data.clauses) : []),
  );
  if (focus) find('orders').querySelector('[aria-pressed="true"]').focus();
}

function choose(index) {
  state.order = index;
  keepAddress();
  draw(true);
}

function errorText(error) {
  const place = error.column > 0 ? `column ${error.column}: ` : '';
  return place + error.message + (error.hint ? ` (${error.hint})` : '');
}

function placeText(offset) {
  const before = state.text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${before[before.length - 1].length + 1}: `;
}

// --- What is not understood ---

function showNotes(translation, answers) {
  const notes = translation ? [...translation.notes].sort((a, b) => a.from - b.from) : [];
  const marks = notes.map((note) => ({from: note.from, to: note.to, isRemark: note.isRemark}));
  if (translation && translation.error) marks.push({from: translation.error.at, to: translation.error.at + 1});
  const failed = state.language === 'steps' && answers.find((answer) => answer.error && answer.error.column > 0);
  if (failed) marks.push({from: failed.error.column - 1, to: failed.error.column});
  underline(marks);
  const items = notes.map((note) =>
    element('li', {class: note.isRemark ? 'remark' : false},
      element('button', {type: 'button', class: 'place', on: {click: () => select(note)}}, `line ${note.line}`), ' ', note.what),
  );
  const madeUp = translation && translation.madeUp && translation.madeUp.length > 0
    ? element('p', {class: 'details'}, `Labels that the script does not print: ${translation.madeUp.join(', ')}.`) : null;
  const isSure = notes.every((note) => note.isRemark);
  const title = element('h2', {id: 'notes-title'}, isSure ? 'How it was read' : 'Not understood, or not certain');
  find('notes').replaceChildren(...(notes.length > 0 ? [title, element('ul', {}, items)] : []), ...(madeUp ? [madeUp] : []));
  find('notes').hidden = notes.length === 0 && !madeUp;
  const steps = (translation && translation.program) || '';
  find('translated').hidden = !steps;
  find('steps').textContent = steps;
}

function select(note) {
  program.focus();
  program.setSelectionRange(note.from, note.to);
}

function underline(marks) {
  const sorted = [...marks].sort((a, b) => a.from - b.from);
  const parts = [];
  let at = 0;
  for (const mark of sorted) {
    if (mark.from < at) continue;
    parts.push(state.text.slice(at, mark.from));
    parts.push(element('mark', {class: mark.isRemark ? 'remark' : false}, state.text.slice(mark.from, mark.to) || ' '));
    at = mark.to;
  }
  find('underlay').replaceChildren(...parts, state.text.slice(at), '\n ');
  follow();
}

function follow() {
  const underlay = find('underlay').parentElement;
  underlay.scrollTop = program.scrollTop;
  underlay.scrollLeft = program.scrollLeft;
}

// --- What is typed and chosen ---

function changed(wait) {
  clearTimeout(typing);
  typing = setTimeout(ask, wait);
}

program.addEventListener('input', () => {
  state.text = program.value;
  state.order = 0;
  underline([]);
  changed(PAUSE_MS);
});
program.addEventListener('scroll', follow);
for (const name of ['release', 'beside']) {
  fields[name].addEventListener('change', () => {
    state[name] = fields[name].value;
    changed(0);
  });
}
for (const radio of document.getElementsByName('language')) {
  radio.addEventListener('change', () => {
    state.language = radio.value;
    changed(0);
  });
}
fields.example.addEventListener('change', () => {
  const example = data.examples[Number(fields.example.value)];
  if (!example || fields.example.value === '') return;
  const language = example.js ? 'js' : 'steps';
  setState({language, text: example[language], release: example.release || '', beside: example.beside || '', order: 0});
  changed(0);
});
find('stop').addEventListener('click', () => {
  stopWorker();
  say('Stopped.');
});
find('skip').addEventListener('click', (event) => {
  event.preventDefault();
  find('result').focus();
});
window.addEventListener('hashchange', () => {
  if (releases.length > 0) takeAddress();
});

const sharing = element('button', {type: 'button', class: 'copy'}, 'Copy link');
const shared = element('span', {class: 'said', role: 'status'});
sharing.addEventListener('click', async () => {
  shared.textContent = (await copyText(location.href)) ? 'Copied' : 'Not copied: the address has it';
});
find('sharing').append(sharing, shared);

startWorker().catch((error) => broken(error.message));
