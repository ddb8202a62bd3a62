// The spec: every clause with its text and its standing, which is what the cases that cite it found.

class SpecView {
  constructor(index) {
    this.standings = clauseStandings(index);
    this.chapters = [];
    index.clauses.forEach((clause, i) => {
      const standing = this.standings[i];
      let chapter = this.chapters.find((one) => one.title === clause.chapter);
      if (!chapter) this.chapters.push((chapter = {title: clause.chapter, clauses: []}));
      chapter.clauses.push({article: clauseArticle(index, clause, standing), broken: standing.failing > 0});
    });
    this.box = element('input', {type: 'checkbox'});
    this.box.addEventListener('change', () => {
      history.replaceState(null, '', address('spec', '', this.box.checked ? {failing: 1} : {}));
      this.show();
    });
    const tested = this.standings.filter((one) => one.cases.length).length;
    const broken = this.standings.filter((one) => one.failing).length;
    this.element = element(
      'section',
      {class: 'spec', 'aria-labelledby': 'spec-heading'},
      element('h1', {id: 'spec-heading', tabindex: '-1'}, 'The spec'),
      element(
        'p',
        {class: 'lead'},
        `${counted(index.clauses.length, 'clause')}: ${tested} with results, ${broken} that some ` +
          'implementation fails',
      ),
      element('label', {class: 'check'}, this.box, 'Only clauses that some implementation fails'),
      element('div', {class: 'spec-columns'}, this.makeContents(), element('div', {}, this.makeChapters())),
    );
  }

  makeContents() {
    const items = this.chapters.map((chapter, i) => {
      const broken = chapter.clauses.filter((one) => one.broken).length;
      const go = (event) => {
        event.preventDefault();
        const heading = document.getElementById(`chapter-${i}`);
        heading.scrollIntoView({block: 'start'});
        heading.focus({preventScroll: true});
      };
      chapter.item = element(
        'li',
        {},
        element('a', {href: address('spec'), on: {click: go}}, chapter.title),
        broken > 0 && element('span', {class: 'failing-count'}, `${broken} failing`),
      );
      return chapter.item;
    });
    return element('nav', {class: 'contents', 'aria-label': 'Chapters'}, element('ol', {}, items));
  }

  makeChapters() {
    return this.chapters.map((chapter, i) => {
      chapter.section = element(
        'section',
        {'aria-labelledby': `chapter-${i}`},
        element('h2', {id: `chapter-${i}`, tabindex: '-1'}, chapter.title),
        chapter.clauses.map((one) => one.article),
      );
      return chapter.section;
    });
  }

  show() {
    for (const chapter of this.chapters) {
      for (const one of chapter.clauses) one.article.hidden = this.box.checked && !one.broken;
      const empty = chapter.clauses.every((one) => one.article.hidden);
      chapter.section.hidden = empty;
      chapter.item.hidden = empty;
    }
  }

  // Returns whether it moved to a clause.
  open(query, id) {
    this.box.checked = query.get('failing') === '1';
    this.show();
    const found = id && document.getElementById(`clause-${id}`);
    if (!found) return false;
    found.scrollIntoView({block: 'start'});
    found.focus({preventScroll: true});
    return true;
  }
}

// For each clause: its cases, and the failing ones by implementation.
function clauseStandings(index) {
  const standings = index.clauses.map(() => ({cases: [], failing: 0, failures: new Map()}));
  for (const one of index.cases) {
    const failed = one.cells.flatMap((cell, i) => (cell && verdictName(cell[0]) === 'fail' ? [i] : []));
    for (const clause of one.clauses) {
      const standing = standings[clause];
      standing.cases.push(one);
      if (failed.length) ++standing.failing;
      for (const i of failed) standing.failures.set(i, (standing.failures.get(i) || 0) + 1);
    }
  }
  return standings;
}

function clauseArticle(index, clause, standing) {
  const state = !standing.cases.length ? 'untested' : standing.failing ? 'failing' : 'holding';
  const words = {
    untested: 'no results',
    failing: `${standing.failing} of ${counted(standing.cases.length, 'case')} with a failure`,
    holding: `${counted(standing.cases.length, 'case')}, none fails`,
  }[state];
  const failures = [...standing.failures].map(([i, count]) => `${count} on ${index.implementations[i].name}`);
  return element(
    'article',
    {class: `clause ${state}`, id: `clause-${clause.id}`, tabindex: '-1'},
    element('h3', {}, clause.id),
    element('p', {class: 'binding'}, element('b', {}, clause.level), clause.applies && ` · ${clause.applies}`),
    prose(clause.text),
    element(
      'p',
      {class: 'standing'},
      element('span', {class: 'dot', 'aria-hidden': 'true'}),
      standing.cases.length ? element('a', {href: viewLink('matrix', '', {clause: clause.id})}, words) : words,
      failures.length > 0 && ` · ${failures.join(', ')}`,
    ),
  );
}
