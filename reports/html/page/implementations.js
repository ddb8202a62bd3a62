// What ran: each implementation with its totals, and the files that the results came from.

function implementationsView(index) {
  const rows = columnOrder(index.implementations).map((i) => {
    const one = index.implementations[i];
    const sum = Object.values(one.totals).reduce((all, count) => all + count, 0);
    const details = Object.entries(one.details)
      .map(([name, version]) => `${name} ${version}`)
      .join(' · ');
    const held = one.profiles.length > 3 ? counted(one.profiles.length, 'profile') : one.profiles.join(', ');
    return element(
      'tr',
      {},
      element('th', {scope: 'row'}, one.name, details && element('span', {class: 'details'}, details)),
      element('td', {}, held),
      element('td', {class: 'number'}, failuresLink(index, one)),
      element(
        'td',
        {},
        totalsBar(index.verdicts, one.totals, sum),
        element('span', {class: 'totals'}, totalsText(one.totals)),
      ),
    );
  });
  return element(
    'section',
    {'aria-labelledby': 'implementations-heading'},
    element('h1', {id: 'implementations-heading', tabindex: '-1'}, 'Implementations'),
    plainTable('', ['Implementation', 'Held to', 'Fail', 'Results'], rows),
    element('h2', {}, 'Results files'),
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

function failuresLink(index, one) {
  const failures = one.totals.fail || 0;
  if (!failures) return '0';
  const others = index.implementations.filter((other) => other !== one).map((other) => ['hide', other.name]);
  return element(
    'a',
    {
      href: viewLink('matrix', '', [['verdict', 'fail'], ...others]),
      'aria-label': `The ${counted(failures, 'failure')} of ${one.name}`,
    },
    String(failures),
  );
}

// A bar whose parts are as long as the verdicts are frequent; the numbers stand beside it as text.
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
