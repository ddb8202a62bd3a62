// The program of a case: in the case language, and as programs that stand alone.

function programParts(known) {
  const tabs = [];
  if (known.program) tabs.push({title: 'Case language', code: known.program, what: 'the program'});
  for (const one of known.exports) {
    tabs.push({
      title: one.language,
      code: one.code,
      file: one.file,
      refused: one.refused,
      what: `the program in ${one.language}`,
    });
  }
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
            element('pre', {tabindex: '0', 'aria-label': tab.title}, element('code', {}, tab.code)),
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
  choose(0);
  return [element('div', {role: 'tablist', class: 'tabs', 'aria-label': 'Program'}, buttons), panels];
}
