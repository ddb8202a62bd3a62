// The filters above the matrix, and the view that holds both.

function readFilter(query) {
  const list = (name) => new Set((query.get(name) || '').split(',').filter(Boolean));
  return {
    text: query.get('text') || '',
    clause: query.get('clause') || '',
    differs: query.get('differs') || '',
    family: query.get('family') || '',
    verdicts: list('verdict'),
    hidden: hiddenOf(query),
  };
}

// `only` names the implementations that are shown, or `hide` those that are not: whichever is shorter.
function hiddenOf(query) {
  const only = query.getAll('only');
  if (!only.length) return new Set(query.getAll('hide'));
  return new Set(report.index.implementations.map((one) => one.name).filter((name) => !only.includes(name)));
}

function filterQuery(filter) {
  const query = [];
  if (filter.text) query.push(['text', filter.text]);
  if (filter.clause) query.push(['clause', filter.clause]);
  if (filter.verdicts.size) query.push(['verdict', [...filter.verdicts].join(',')]);
  if (filter.differs) query.push(['differs', filter.differs]);
  if (filter.family) query.push(['family', filter.family]);
  const names = report.index.implementations.map((one) => one.name);
  const shown = names.filter((name) => !filter.hidden.has(name));
  const few = shown.length > 0 && shown.length < filter.hidden.size;
  for (const name of few ? shown : filter.hidden) query.push([few ? 'only' : 'hide', name]);
  return query;
}

// Families by how many results they have, the most first: [[family, [name of an implementation, …]], …].
function familiesBySize(index) {
  const families = new Map();
  for (const one of index.implementations) {
    const results = Object.values(one.totals).reduce((all, count) => all + count, 0);
    for (const family of familiesOf(one)) {
      if (!families.has(family)) families.set(family, {names: [], results: 0});
      families.get(family).names.push(one.name);
      families.get(family).results += results;
    }
  }
  return [...families].sort((a, b) => b[1].results - a[1].results).map(([family, {names}]) => [family, names]);
}

class MatrixView {
  constructor(index) {
    this.index = index;
    this.filter = readFilter(new URLSearchParams());
    this.families = familiesBySize(index);
    // As in the matrix.
    this.ordered = columnOrder(index.implementations).map((place) => index.implementations[place]);
    this.matrix = new Matrix(index);
    this.result = element('p', {class: 'result', role: 'status'});
    this.empty = element(
      'p',
      {class: 'empty', hidden: true},
      'No case matches. ',
      element('button', {type: 'button', on: {click: () => this.reset()}}, 'Clear the filters'),
    );
    this.element = element(
      'section',
      {'aria-labelledby': 'matrix-heading'},
      element('h1', {id: 'matrix-heading', class: 'spoken', tabindex: '-1'}, 'Cases by implementation'),
      index.incomplete.map((sentence) => element('p', {class: 'warning'}, sentence)),
      this.makeForm(),
      this.matrix.element,
      this.empty,
      legend(index.verdicts.filter((name) => index.totals[name])),
    );
  }

  makeForm() {
    const {clauses, cases} = this.index;
    const used = new Set(cases.flatMap((one) => one.clauses));
    this.text = element('input', {
      type: 'search',
      id: 'filter-text',
      placeholder: 'setImmediate, id, title or order',
      autocomplete: 'off',
      spellcheck: 'false',
      'aria-keyshortcuts': '/',
    });
    this.clause = element('select', {id: 'filter-clause'}, option('', 'any'), groupedClauses(clauses, used));
    this.differs = element(
      'select',
      {id: 'filter-differs'},
      option('', '–'),
      this.ordered.map((one) => option(one.name, one.name)),
    );
    this.family = element(
      'select',
      {id: 'filter-family'},
      this.families.map(([family, names]) => option(family, `${family} (${names.length})`)),
      option('all', 'all'),
    );
    this.family.addEventListener('change', () => this.change({family: this.family.value}));
    this.text.addEventListener('input', () => this.change({text: this.text.value}));
    this.clause.addEventListener('change', () => this.change({clause: this.clause.value}));
    this.differs.addEventListener('change', () => this.change({differs: this.differs.value}));
    return element(
      'form',
      {
        class: 'filters',
        role: 'search',
        'aria-label': 'Filter the matrix',
        on: {submit: (event) => event.preventDefault()},
      },
      element(
        'div',
        {class: 'fields'},
        element('label', {class: 'wide'}, 'Find', this.text),
        this.families.length > 1 && element('label', {}, 'Held to', this.family),
        element('label', {}, 'Clause', this.clause),
        element('label', {}, 'Differs from', this.differs),
        this.makeColumns(),
      ),
      this.makeVerdicts(),
    );
  }

  makeColumns() {
    this.boxes = this.ordered.map((one) => {
      const box = element('input', {type: 'checkbox'});
      box.addEventListener('change', () => this.changeColumns());
      return {name: one.name, box};
    });
    const all = (checked) => () => {
      for (const {box} of this.boxes) box.checked = checked;
      this.changeColumns();
    };
    this.columnsTitle = element('summary', {}, 'Implementations');
    return element(
      'details',
      {class: 'columns'},
      this.columnsTitle,
      element(
        'div',
        {class: 'menu'},
        element(
          'div',
          {class: 'menu-buttons'},
          element('button', {type: 'button', on: {click: all(true)}}, 'All'),
          element('button', {type: 'button', on: {click: all(false)}}, 'None'),
        ),
        this.boxes.map(({name, box}) => element('label', {class: 'check'}, box, name)),
      ),
    );
  }

  makeVerdicts() {
    const totals = this.index.totals;
    this.chips = this.index.verdicts
      .filter((name) => totals[name])
      .map((name) => {
        const chip = element(
          'button',
          {type: 'button', class: `chip v-${name}`, 'aria-pressed': 'false'},
          element('span', {class: 'dot', 'aria-hidden': 'true'}),
          name,
          ' ',
          element('b', {}, totals[name].toLocaleString('en-GB')),
        );
        chip.addEventListener('click', () => {
          const verdicts = new Set(this.filter.verdicts);
          if (!verdicts.delete(name)) verdicts.add(name);
          this.change({verdicts});
        });
        return {name, chip};
      });
    this.clear = element(
      'button',
      {type: 'button', class: 'clear', hidden: true, on: {click: () => this.reset()}},
      'Clear',
    );
    return element(
      'div',
      {class: 'chips', role: 'group', 'aria-label': 'Verdicts'},
      element('span', {class: 'chips-title'}, 'Results:'),
      this.chips.map(({chip}) => chip),
      this.clear,
      this.result,
    );
  }

  changeColumns() {
    this.change({hidden: new Set(this.boxes.filter(({box}) => !box.checked).map(({name}) => name))});
  }

  change(changed) {
    this.filter = {...this.filter, ...changed};
    // Not a step back for each letter.
    history.replaceState(null, '', address('matrix', '', filterQuery(this.filter)));
    this.show();
  }

  reset() {
    this.filter = readFilter(new URLSearchParams());
    history.replaceState(null, '', address('matrix'));
    this.show();
    this.text.focus();
  }

  open(query) {
    this.filter = readFilter(query);
    this.show();
    if (query.get('find')) this.text.focus();
    return Boolean(query.get('find'));
  }

  // Families are shown one at a time, unless implementations are chosen by name.
  shownFamily() {
    const {family, hidden} = this.filter;
    if (family || hidden.size || this.families.length < 2) return family || 'all';
    return this.families[0][0];
  }

  show() {
    const {filter} = this;
    if (this.text.value !== filter.text) this.text.value = filter.text;
    this.clause.value = filter.clause;
    this.differs.value = filter.differs;
    const family = this.shownFamily();
    this.family.value = family;
    const members = new Map(this.families).get(family);
    for (const {name, box} of this.boxes) box.checked = !filter.hidden.has(name);
    for (const {name, chip} of this.chips) chip.setAttribute('aria-pressed', String(filter.verdicts.has(name)));
    const all = this.index.implementations.length;
    const isShown = (name) => !filter.hidden.has(name) && (!members || members.includes(name));
    const shown = this.index.implementations.filter((one) => isShown(one.name)).length;
    this.columnsTitle.textContent = shown === all ? `All ${all} implementations` : `${shown} of ${all} implementations`;
    const filtering = filterQuery(filter).length > 0;
    this.clear.hidden = !filtering;
    const count = this.matrix.apply(filter, isShown);
    this.result.textContent =
      count < this.index.cases.length ? `${counted(count, 'case')} of ${this.index.cases.length}` : '';
    this.empty.hidden = count > 0;
    this.matrix.element.hidden = count === 0;
  }
}

function option(value, text) {
  return element('option', {value}, text);
}

function groupedClauses(clauses, used) {
  const chapters = new Map();
  clauses.forEach((clause, index) => {
    if (!used.has(index)) return;
    if (!chapters.has(clause.chapter)) chapters.set(clause.chapter, []);
    chapters.get(clause.chapter).push(option(clause.id, clause.id));
  });
  return [...chapters].map(([label, options]) => element('optgroup', {label}, options));
}

const VERDICT_MEANINGS = {
  pass: 'an allowed order',
  fail: 'no delay explains the order, or nothing depends on time and it repeats',
  inconclusive: 'late on every try, or not decided',
  suspect: 'late, but its own times contradict that, or nothing was slow',
  missing: 'it lacks what the version that it claims to be has',
  unsupported: 'it lacks something that the case uses',
  unspecified: 'recorded, not judged',
  timeout: 'no answer in time',
  crash: 'it ended in a way that no program requests',
  'protocol-error': 'the adapter broke the protocol',
};

function legend(verdicts) {
  return element(
    'dl',
    {class: 'legend'},
    verdicts.map((name) =>
      element(
        'div',
        {},
        element('dt', {}, element('span', {class: `sample v-${name}`, 'aria-hidden': 'true'}), name),
        element('dd', {}, VERDICT_MEANINGS[name]),
      ),
    ),
  );
}
