// The survey: for each question what every loop answers, as `conform survey --format=json` found it.

function surveyView(index) {
  const {loops, rules: questions, missing} = index.survey;
  const known = new Map(index.cases.map((one) => [one.id, one]));
  const rows = questions.map((question) =>
    element(
      'tr',
      {},
      element(
        'th',
        {scope: 'row'},
        element('span', {class: 'rule'}, question.rule),
        element('span', {class: 'details'}, question.question),
        question.cases.map((id) =>
          element('span', {class: 'details'}, known.has(id) ? element('a', {href: caseLink(known.get(id))}, id) : id),
        ),
      ),
      loops.map((loop) => answerCell(question.answers[loop])),
    ),
  );
  return element(
    'section',
    {'aria-labelledby': 'survey-heading'},
    element('h1', {id: 'survey-heading', tabindex: '-1'}, 'Survey'),
    element(
      'p',
      {class: 'lead'},
      `${counted(questions.length, 'question')}, answered by ${counted(loops.length, 'loop')}. ` +
        'Nothing here is judged: this is what the loops do.',
    ),
    plainTable('survey', ['Question', ...loops], rows),
    missing.length > 0 && element('p', {class: 'details'}, `Not run: ${missing.map((one) => one.name).join(', ')}`),
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
