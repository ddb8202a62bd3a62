// The start page: how each implementation did, what the colours mean, and what differs most.

const MOST = 12; // clauses in the list of what differs most
const AGAINST = ['fail', 'suspect', 'missing', 'timeout', 'crash', 'protocol-error'];

function startView(index) {
  const groups = new Map();
  for (const i of columnOrder(index.implementations)) {
    const one = index.implementations[i];
    const family = familiesOf(one).join(', ') || 'no profile';
    if (!groups.has(family)) groups.set(family, []);
    groups.get(family).push(one);
  }
  return element(
    'section',
    {class: 'start', 'aria-labelledby': 'start-heading'},
    element('h1', {id: 'start-heading', tabindex: '-1'}, 'Order of callbacks'),
    element('p', {class: 'lead'}, summaryText(index)),
    index.incomplete.map((sentence) => element('p', {class: 'warning'}, sentence)),
    [...groups].map(([family, members]) => familySection(index, family, members, groups.size > 1)),
    legend(index.verdicts.filter((name) => index.totals[name])),
    mostBroken(index),
    chooseFiles(),
    filesSection(index),
  );
}

function summaryText(index) {
  const {cases, implementations, clauses, files} = index;
  const tested = new Set(cases.flatMap((one) => one.clauses));
  const days = [...new Set(files.map((file) => file.started.slice(0, 10)).filter(Boolean))].sort();
  const when = days.length > 1 ? `, ${days[0]} to ${days[days.length - 1]}` : days.length ? `, ${days[0]}` : '';
  return (
    `${counted(cases.length, 'case')} on ${counted(implementations.length, 'implementation')}, about ` +
    `${tested.size} of ${counted(clauses.length, 'clause')}${when}`
  );
}

// Those that deviate most come first, and of releases the newest.
function byInterest(members) {
  const deviations = (one) => AGAINST.reduce((sum, verdict) => sum + (one.totals[verdict] || 0), 0);
  return [...members].reverse().sort((a, b) => deviations(b) - deviations(a));
}

function familySection(index, family, members, titled) {
  return element(
    'section',
    {class: 'bars'},
    titled && element('h2', {}, `Held to ${family}`),
    element(
      'ul',
      {},
      byInterest(members).map((one) => implementationBar(index, one)),
    ),
  );
}

function implementationBar(index, one) {
  const sum = Object.values(one.totals).reduce((all, count) => all + count, 0);
  // The name of a commit is known by its beginning.
  const short = (version) => (/^[0-9a-f]{20,}$/.test(version) ? version.slice(0, 10) : version);
  const details = Object.entries(one.details).map(([name, version]) => `${name} ${short(version)}`);
  const held = one.profiles.length > 3 ? counted(one.profiles.length, 'profile') : one.profiles.join(', ');
  if (held !== one.name) details.unshift(`held to ${held}`);
  return element(
    'li',
    {},
    element('a', {class: 'name', href: viewLink('matrix', '', {only: one.name})}, one.name),
    element('div', {}, totalsBar(index.verdicts, one.totals, sum), totalsList(index, one)),
    element('span', {class: 'details'}, details.join(' · ')),
  );
}

// `313 pass · 107 fail`; what is not good leads to the cases.
function totalsList(index, one) {
  const words = index.verdicts
    .filter((name) => one.totals[name])
    .map((name) => {
      const text = `${one.totals[name].toLocaleString('en-GB')} ${name}`;
      if (name === 'pass' || name === 'unsupported') return element('li', {}, text);
      const href = viewLink('matrix', '', {verdict: name, only: one.name});
      const label = `${text} on ${one.name}`;
      return element('li', {class: `v-${name}`}, element('a', {href, 'aria-label': label}, text));
    });
  return element('ul', {class: 'totals'}, words.length ? words : element('li', {}, 'no results'));
}

// A bar whose parts are as long as the verdicts are frequent; the numbers are beside it as text.
function totalsBar(verdicts, totals, sum) {
  const bar = element('span', {class: 'bar', 'aria-hidden': 'true'});
  for (const name of verdicts) {
    if (!totals[name]) continue;
    const part = element('span', {class: `v-${name}`});
    part.style.flexGrow = totals[name] / sum;
    bar.append(part);
  }
  return bar;
}

// The clauses that most implementations break, then those with the most failing cases.
function mostBroken(index) {
  const standings = clauseStandings(index);
  const broken = index.clauses
    .map((clause, i) => ({clause, standing: standings[i]}))
    .filter(({standing}) => standing.failing)
    .sort((a, b) => b.standing.failures.size - a.standing.failures.size || b.standing.failing - a.standing.failing);
  if (!broken.length) return null;
  return element(
    'section',
    {'aria-labelledby': 'most-heading'},
    element('h2', {id: 'most-heading'}, 'What differs most'),
    element(
      'ol',
      {class: 'most'},
      broken.slice(0, MOST).map(({clause, standing}) =>
        element(
          'li',
          {},
          element('a', {href: viewLink('matrix', '', {clause: clause.id, verdict: 'fail'})}, clause.id),
          element('p', {}, spans(firstSentence(clause.text))),
          element('p', {class: 'details'}, failuresText(index, standing)),
        ),
      ),
    ),
    broken.length > MOST &&
      element('p', {}, element('a', {href: viewLink('spec', '', {failing: 1})}, `All ${broken.length} clauses`)),
  );
}

function firstSentence(text) {
  const [paragraph] = text.trim().split(/\n\s*\n/);
  return paragraph.replace(/\s+/g, ' ').replace(/^(.*?\.)( .*)$/, '$1');
}

function failuresText(index, standing) {
  const by = [...standing.failures].map(([i, count]) => `${count} on ${index.implementations[i].name}`);
  return `${standing.failing} of ${counted(standing.cases.length, 'case')}: ${by.join(', ')}`;
}

function filesSection(index) {
  return element(
    'details',
    {class: 'sources'},
    element('summary', {}, counted(index.files.length, 'results file')),
    element(
      'ul',
      {class: 'files'},
      index.files.map((file) =>
        element(
          'li',
          {},
          element('b', {}, file.path),
          ` · ${counted(file.results, 'result')} of ${file.planned.toLocaleString('en-GB')}`,
          file.started && ` · ${file.started}`,
          ` · conform ${file.conform}`,
          file.command && element('code', {class: 'command'}, file.command),
        ),
      ),
    ),
  );
}
