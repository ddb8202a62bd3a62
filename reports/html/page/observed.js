// What each implementation did in one case. `view` is a CaseView.

// What wants to be looked at first.
const VERDICT_ORDER = [
  'fail',
  'crash',
  'protocol-error',
  'timeout',
  'missing',
  'suspect',
  'inconclusive',
  'unspecified',
  'pass',
  'unsupported',
];

// One row for all that did the same with the same verdict; what is wrong comes first.
function observedSection(view) {
  const {results, traces} = view.data;
  const groups = new Map();
  for (const result of results) {
    const orders = result.tries.map((one) => [orderText(traces[one.trace]), one.standing, one.trouble]);
    const expected = orders.length ? result.expected : '';
    const key = JSON.stringify([result.verdict, result.basis, orders, expected, result.known]);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(result);
  }
  const rank = (group) => VERDICT_ORDER.indexOf(verdictName(group[0].verdict));
  const rows = [...groups.values()].sort((a, b) => rank(a) - rank(b)).map((group) => observedRow(view, group));
  return element(
    'section',
    {'aria-labelledby': 'observed-heading'},
    element('h2', {id: 'observed-heading'}, 'What each implementation did'),
    plainTable('observed', ['Verdict', 'Order', 'Implementations'], rows),
  );
}

function observedRow(view, group) {
  const [first] = group;
  const verdict = verdictName(first.verdict);
  const details = group.flatMap((result) => [result.reason, ...result.tries.map((one) => one.trouble)]);
  const reasons = [...new Set(details.filter(Boolean))].map((text) => element('p', {class: 'reason'}, text));
  if (first.known) reasons.push(knownLine(first.known));
  const wrong = !['pass', 'unsupported'].includes(verdict);
  const members = group.map((result) => memberItem(view, result));
  return element(
    'tr',
    {},
    element(
      'th',
      {scope: 'row', class: first.known && 'known'},
      verdictWord(verdict),
      first.basis && element('p', {class: 'basis'}, `by ${first.basis}`),
    ),
    element('td', {}, first.tries.length > 0 && triesList(view, group), reasons, wrong && reproduceLine(first)),
    element('td', {}, element('ul', {class: 'members'}, members)),
  );
}

// What the baseline says. A link is one only where it is an address of the web.
function knownLine({text, reason, link}) {
  const address = /^https?:\/\//.test(link) && element('a', {href: link, rel: 'noreferrer'}, link);
  return element('p', {class: 'reason'}, [text, reason].filter(Boolean).join(': '), address && ' ', address);
}

function reproduceLine({reproduce}) {
  if (!reproduce) return null;
  return element('p', {class: 'reproduce'}, element('code', {}, reproduce), copyButton(reproduce, 'the command'));
}

// Its name, and what it was held to where that is something else.
function memberItem(view, result) {
  const name = view.name(result);
  const held = profilesText(result.profiles);
  return element('li', {}, name, !name.includes(held) && element('span', {class: 'held'}, ` held to ${held}`));
}

function triesList(view, group) {
  const [first] = group;
  const counts = first.tries.map((one, i) => group.reduce((sum, result) => sum + result.tries[i].count, 0));
  const all = counts.reduce((sum, count) => sum + count, 0);
  const items = first.tries.map((one, i) => {
    const words = [];
    if (counts.length > 1) words.push(`${counts[i]} of ${all}`);
    if (one.standing && one.standing !== 'on-time') words.push(one.standing);
    const order = markedOrder(view, first, view.data.traces[one.trace]);
    return element('li', {}, order, ' ', element('span', {class: 'times'}, words.join(' · ')));
  });
  return element('ul', {class: 'orders'}, items);
}

// The order, with the first label marked that the nearest allowed order has not there.
function markedOrder(view, result, trace) {
  const nearest = view.nearest(result, trace);
  const difference = nearest && firstDifference(nearest, trace);
  if (!difference) return element('code', {}, orderText(trace));
  const before = trace.events.slice(0, difference.b);
  const after = trace.events.slice(difference.b + 1);
  const at = trace.events[difference.b];
  return element(
    'code',
    {},
    before.length > 0 && `${orderText({events: before})} `,
    element('mark', {}, at ? orderText({events: [at]}) : 'end'),
    (after.length > 0 || trace.cut) && ` ${orderText({events: after, cut: trace.cut})}`,
  );
}
