// The survey: for each question what every loop answers, as `conform survey --format=json` found it.

function surveyView(index) {
  const {loops, rules: questions, missing} = index.survey;
  const known = new Map(index.cases.map((one) => [one.id, one]));
  return element(
    'section',
    {class: 'survey', 'aria-labelledby': 'survey-heading'},
    element('h1', {id: 'survey-heading', tabindex: '-1'}, 'Survey'),
    element(
      'p',
      {class: 'lead'},
      `${counted(questions.length, 'question')}, answered by ${counted(loops.length, 'loop')}. ` +
        'Nothing here is judged: this is what the loops do.',
    ),
    questions.map((question) => questionArticle(question, loops, known)),
    missing.length > 0 && element('p', {class: 'details'}, `Not run: ${missing.map((one) => one.name).join(', ')}`),
  );
}

// Loops that answer alike share a line and a colour; the most frequent answer comes first.
function questionArticle(question, loops, known) {
  const answers = new Map();
  const without = [];
  for (const loop of loops) {
    const answer = question.answers[loop];
    if (!answer || answer.state === 'unsupported') {
      without.push(loop);
      continue;
    }
    if (!answers.has(answer.answer)) answers.set(answer.answer, []);
    answers.get(answer.answer).push({loop, answer});
  }
  const rows = [...answers].sort((a, b) => b[1].length - a[1].length);
  return element(
    'article',
    {class: 'question'},
    element('h2', {}, question.question),
    element(
      'p',
      {class: 'details'},
      element('span', {class: 'rule'}, question.rule),
      question.cases.map((id) => [
        ' · ',
        known.has(id) ? element('a', {href: caseLink(known.get(id))}, id) : id,
      ]),
    ),
    element(
      'dl',
      {class: 'answers'},
      rows.map(([text, members], i) =>
        element(
          'div',
          {class: members[0].answer.state === 'answered' ? `behaviour-${i % 6}` : 'unsure'},
          element('dt', {}, text),
          element('dd', {}, loopsList(members)),
        ),
      ),
      without.length > 0 &&
        element('div', {class: 'none'}, element('dt', {}, 'has no such steps'), element('dd', {}, without.join(', '))),
    ),
  );
}

function loopsList(members) {
  return members.map(({loop, answer}, i) => {
    const orders = answer.orders.map(({order, count}) => `${count} × ${order}`).join('\n');
    return [i > 0 && ', ', element('span', {title: orders || null}, loop)];
  });
}
