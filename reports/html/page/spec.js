// The spec: every clause with its text and its standing, which is what the cases that cite it found.

function specView(index) {
  const standings = clauseStandings(index);
  const chapters = new Map();
  index.clauses.forEach((clause, i) => {
    if (!chapters.has(clause.chapter)) chapters.set(clause.chapter, []);
    chapters.get(clause.chapter).push(clauseArticle(index, clause, standings[i]));
  });
  const tested = standings.filter((one) => one.cases.length).length;
  const broken = standings.filter((one) => one.failures.size).length;
  const sections = [...chapters].map(([title, articles], i) =>
    element(
      'section',
      {'aria-labelledby': `chapter-${i}`},
      element('h2', {id: `chapter-${i}`, tabindex: '-1'}, title),
      articles,
    ),
  );
  return element(
    'section',
    {class: 'spec', 'aria-labelledby': 'spec-heading'},
    element('h1', {id: 'spec-heading', tabindex: '-1'}, 'The spec'),
    element(
      'p',
      {class: 'lead'},
      `${counted(index.clauses.length, 'clause')}: ${tested} with results, ${broken} that some ` +
        'implementation fails',
    ),
    sections,
  );
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

// After the view is on the page: scrolls to a clause.
function showClause(id) {
  const found = id && document.getElementById(`clause-${id}`);
  if (!found) return false;
  found.scrollIntoView({block: 'start'});
  found.focus({preventScroll: true});
  return true;
}
