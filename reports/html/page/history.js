// The history by release: a strip for each case whose behaviour changed between the releases that ran.

class HistoryView {
  constructor(index) {
    this.index = index;
    this.kinds = histories(index.implementations);
    this.body = element('div', {});
    this.box = element('input', {type: 'checkbox'});
    this.box.addEventListener('change', () => {
      history.replaceState(null, '', address('history', '', this.box.checked ? {all: 1} : {}));
      this.show();
    });
    this.element = element(
      'section',
      {class: 'history', 'aria-labelledby': 'history-heading'},
      element('h1', {id: 'history-heading', tabindex: '-1'}, 'History by release'),
      element('p', {class: 'lead'}, 'Releases with the same letter ran the callbacks of a case in the same order.'),
      element('label', {class: 'check'}, this.box, 'Include cases without a change'),
      this.body,
    );
  }

  open(query) {
    this.box.checked = query.get('all') === '1';
    this.show();
  }

  show() {
    this.body.replaceChildren(...this.kinds.map((kind) => this.section(kind)));
  }

  section(kind) {
    const {cases, implementations} = this.index;
    const changed = cases.filter((one) => changes(kind.members, (member) => cellOf(one, member)));
    const shown = this.box.checked ? cases : changed;
    const versions = kind.members.map((member) => implementations[member].version).join(', ');
    return element(
      'section',
      {},
      element('h2', {}, kind.kind),
      element('p', {class: 'details'}, `${counted(kind.members.length, 'release')}: ${versions}`),
      element('p', {}, `${counted(changed.length, 'case')} of ${cases.length} changed`),
      element(
        'ul',
        {class: 'strips'},
        shown.map((one) => this.caseItem(kind, one)),
      ),
    );
  }

  caseItem(kind, one) {
    const cell = (member) => cellOf(one, member);
    return element(
      'li',
      {},
      element('a', {href: caseLink(one)}, one.id),
      strip(kind, this.index.implementations, cell, one.behaviours, behaviourRanks(this.kinds, cell)),
    );
  }
}
