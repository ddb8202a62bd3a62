// The program of a case: as programs that stand alone, JavaScript first, and in the case language.

function programParts(known) {
  const tabs = known.exports.map((one) => ({
    title: one.language,
    code: one.code,
    steps: one.steps,
    file: one.file,
    refused: one.refused,
    what: `the program in ${one.language}`,
  }));
  if (known.program) tabs.push({title: 'Case language', code: known.program, what: 'the program'});
  return tabs.length ? tabList(tabs) : null;
}

// Tabs as assistive technology knows them: the arrows move between them, and one panel is shown.
function tabList(tabs) {
  const buttons = tabs.map((tab, i) =>
    element('button', {type: 'button', role: 'tab', id: `tab-${i}`, 'aria-controls': `tab-panel-${i}`}, tab.title),
  );
  const panels = tabs.map((tab, i) =>
    element(
      'div',
      {role: 'tabpanel', id: `tab-panel-${i}`, 'aria-labelledby': `tab-${i}`, class: 'program'},
      tab.refused
        ? element('p', {class: 'refused'}, `Not as ${tab.title}: ${tab.refused}.`)
        : [
            element(
              'div',
              {class: 'program-head'},
              tab.file ? element('code', {}, tab.file) : element('span'),
              copyButton(tab.code, tab.what),
            ),
            codeBlock(tab.title, tab.steps || tab.code),
            tab.steps &&
              element(
                'details',
                {class: 'whole'},
                element('summary', {}, 'The whole file, which runs by itself'),
                codeBlock(`${tab.title}, the whole file`, tab.code),
              ),
          ],
    ),
  );
  const choose = (chosen) => {
    buttons.forEach((button, i) => {
      button.setAttribute('aria-selected', String(i === chosen));
      button.tabIndex = i === chosen ? 0 : -1;
      panels[i].hidden = i !== chosen;
    });
  };
  buttons.forEach((button, i) => {
    button.addEventListener('click', () => choose(i));
    button.addEventListener('keydown', (event) => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (!step) return;
      event.preventDefault();
      const next = (i + step + buttons.length) % buttons.length;
      choose(next);
      buttons[next].focus();
    });
  });
  choose(Math.max(
    0,
    tabs.findIndex((tab) => !tab.refused),
  ));
  return [element('div', {role: 'tablist', class: 'tabs', 'aria-label': 'Program'}, buttons), panels];
}

function codeBlock(name, code) {
  return element('pre', {tabindex: '0', 'aria-label': name}, element('code', {}, code));
}
