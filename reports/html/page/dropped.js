// Results files that are dropped on the page, or chosen: they become columns beside those of the report. Nothing is
// sent anywhere or kept, and a page that is loaded again has forgotten them.

const dropped = {
  own: null, // the index of the report itself; one with files has `dropped`, from columns to results by case
  said: null, // the element that tells what happened
  changed: null, // is called with the new index
};

function watchDrops(changed) {
  dropped.own = report.index;
  dropped.changed = changed;
  dropped.said = element('div', {class: 'dropped', role: 'status'});
  const isFile = (event) => event.dataTransfer && [...event.dataTransfer.types].includes('Files');
  const mark = (on) => document.body.classList.toggle('dropping', on);
  addEventListener('dragover', (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    mark(true);
  });
  addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) mark(false);
  });
  addEventListener('drop', (event) => {
    mark(false);
    if (!isFile(event)) return;
    event.preventDefault();
    addFiles([...event.dataTransfer.files]);
  });
  return dropped.said;
}

// The same by keyboard.
function chooseFiles() {
  const input = element('input', {type: 'file', id: 'choose-results', multiple: true, accept: '.jsonl'});
  input.addEventListener('change', () => addFiles([...input.files]));
  return element(
    'section',
    {class: 'choose', 'aria-labelledby': 'choose-heading'},
    element('h2', {id: 'choose-heading'}, 'Your own results'),
    element(
      'label',
      {for: 'choose-results'},
      'Drop a file of ',
      element('code', {}, 'conform run --output'),
      ' here, or choose one:',
    ),
    input,
    element('p', {class: 'details'}, 'It is read by this page and sent nowhere.'),
  );
}

// All of them, or none where one is refused.
async function addFiles(files) {
  if (!report.index) {
    say('Results are shown on the overview: drop the file there.', true);
    return;
  }
  if (!files.length) return;
  try {
    const read = [];
    for (const file of files) {
      if (file.size > MOST_BYTES) {
        const limit = `${MOST_BYTES / 1024 / 1024} MiB, which is the most that this page reads`;
        throw new Refused(`${cleanText(file.name)} is larger than ${limit}: use conform report`);
      }
      const path = cleanText(file.name);
      read.push({path, ...readResults(file.name, await file.text(), report.index.verdicts)});
    }
    let index = report.index;
    for (const file of read) index = withFile(index, file);
    dropped.changed(index);
    say(read.map((file) => `${file.path}: ${counted(file.results.length, 'result')} shown here`).join(' · '), false);
  } catch (trouble) {
    say(trouble instanceof Refused ? trouble.message : 'The file could not be read.', true);
  }
}

// The results of files in an index: from the name of a column to a Map from the id of a case to its results.
function droppedOf(index) {
  return (index && index.dropped) || new Map();
}

function say(words, isTrouble) {
  dropped.said.replaceChildren(element('p', {class: isTrouble && 'warning'}, words));
  if (!droppedOf(report.index).size) return;
  dropped.said.append(element('button', {type: 'button', on: {click: forget}}, 'Without them'));
}

function forget() {
  dropped.changed(dropped.own);
  dropped.said.replaceChildren();
}

// The index with the results of a file as further columns, and rows where the report has no such case.
function withFile(index, file) {
  const names = columnNames(index, file);
  const {implementations} = index;
  if (implementations.length + names.size > MOST_COLUMNS + dropped.own.implementations.length) {
    throw new Refused(`${file.path}: these are more than ${MOST_COLUMNS} further implementations`);
  }
  const columns = new Map(); // from the name in the file
  for (const [before, name] of names) columns.set(before, newColumn(before, name, file.run));
  const copy = (one) => ({...one, cells: [...one.cells], behaviours: [...one.behaviours]});
  const rows = new Map(index.cases.map((one) => [one.id, copy(one)]));
  const totals = {...index.totals};
  const kept = new Map(droppedOf(index));
  for (const {name} of columns.values()) kept.set(name, new Map());
  const start = implementations.length;
  const places = new Map([...names.keys()].map((name, i) => [name, start + i]));
  for (const result of file.results) {
    const row = rowOf(rows, result);
    const column = columns.get(result.implementation);
    const verdict = index.verdicts[result.verdict];
    totals[verdict] = (totals[verdict] || 0) + 1;
    column.totals[verdict] = (column.totals[verdict] || 0) + 1;
    if (!column.profiles.includes(result.profile)) column.profiles.push(result.profile);
    addToCell(row, places.get(result.implementation), result, index.verdicts);
    const before = kept.get(column.name).get(row.id) || [];
    kept.get(column.name).set(row.id, [...before, result]);
  }
  const cases = [...rows.values()].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  for (const row of cases) while (row.cells.length < start + names.size) row.cells.push(null);
  const {conform, started, command, planned} = file.run;
  return {
    ...index,
    cases,
    totals,
    dropped: kept,
    implementations: [...implementations, ...columns.values()],
    files: [...index.files, {path: file.path, conform, started, command, planned, results: file.results.length}],
    incomplete: file.trouble ? [...index.incomplete, file.trouble] : index.incomplete,
  };
}

// From names in the file to names of columns: one that is taken is told apart.
function columnNames(index, file) {
  const taken = new Set(index.implementations.map((one) => one.name));
  const names = new Map();
  for (const {implementation} of file.results) {
    if (names.has(implementation)) continue;
    let name = implementation;
    for (let i = 1; taken.has(name); ++i) name = `${implementation} (dropped${i > 1 ? ` ${i}` : ''})`;
    taken.add(name);
    names.set(implementation, name);
  }
  return names;
}

function newColumn(before, name, run) {
  const said = run.implementations.get(before) || {version: '', claims: '', details: {}};
  const [kind, version] = before.includes('=') ? [before.split('=')[0], ''] : before.split('@');
  return {...said, name, kind, version: version || said.version, profiles: [], totals: {}};
}

// Results of another version of a case are not comparable, and have a row of their own.
function rowOf(rows, result) {
  const own = rows.get(result.id);
  if (own && own.hash === result.hash) return own;
  const id = own ? `${result.id} (version ${result.hash.slice(0, 8)})` : result.id;
  if (!rows.has(id)) {
    rows.set(id, {id, hash: result.hash, title: '', page: '', clauses: [], behaviours: [], expects: [], cells: []});
  }
  return rows.get(id);
}

function addToCell(row, place, result, verdicts) {
  while (row.cells.length <= place) row.cells.push(null);
  const rank = (verdict) => VERDICT_ORDER.indexOf(verdicts[verdict]);
  const cell = row.cells[place] ? [...row.cells[place]] : [result.verdict];
  if (rank(result.verdict) < rank(cell[0])) cell[0] = result.verdict;
  const behaviour = behaviourOf(row, result, verdicts);
  if (behaviour >= 0 && !cell.includes(behaviour, 1)) cell.push(behaviour);
  row.cells[place] = cell;
}

// Which behaviour of the row a result shows: equal orders, or a pass under the same expectation. -1: nothing was seen.
function behaviourOf(row, result, verdicts) {
  if (!result.tries.length) return -1;
  const isPass = verdicts[result.verdict] === 'pass' && result.expected !== '';
  const orders = new Set(result.tries.map((one) => orderText(one.trace) + (one.trouble ? ' …' : '')));
  const text = [...orders].sort().join(' | ');
  const alike = isPass && row.expects.find(([pattern]) => pattern === result.expected);
  let found = alike ? alike[1] : row.behaviours.indexOf(text);
  if (found < 0) found = row.behaviours.push(text) - 1;
  if (isPass && !alike) row.expects = [...row.expects, [result.expected, found]];
  return found;
}

// What the files say of one case, as the page of a case.
function droppedCase(id) {
  const row = report.index.cases.find((one) => one.id === id);
  const results = [];
  const traces = [];
  const allowed = [];
  report.index.implementations.forEach(({name}, implementation) => {
    for (const result of (droppedOf(report.index).get(name) || new Map()).get(id) || []) {
      const tries = result.tries.map((one) => ({...one, trace: traces.push(one.trace) - 1}));
      const behaviour = behaviourOf(row, result, report.index.verdicts);
      // A pattern of plain labels is an order.
      const isOrder = /^[\w=-]+( [\w=-]+)*$/.test(result.expected);
      const events = isOrder ? result.expected.split(' ').map((label) => [label, 1]) : [];
      allowed.push({pattern: result.expected, traces: isOrder ? [traces.push({events}) - 1] : []});
      const place = {implementation, profiles: [result.profile], allowed: allowed.length - 1};
      results.push({...result, ...place, tries, behaviour});
    }
  });
  if (!row || !results.length) return null;
  const {behaviours} = row;
  return new CaseView({id, results, traces, allowed, behaviours, dropped: row});
}
