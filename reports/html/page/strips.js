// The history of a case by release: neighbouring releases that behave alike are one segment of a strip.

// Kinds of implementations of which there are several versions: [{kind, members: [implementation index, …]}, …]; the
// oldest version comes first.
function histories(implementations) {
  const kinds = new Map();
  implementations.forEach((one, index) => {
    if (!one.version) return;
    if (!kinds.has(one.kind)) kinds.set(one.kind, []);
    kinds.get(one.kind).push(index);
  });
  return [...kinds]
    .filter(([, members]) => members.length > 1)
    .map(([kind, members]) => ({
      kind,
      members: members.sort((a, b) => compareVersions(implementations[a].version, implementations[b].version)),
    }));
}

// `cellOf(index)` is {verdict, behaviours: […]}, or null where there is no result.
function segments(members, cellOf) {
  const found = [];
  for (const member of members) {
    const cell = cellOf(member);
    const key = cell ? `${cell.verdict === 'pass' ? '' : cell.verdict}/${cell.behaviours.join(',')}` : '';
    const last = found[found.length - 1];
    if (last && last.key === key) last.members.push(member);
    else found.push({key, cell, members: [member]});
  }
  return found;
}

function changes(members, cellOf) {
  const seen = segments(members, cellOf).filter((one) => one.cell && one.cell.behaviours.length > 0);
  return seen.some((one) => one.cell.behaviours.join() !== seen[0].cell.behaviours.join());
}

// Letters in the order of time: the number of each behaviour, by when it is first met in any of `kinds`.
function behaviourRanks(kinds, cellOf) {
  const met = kinds.flatMap((kind) => kind.members.flatMap((member) => (cellOf(member) || {behaviours: []}).behaviours));
  return new Map([...new Set(met)].map((behaviour, rank) => [behaviour, rank]));
}

// The strip itself: a list, so that it is read one by one. `texts` holds what each behaviour is, `ranks` its letter.
function strip(history, implementations, cellOf, texts, ranks) {
  const version = (member) => implementations[member].version;
  const items = segments(history.members, cellOf).map((segment) => {
    const [first, last] = [segment.members[0], segment.members[segment.members.length - 1]];
    const range = first === last ? version(first) : `${version(first)} – ${version(last)}`;
    const {verdict, behaviours} = segment.cell || {verdict: 'no result', behaviours: []};
    const rank = behaviours.length === 1 ? ranks.get(behaviours[0]) : null;
    const letter = rank !== null ? behaviourLetter(rank) : behaviours.length ? '*' : '–';
    const orders = behaviours.map((index) => texts[index]).join(' | ');
    const item = element(
      'li',
      {
        class: `segment behaviour-${rank !== null ? rank % 6 : 'none'} v-${verdict}`,
        title: `${history.kind} ${range}: ${orders || verdict}`,
      },
      element('span', {class: 'letter', 'aria-hidden': 'true'}, letter),
      element('span', {class: 'range'}, range),
      spoken(`: ${verdict}, `),
      orders ? element('code', {class: 'order'}, orders) : spoken('nothing observed'),
    );
    item.style.flexGrow = segment.members.length;
    return item;
  });
  return element('ol', {class: 'strip', 'aria-label': `${history.kind} by release`}, items);
}
