// The orders that were found, and one of them in detail.

// {release, order, on_time, run} of all answers, equal orders once.
function mergedOrders(answers) {
  const found = new Map();
  answers.forEach((answer, index) => {
    answer.runs.forEach((run, number) => {
      const key = JSON.stringify(run.order);
      if (!found.has(key)) found.set(key, {order: run.order, of: []});
      found.get(key).of[index] = {answer, run, number};
    });
  });
  return [...found.values()].sort((a, b) => rankOf(a) - rankOf(b));
}

function rankOf(entry) {
  return entry.of.some((one) => one && one.run.on_time) ? 0 : 1;
}

function setText(set) {
  return `${set.more ? 'at least ' : ''}${counted(set.orders, 'order')}`;
}

function summary(answer) {
  const late = answer.late.orders - answer.on_time.orders;
  const parts = [`${answer.profile}: ${setText(answer.on_time)} on time`];
  if (late > 0) parts.push(`${late.toLocaleString('en-GB')} more when something is late`);
  for (const set of [answer.on_time, answer.late]) {
    if (set.limit) parts.push(`not complete: the limit on ${set.limit} was hit`);
  }
  return [...new Set(parts)].join('; ');
}

function orderList(entries, answers, chosen, labelText, choose) {
  const isCompared = answers.length > 1;
  const rows = entries.map((entry, index) => {
    const labels = entry.order.map((label) => element('span', {class: 'label'}, labelText(label)));
    const marks = answers.map((answer, i) => markOf(entry.of[i], answer, isCompared));
    const button = element(
      'button',
      {type: 'button', class: 'order', 'aria-pressed': index === chosen ? 'true' : 'false', on: {click: () => choose(index)}},
      element('span', {class: 'number'}, `${index + 1}.`),
      element('span', {class: 'labels'}, labels.length > 0 ? labels.flatMap((one) => [one, ' ']) : 'nothing'),
      element('span', {class: 'marks'}, marks),
    );
    return element('li', {}, button);
  });
  return element('ol', {class: 'order-list'}, rows);
}

function markOf(one, answer, isCompared) {
  const name = isCompared ? `${answer.profile}: ` : '';
  const text = !one ? 'never' : one.run.on_time ? 'on time' : 'late';
  if (!isCompared && text === 'on time') return null;
  const title = {never: 'not possible', 'on time': 'on time', late: 'only when something is late'}[text];
  return element('span', {class: `mark ${text.replace(' ', '-')}`}, name + title);
}

function clauseText(id, clauses) {
  return clauses[id] ? element('p', {class: 'clause'}, element('code', {}, id), ' ', spans(clauses[id])) : null;
}

// Why this order, and why not the one before it.
function reasons(one, labelText, clauses) {
  const {run, answer} = one;
  const parts = [];
  if (!run.on_time) {
    parts.push(element('p', {class: 'warning'}, 'Only when something is late: a busy machine, a slow callback.'));
  }
  if (run.differs) {
    const other = answer.runs[run.differs.from];
    const [mine, theirs] = [run, other].map((which) => which.order[run.differs.label]);
    const name = (label) => element('strong', {}, label === undefined ? 'the end' : labelText(label));
    parts.push(
      element('p', {}, `It differs from order ${run.differs.from + 1} of this release at label ${run.differs.label + 1}: `,
        name(mine), ' instead of ', name(theirs), '.'),
    );
    if (run.differs.clause) parts.push(clauseText(run.differs.clause, clauses));
  }
  if (run.choices.length > 0) {
    const rows = run.choices.slice(0, 30).map((choice) =>
      element('li', {}, `${choice.what} `, element('strong', {}, choice.taken), ` (${choice.index + 1} of ${choice.of})`),
    );
    parts.push(element('p', {}, 'What the loop may choose, and what it chose here:'), element('ul', {class: 'choices'}, rows));
    if (run.choices.length > 30) parts.push(element('p', {class: 'details'}, `and ${run.choices.length - 30} more choices`));
  } else if (answer.late.orders === 1) {
    parts.push(element('p', {}, 'There is no choice: no delay gives another order.'));
  }
  const table = run.events.slice(0, 60).map(([label, , turn, phase, clause]) =>
    element('tr', {}, element('td', {}, phase === 'main' ? '' : String(turn)), element('td', {}, phase),
      element('td', {}, labelText(label)), element('td', {}, element('code', {}, clause))),
  );
  const met = [...new Set(run.events.map((event) => event[4]).filter(Boolean))];
  parts.push(
    plainTable('events', ['turn', 'phase', 'label', 'clause'], table),
    element('details', {}, element('summary', {}, counted(met.length, 'clause')), met.map((id) => clauseText(id, clauses))),
  );
  return parts;
}

function traceOf(run) {
  return {events: run.events, cut: 0};
}

// The other release: an order of it that this one does not have, or its first.
function orderBeside(one, answers) {
  const other = answers.find((which) => which !== one.answer);
  if (!other) return null;
  const mine = JSON.stringify(one.run.order);
  if (other.runs.some((run) => JSON.stringify(run.order) === mine && run.on_time === one.run.on_time)) return null;
  const differs = other.runs.find((run) => JSON.stringify(run.order) !== mine);
  return differs ? {answer: other, run: differs} : null;
}

// Where the two releases differ first, and by which clauses.
function releasesPart(one, beside, labelText, clauses) {
  const difference = firstDifference(traceOf(one.run), traceOf(beside.run));
  if (!difference) return [];
  const side = (which, index) => {
    const event = which.run.events[index];
    const label = event ? labelText(event[0]) : 'the end';
    return [element('strong', {}, label), ` on ${which.answer.profile}`];
  };
  const ids = [one.run.events[difference.a], beside.run.events[difference.b]].map((event) => event && event[4]);
  return [
    element('p', {}, `First difference, at label ${difference.shared + 1}: `, side(one, difference.a), ', ', side(beside, difference.b), '.'),
    ...[...new Set(ids.filter(Boolean))].map((id) => clauseText(id, clauses)),
  ];
}

// The picture, and beside it the order that it is compared with, or what the other release does instead.
function pictureOf(one, beside) {
  const {run, answer} = one;
  const panels = [{title: answer.profile, trace: traceOf(run)}];
  if (beside) panels.push({title: beside.answer.profile, trace: traceOf(beside.run)});
  else if (run.differs) {
    const other = answer.runs[run.differs.from];
    panels[0].title = `order ${one.number + 1} of ${answer.profile}`;
    panels.unshift({title: `order ${run.differs.from + 1} of ${answer.profile}`, trace: traceOf(other)});
  }
  const steps = answer.steps.map((step) => ({...step, parent: answer.steps.findIndex((outer) => outer.id === step.parent)}));
  const lanes = new LaneMap(steps, panels.map((panel) => panel.trace));
  return timeline(panels, lanes, 'Callbacks by phase and queue, from left to right');
}

function detailOf(entry, number, answers, labelText, clauses) {
  const one = entry.of.find(Boolean);
  const beside = orderBeside(one, answers);
  return [
    element('h2', {id: 'detail-title', tabindex: '-1'}, `Order ${number + 1}`,
      element('span', {class: 'details'}, `on ${one.answer.profile}`)),
    element('h3', {}, 'Step by step'),
    stepper(one.answer, one.run, labelText),
    element('h3', {}, 'As a picture'),
    pictureOf(one, beside),
    element('h3', {}, 'Why'),
    ...(beside ? releasesPart(one, beside, labelText, clauses) : []),
    ...reasons(one, labelText, clauses),
  ];
}
