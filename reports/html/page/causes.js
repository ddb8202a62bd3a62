// The causes: for each implementation which rules it has otherwise, as `conform causes --format=json` found them.

function causesView(index) {
  const known = new Map(index.cases.map((one) => [one.id, one]));
  return element(
    'section',
    {class: 'causes', 'aria-labelledby': 'causes-heading'},
    element('h1', {id: 'causes-heading', tabindex: '-1'}, 'Causes'),
    element(
      'p',
      {class: 'lead'},
      'Small sets of rules whose other values explain what fails. The one that explains most comes first.',
    ),
    index.causes.map((one) => causesOfOne(one, known)),
  );
}

function causesOfOne(found, known) {
  return [
    element('h2', {}, `${found.implementation}, held to ${found.profile}`),
    element(
      'p',
      {class: 'details'},
      `${counted(found.causes.length, 'cause')} for ${found.explained} of ${counted(found.failing, 'failing case')}; ` +
        `${found.contradicted.length} of ${found.passing} that pass are contradicted.`,
    ),
    found.unexplained.length > 0 &&
      element(
        'p',
        {class: 'details'},
        'Unexplained: ',
        caseList(
          found.unexplained.map((one) => one.case),
          known,
        ),
      ),
    found.causes.map((cause) => causeArticle(cause, found, known)),
  ];
}

function causeArticle(cause, found, known) {
  const {change, program} = cause;
  return element(
    'article',
    {class: 'question'},
    element('h3', {}, change.summary),
    element(
      'p',
      {},
      `${change.words} `,
      element('span', {class: 'rule'}, `${change.rule}: ${change.to}, where ${found.profile} has ${change.from}`),
      ' · ',
      element('a', {href: viewLink('spec', change.clause)}, change.clause),
    ),
    program && element('pre', {}, program.steps.join('\n')),
    program &&
      element(
        'p',
        {class: 'details'},
        `${found.profile} gives `,
        element('code', {}, program.expected.join(' ')),
        `, ${found.implementation} `,
        element('code', {}, program.given.join(' ')),
        confirmationText(cause),
      ),
    program &&
      program.script &&
      element(
        'details',
        {},
        element('summary', {}, 'Stand-alone program'),
        element('pre', {}, program.script),
      ),
    (cause.reports || []).map((one) => element('p', {}, `${one.about}: `, safeLink(one.report))),
    cause.cannot_be_told_apart_from.length > 0 &&
      element(
        'p',
        {class: 'details'},
        `Indistinguishable from ${cause.cannot_be_told_apart_from.map((one) => `${one.rule}=${one.to}`).join(', ')}`,
      ),
    element('p', {class: 'details'}, `Explains ${counted(cause.explains.length, 'case')}: `, caseList(cause.explains, known)),
    cause.mends.length > 0 &&
      element('p', {class: 'details'}, `Fixing this alone mends ${cause.mends.length}: `, caseList(cause.mends, known)),
  );
}

function confirmationText({confirmation}) {
  return confirmation ? `, in ${confirmation.as_predicted} of ${counted(confirmation.runs, 'fresh process', 'fresh processes')}` : '';
}

function caseList(ids, known) {
  return ids.map((id, i) => [
    i > 0 && ', ',
    known.has(id) ? element('a', {href: caseLink(known.get(id))}, id) : id,
  ]);
}
