// The page of one case.

class CaseView {
  constructor(data) {
    this.data = data;
    this.known = data.known || null;
    const place = columnOrder(report.frame.implementations);
    data.results.sort((a, b) => place.indexOf(a.implementation) - place.indexOf(b.implementation));
    const modelled = new Set(data.allowed.flatMap((one) => one.traces));
    const modelTraces = [...modelled].map((index) => data.traces[index]);
    this.lanes = new LaneMap(this.known ? this.known.steps : [], modelTraces.concat(data.traces));
    this.picture = element('div', {class: 'pictures'});
    this.ran = data.results.filter((result) => result.tries.length > 0);
    this.element = element(
      'article',
      {class: 'case'},
      this.heading(),
      this.about(),
      this.timelineSection(),
      observedSection(this),
      this.historySection(),
    );
  }

  name(result) {
    const {name} = report.frame.implementations[result.implementation];
    const several = this.data.results.filter((other) => other.implementation === result.implementation).length > 1;
    return several ? `${name} as ${profilesText(result.profiles)}` : name;
  }

  heading() {
    const {data, known} = this;
    const step = (one, word, key) => one && element('a', {href: caseLink(one), rel: key, title: one.id}, word);
    return element(
      'header',
      {},
      element(
        'div',
        {class: 'crumbs'},
        element('a', {href: viewLink('matrix')}, 'Matrix'),
        element('span', {class: 'steps'}, step(data.previous, '← previous', 'prev'), step(data.next, 'next →', 'next')),
      ),
      element('p', {class: 'case-id'}, data.id),
      element('h1', {tabindex: '-1'}, (known && known.title) || data.id),
      data.dropped && droppedNote(data.dropped),
      !known &&
        !data.source &&
        !(data.dropped && data.dropped.page) &&
        element(
          'p',
          {class: 'warning'},
          'The catalogue has no such case, or it has changed since: only the results are known.',
        ),
      known && element('p', {class: 'settings'}, settingsText(known)),
    );
  }

  about() {
    const {known, data} = this;
    if (data.source) return sourceSection(data.source);
    if (!known) return null;
    return element(
      'div',
      {class: 'columns-2'},
      element(
        'section',
        {'aria-labelledby': 'program-heading'},
        element('h2', {id: 'program-heading'}, 'Program'),
        programParts(known),
        data.playground && element('p', {class: 'playground'}, playgroundLink(data.playground)),
      ),
      element(
        'section',
        {'aria-labelledby': 'why-heading'},
        element('h2', {id: 'why-heading'}, 'Why'),
        prose(known.why),
        known.issues.map((issue) => element('p', {class: 'issue'}, safeLink(issue))),
        element('h2', {}, 'Clauses'),
        element(
          'dl',
          {class: 'clauses'},
          known.clauses.map((clause) => [
            element(
              'dt',
              {},
              element('a', {href: viewLink('spec', clause.id)}, clause.id),
              ' ',
              element('span', {class: 'binding'}, clause.level, clause.applies && ` · ${clause.applies}`),
            ),
            element('dd', {}, prose(clause.text)),
          ]),
        ),
        element('h2', {}, 'Allowed orders'),
        this.allowedOrders(),
      ),
    );
  }

  allowedOrders() {
    const {known, data} = this;
    const rows = known.expect.map((one) => {
      const found = data.allowed.find((other) => other.pattern === one.pattern && other.traces.length > 0);
      const orders = found ? found.traces.map((index) => orderText(data.traces[index])) : [];
      const more =
        found && found.total > orders.length ? `${found.atLeast ? 'at least ' : ''}${found.total} in all` : '';
      return element(
        'tr',
        {},
        element('th', {scope: 'row'}, one.range),
        element(
          'td',
          {},
          element('code', {class: 'pattern'}, one.pattern || '(nothing)'),
          orders.length > 1 &&
            element(
              'ul',
              {class: 'orders'},
              [...new Set(orders)].map((text) => element('li', {}, text)),
              more && element('li', {class: 'more'}, more),
            ),
        ),
      );
    });
    return plainTable('expect', ['Profile', 'Pattern'], rows);
  }

  nearest(result, trace) {
    const allowed = this.data.allowed[result.allowed];
    if (!allowed || !allowed.traces.length) return null;
    const candidates = allowed.traces.map((index) => this.data.traces[index]);
    return candidates[nearestTrace(trace, candidates)];
  }

  timelineSection() {
    if (!this.ran.length) return null;
    this.chosen = element(
      'select',
      {id: 'timeline-of'},
      this.ran.map((result, i) => option(String(i), `${this.name(result)} – ${verdictName(result.verdict)}`)),
    );
    this.beside = element(
      'select',
      {id: 'timeline-beside'},
      option('', 'the expected order'),
      this.ran.map((result, i) => option(String(i), `${this.name(result)} – ${verdictName(result.verdict)}`)),
    );
    this.chosen.addEventListener('change', () => this.draw());
    this.beside.addEventListener('change', () => this.draw());
    return element(
      'section',
      {'aria-labelledby': 'timeline-heading', id: 'timeline'},
      element(
        'div',
        {class: 'section-head'},
        element('h2', {id: 'timeline-heading'}, 'Timeline'),
        element('label', {}, 'of', this.chosen),
        element('label', {}, 'beside', this.beside),
      ),
      this.picture,
    );
  }

  // Chooses what to draw: the implementation of the address, else the first that fails, else the newest; and beside it
  // what the address says, else what is expected.
  open(query) {
    if (!this.ran.length) return;
    const of = (name) =>
      this.ran.findIndex((result) => report.frame.implementations[result.implementation].name === name);
    const wanted = of(query.get('on'));
    const failed = this.ran.findIndex((result) => !['pass', 'unspecified'].includes(verdictName(result.verdict)));
    this.chosen.value = String(wanted >= 0 ? wanted : failed >= 0 ? failed : this.ran.length - 1);
    const other = of(query.get('beside'));
    this.beside.value = other >= 0 ? String(other) : '';
    this.draw();
  }

  draw() {
    const result = this.ran[Number(this.chosen.value)];
    const trace = this.data.traces[decisiveTry(result).trace];
    const other = this.beside.value === '' ? null : this.ran[Number(this.beside.value)];
    const first = other ? this.data.traces[decisiveTry(other).trace] : this.nearest(result, trace);
    const panels = [{title: `Observed on ${this.name(result)}`, trace}];
    if (first) {
      const title = other ? `Observed on ${this.name(other)}` : `Expected of ${result.profiles[0]}`;
      panels.unshift({title, trace: first});
    }
    const difference = first && firstDifference(first, trace);
    const drawn = timeline(panels, this.lanes, `Timeline of ${this.data.id} on ${this.name(result)}`);
    const caption = `${differenceText(first, difference, other)} An arrow leads from a callback to what it scheduled.`;
    this.picture.replaceChildren(element('figure', {}, drawn, element('figcaption', {}, caption)));
    // On a narrow screen the difference may be further to the right.
    const mark = drawn.querySelector('.difference line');
    if (mark) drawn.scrollLeft = Number(mark.getAttribute('x1')) - drawn.clientWidth / 2;
  }

  historySection() {
    const {implementations} = report.frame;
    const cells = new Map();
    for (const result of this.data.results) {
      const cell = cells.get(result.implementation) || {verdict: verdictName(result.verdict), behaviours: []};
      if (result.behaviour >= 0 && !cell.behaviours.includes(result.behaviour)) cell.behaviours.push(result.behaviour);
      cells.set(result.implementation, cell);
    }
    const kinds = histories(implementations).filter(
      (kind) => kind.members.filter((member) => cells.has(member)).length > 1,
    );
    if (!kinds.length) return null;
    const cellOf = (member) => cells.get(member) || null;
    const ranks = behaviourRanks(kinds, cellOf);
    return element(
      'section',
      {'aria-labelledby': 'case-history'},
      element('h2', {id: 'case-history'}, 'History by release'),
      kinds.map((kind) => [
        element('h3', {}, kind.kind),
        strip(kind, implementations, cellOf, this.data.behaviours, ranks),
        this.behaviourList(kind, cellOf, ranks),
      ]),
    );
  }

  behaviourList(kind, cellOf, ranks) {
    return element(
      'dl',
      {class: 'behaviours'},
      [...behaviourRanks([kind], cellOf).keys()].map((index) =>
        element(
          'div',
          {},
          element('dt', {class: `letter behaviour-${ranks.get(index) % 6}`}, behaviourLetter(ranks.get(index))),
          element('dd', {}, element('code', {}, this.data.behaviours[index])),
        ),
      ),
    );
  }
}

// Of a case whose results were dropped on the page, the rest stands where the report has it.
function droppedNote(one) {
  return element(
    'p',
    {class: 'lead'},
    one.title && `${one.title}. `,
    'These are the results that were dropped here. ',
    one.page && element('a', {href: caseLink(one)}, 'Program, clauses and the results of the report'),
  );
}

function differenceText(first, difference, other) {
  if (!first) return 'No single order can be named as the expected one.';
  if (difference) return `First difference: label ${difference.shared + 1}.`;
  return other ? 'Both orders are the same.' : 'The observed order is allowed.';
}

function profilesText(profiles) {
  return profiles.length > 2 ? `${profiles[0]} and ${profiles.length - 1} more profiles` : profiles.join(' and ');
}

function settingsText(known) {
  const words = [];
  if (known.entry !== 'script') words.push(`entry ${known.entry}`);
  if (known.tier !== 'must') words.push(`tier ${known.tier}`);
  if (known.pool) words.push(`pool ${known.pool}`);
  if (known.needs.length) words.push(`needs ${known.needs.join(', ')}`);
  return words.join(' · ');
}

// An address from a case file is a link only where it can be nothing but one.
function safeLink(text) {
  return /^https:\/\/[\w.-]+\/\S*$/.test(text) ? element('a', {href: text, rel: 'noreferrer noopener'}, text) : text;
}

// Every order of the program, in the browser. An address without a scheme is seen from the start page.
function playgroundLink(address) {
  const place = /^https:/.test(address) ? address : report.root + address.replace(/^[\w+.-]+:/, '');
  return element('a', {href: place}, 'Open in the playground');
}

// The text of a script, which has no expectation and no clause.
function sourceSection(text) {
  return element(
    'section',
    {'aria-labelledby': 'source-heading'},
    element('h2', {id: 'source-heading'}, 'Source'),
    copyButton(text, 'the script'),
    element('pre', {}, element('code', {}, text)),
  );
}
