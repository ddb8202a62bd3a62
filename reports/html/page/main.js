// Puts the page together: frame, navigation, and the view that the address names.

const made = new Map(); // views that were opened already

function makeView(name) {
  const {index} = report;
  switch (name) {
    case 'matrix':
      return new MatrixView(index);
    case 'spec':
      return new SpecView(index);
    case 'causes':
      return {element: causesView(index)};
    case 'survey':
      return {element: surveyView(index)};
    case 'history':
      return new HistoryView(index);
    default:
      return {element: startView(index)};
  }
}

function availableViews(shared) {
  const there = {
    causes: Boolean(shared.causes),
    survey: Boolean(shared.survey),
    history: histories(shared.implementations).length > 0,
  };
  return VIEWS.filter(([name]) => there[name] !== false);
}

function frame() {
  const nav = element('nav', {'aria-label': 'Views'});
  const main = element('main', {id: 'content'});
  document.body.append(
    element(
      'a',
      {
        class: 'skip',
        href: '#content',
        on: {
          click: (event) => {
            event.preventDefault();
            focusHeading(main);
          },
        },
      },
      'Skip to the content',
    ),
    element(
      'header',
      {class: 'top'},
      element('a', {class: 'brand', href: viewLink('start')}, 'conform', element('span', {}, 'report')),
      nav,
    ),
    watchDrops((index) => {
      report.index = index;
      report.frame = index;
      made.clear();
      showViews(parts);
      show(parts, false);
    }),
    main,
    element(
      'footer',
      {},
      `Made by conform ${report.frame.conform}. Press / to search, and the arrows to move in the matrix.`,
    ),
  );
  const parts = {main, nav};
  showViews(parts);
  return parts;
}

// The navigation: views come and go with the results that are shown.
function showViews(parts) {
  parts.views = availableViews(report.frame);
  parts.links = parts.views.map(([name, title]) =>
    element('a', {href: viewLink(name), 'data-view': name}, title),
  );
  parts.nav.replaceChildren(...(report.frame.site ? [siteLink(report.frame.site)] : []), ...parts.links);
}

// To the site that this report is part of.
function siteLink(address) {
  return element('a', {href: report.root + address}, '← Site');
}

function focusHeading(main) {
  const heading = main.querySelector('h1');
  if (heading) heading.focus();
}

// A view of the index, or in a report of one file a case.
function show(parts, first) {
  let {view, rest, query} = readAddress();
  let opened = null;
  if (view === 'case' && report.single) opened = singleCase(rest);
  if (view === 'dropped') opened = droppedCase(rest);
  if (!opened) {
    if (!parts.views.some(([name]) => name === view)) view = 'start';
    if (!made.has(view)) made.set(view, makeView(view));
    opened = made.get(view);
  }
  for (const link of parts.links) {
    if (link.dataset.view === view) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  parts.main.replaceChildren(opened.element);
  const title = ['case', 'dropped'].includes(view) ? rest : VIEWS.find(([name]) => name === view)[1];
  document.title = `${title} · conform report`;
  if (!first) scrollTo(0, 0);
  const moved = opened.open && opened.open(query, rest);
  if (!first && !moved) focusHeading(parts.main);
}

function singleCase(id) {
  const index = dropped.own.cases.findIndex((one) => one.id === id);
  return index < 0 ? null : new CaseView(readData(`case-${index}`));
}

function start() {
  report.index = readData('index');
  report.frame = report.index || readData('frame');
  report.root = document.body.dataset.root;
  report.single = document.getElementById('case-0') !== null;
  const parts = frame();
  document.addEventListener('keydown', onShortcut);
  if (report.index) {
    show(parts, true);
    addEventListener('hashchange', () => show(parts, false));
    return;
  }
  const view = new CaseView(readData('case'));
  parts.main.append(view.element);
  view.open(readAddress().query);
  addEventListener('hashchange', () => view.open(readAddress().query));
}

function onShortcut(event) {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest('input:not([type=checkbox]), select, textarea')) return;
  event.preventDefault();
  const search = document.getElementById('filter-text');
  if (search) search.focus();
  else location.href = viewLink('matrix', '', {find: 1});
}

start();
