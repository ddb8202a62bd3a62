// The rules by loop: for each question what every loop answers, as `conform rules --format=json` found it.

function rulesView(index) {
  const {loops, rules, missing} = index.rules;
  const known = new Map(index.cases.map((one) => [one.id, one]));
  const rows = rules.map((rule) =>
    element(
      'tr',
      {},
      element(
        'th',
        {scope: 'row'},
        element('span', {class: 'rule'}, rule.rule),
        element('span', {class: 'details'}, rule.question),
        rule.cases.map((id) =>
          element('span', {class: 'details'}, known.has(id) ? element('a', {href: caseLink(known.get(id))}, id) : id),
        ),
      ),
      loops.map((loop) => answerCell(rule.answers[loop])),
    ),
  );
  return element(
    'section',
    {'aria-labelledby': 'rules-heading'},
    element('h1', {id: 'rules-heading', tabindex: '-1'}, 'Rules by loop'),
    element(
      'p',
      {class: 'lead'},
      `${counted(rules.length, 'rule')}, answered by ${counted(loops.length, 'loop')}. ` +
        'Nothing here is judged: this is what the loops do.',
    ),
    plainTable('rules', ['Rule', ...loops], rows),
    missing.length > 0 && element('p', {class: 'details'}, `Not asked: ${missing.map((one) => one.name).join(', ')}`),
  );
}

// {state, answer, orders: [{order, count}, …]}
function answerCell(answer) {
  if (!answer || answer.state === 'unsupported') {
    return element(
      'td',
      {class: 'none', title: answer && answer.answer},
      element('span', {'aria-hidden': 'true'}, '–'),
      spoken('has no such steps'),
    );
  }
  const orders = answer.orders.map(({order, count}) => `${count} × ${order}`).join('\n');
  return element('td', {title: orders || null, class: answer.state === 'answered' ? null : 'unsure'}, answer.answer);
}
