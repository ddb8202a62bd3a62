// The matrix of cases by implementation. The table is made once; filters hide rows and columns of it. Rows are laid out
// by themselves, so that a browser does so for those alone that are on the screen (content-visibility in matrix.css);
// that takes from the elements what they mean, and the roles give it back.

// Whether the baseline of the report knows what the implementation does not do right in a case.
function isKnown(one, implementation) {
  return Boolean(one.known && one.known.includes(implementation));
}

class Matrix {
  constructor(index) {
    this.index = index;
    this.rows = []; // {one, row, cells, text}
    this.groups = []; // {body, count, rows}
    this.marked = new Set(); // cells that differ
    this.current = null; // the cell that the keyboard is at
    this.columns = columnOrder(index.implementations); // the implementation of each column
    this.element = this.makeTable();
  }

  makeTable() {
    const {implementations, cases} = this.index;
    const known = (i) => cases.filter((one) => isKnown(one, i) && verdictName(one.cells[i][0]) === 'fail').length;
    this.heads = this.columns.map((i) => this.columnHead(implementations[i], known(i)));
    // A line is drawn where another kind begins.
    this.begins = this.columns.map((i, at) => at > 0 && implementations[i].kind !== implementations[this.columns[at - 1]].kind);
    this.heads.forEach((head, at) => head.classList.toggle('begins', this.begins[at]));
    const head = element(
      'thead',
      {role: 'rowgroup'},
      element(
        'tr',
        {role: 'row'},
        element(
          'th',
          {scope: 'col', role: 'columnheader', class: 'corner'},
          element('span', {}, 'Case'),
          element('span', {class: 'counts-title', 'aria-hidden': 'true'}, 'failures'),
        ),
        this.heads,
      ),
    );
    this.table = element(
      'table',
      {
        class: 'matrix',
        role: 'grid',
        'aria-label': 'Verdicts by case and implementation',
      },
      head,
    );
    const folders = new Map();
    cases.forEach((one) => {
      const folder = one.id.includes('/') ? one.id.slice(0, one.id.lastIndexOf('/')) : '';
      if (!folders.has(folder)) folders.set(folder, []);
      folders.get(folder).push(one);
    });
    for (const [folder, members] of folders) this.table.append(this.makeGroup(folder, members));
    this.table.addEventListener('keydown', (event) => this.onKey(event));
    this.table.addEventListener('click', (event) => this.onClick(event));
    this.table.addEventListener('focusin', (event) => this.onFocus(event));
    if (this.rows.length) this.setCurrent(this.rows[0].row.cells[0]);
    return element('div', {class: 'matrix-frame'}, this.table);
  }

  // `known`: how many of its failures are.
  columnHead(one, known) {
    const failures = (one.totals.fail || 0) - known;
    const profiles = one.profiles.length > 1 ? `, ${one.profiles.length} profiles` : '';
    return element(
      'th',
      {scope: 'col', role: 'columnheader', title: `${one.name}${profiles}: ${totalsText(one.totals)}`},
      element('span', {class: 'upright'}, one.name),
      element('span', {class: failures ? 'failures some' : 'failures'}, String(failures), spoken(' fail')),
    );
  }

  makeGroup(folder, members) {
    const count = element('span', {class: 'count'});
    const body = element(
      'tbody',
      {role: 'rowgroup'},
      element(
        'tr',
        {class: 'group', role: 'row'},
        element(
          'th',
          {scope: 'rowgroup', role: 'rowheader', 'aria-colspan': this.heads.length + 1},
          element('span', {}, folder || 'other cases'),
          ' ',
          count,
        ),
      ),
    );
    const group = {body, count, rows: []};
    for (const one of members) {
      const made = this.makeRow(one, folder);
      body.append(made.row);
      this.rows.push(made);
      group.rows.push(made);
    }
    this.groups.push(group);
    return body;
  }

  makeRow(one, folder) {
    const name = folder ? one.id.slice(folder.length + 1) : one.id;
    const row = element(
      'tr',
      {role: 'row'},
      element(
        'th',
        {scope: 'row', role: 'rowheader', tabindex: '-1'},
        element('a', {href: caseLink(one), tabindex: '-1', title: one.title || one.id}, name),
        element('span', {class: 'title'}, one.title),
      ),
    );
    const cells = this.columns.map((i, at) => {
      const cell = one.cells[i];
      const made = document.createElement('td');
      const begins = this.begins[at] ? ' begins' : '';
      made.tabIndex = -1;
      made.setAttribute('role', 'gridcell');
      if (cell) {
        const verdict = verdictName(cell[0]);
        made.className = `v-${verdict}${begins}`;
        made.textContent = verdict;
        if (isKnown(one, i)) {
          made.classList.add('known');
          made.title = 'known deviation';
        }
      } else {
        made.className = `none${begins}`;
        made.append(spoken('no result'));
      }
      row.append(made);
      return made;
    });
    return {one, row, cells, text: `${one.id} ${one.title} ${one.find || ''} ${one.behaviours.join(' ')}`.toLowerCase()};
  }

  // Shows what the filter lets through, and returns how many cases that are. Of the implementations that `isShown` lets
  // through, those without a result in any of these cases have no column.
  apply(filter, isShown) {
    const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
    const clause = filter.clause ? this.index.clauses.findIndex((one) => one.id === filter.clause) : -1;
    const shown = this.columns.map((i) => isShown(this.index.implementations[i].name));
    const filled = shown.map(() => false);
    const origin = this.index.implementations.findIndex((one) => one.name === filter.differs);
    for (const cell of this.marked) cell.classList.remove('differs');
    this.marked.clear();
    let count = 0;
    for (const made of this.rows) {
      made.row.hidden = !this.lets(made, {words, clause, shown, origin, filter});
      if (made.row.hidden) continue;
      ++count;
      this.columns.forEach((i, at) => {
        if (shown[at] && made.one.cells[i]) filled[at] = true;
      });
    }
    this.showColumns(filled);
    for (const group of this.groups) {
      const visible = group.rows.filter((made) => !made.row.hidden).length;
      group.body.hidden = visible === 0;
      const all = counted(group.rows.length, 'case');
      group.count.textContent = visible === group.rows.length ? all : `${visible} of ${all}`;
    }
    this.keepCurrentVisible();
    return count;
  }

  lets(made, {words, clause, shown, origin, filter}) {
    if (!words.every((word) => made.text.includes(word))) return false;
    if (filter.clause && !made.one.clauses.includes(clause)) return false;
    const cells = this.columns.map((i) => made.one.cells[i]);
    if (!cells.some((cell, i) => cell && shown[i])) return false;
    if (filter.verdicts.size && !cells.some((cell, i) => cell && shown[i] && filter.verdicts.has(verdictName(cell[0]))))
      return false;
    if (origin < 0) return true;
    const others = cells.flatMap((cell, i) =>
      shown[i] && differ(made.one.cells[origin], cell) ? [made.cells[i]] : [],
    );
    for (const cell of others) {
      cell.classList.add('differs');
      this.marked.add(cell);
    }
    return others.length > 0;
  }

  showColumns(shown) {
    this.table.style.setProperty('--columns', shown.filter(Boolean).length);
    shown.forEach((visible, i) => {
      if (this.heads[i].hidden !== visible) return;
      this.heads[i].hidden = !visible;
      for (const made of this.rows) made.cells[i].hidden = !visible;
    });
  }

  // One cell takes part in the order of the Tab key; the arrows move between cells, as in every grid.
  setCurrent(cell) {
    if (this.current) this.current.tabIndex = -1;
    this.current = cell;
    cell.tabIndex = 0;
  }

  keepCurrentVisible() {
    if (this.current && !this.current.hidden && !this.current.parentElement.hidden) return;
    const first = this.rows.find((made) => !made.row.hidden);
    if (first) this.setCurrent(first.row.cells[0]);
  }

  onFocus(event) {
    const cell = event.target.closest('td, tbody th[scope=row]');
    if (cell) this.setCurrent(cell);
  }

  onKey(event) {
    const cell = event.target.closest('td, tbody th[scope=row]');
    if (!cell || event.altKey || event.metaKey) return;
    const row = cell.parentElement;
    const rows = this.rows.filter((made) => !made.row.hidden).map((made) => made.row);
    const cells = [...row.cells].filter((one) => !one.hidden);
    const [y, x] = [rows.indexOf(row), cells.indexOf(cell)];
    const target = {
      ArrowDown: () => rows[y + 1],
      ArrowUp: () => rows[y - 1],
      PageDown: () => rows[Math.min(y + 15, rows.length - 1)],
      PageUp: () => rows[Math.max(y - 15, 0)],
    }[event.key];
    const along = {ArrowRight: x + 1, ArrowLeft: x - 1, Home: 0, End: cells.length - 1}[event.key];
    let next = null;
    if (target && target()) next = target().cells[cell.cellIndex];
    else if (along !== undefined) next = event.ctrlKey && event.key === 'Home' ? rows[0].cells[0] : cells[along];
    else if (event.key === 'Enter' && event.target === cell) this.open(cell);
    else return;
    event.preventDefault();
    if (next) next.focus();
  }

  onClick(event) {
    const cell = event.target.closest('td');
    if (cell) this.open(cell);
  }

  open(cell) {
    const {one} = this.rows.find((made) => made.row === cell.parentElement);
    const implementation = this.index.implementations[this.columns[cell.cellIndex - 1]];
    location.href = caseLink(one, implementation && implementation.name);
  }
}

// Versions of one kind beside each other, the oldest first; kinds as they came.
function columnOrder(implementations) {
  const kinds = [...new Set(implementations.map((one) => one.kind))];
  const place = (i) => kinds.indexOf(implementations[i].kind);
  return implementations
    .map((one, i) => i)
    .sort(
      (a, b) => place(a) - place(b) || compareVersions(implementations[a].version, implementations[b].version) || a - b,
    );
}

function totalsText(totals) {
  return (
    Object.entries(totals)
      .map(([verdict, count]) => `${count} ${verdict}`)
      .join(', ') || 'no results'
  );
}
