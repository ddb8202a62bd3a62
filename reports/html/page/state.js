// Which view is open, and with which filters: all of it is in the address, so that a link leads to what was seen.
//   #matrix?text=tick&clause=…&verdict=fail,crash&only=bun@1.4.4&differs=node@24.21.0   #spec/timers.x   #history?all=1
// In a report of one file also #case/ID?on=IMPLEMENTATION; in a folder each case is a separate page. #dropped/ID is what a
// file that was dropped on the page says of a case.

const report = {
  index: null, // the data of the whole; null on the page of a case
  frame: null, // what every page has: verdicts, implementations
  single: false,
  root: '', // from this page to the folder of index.html
};

const VIEWS = [
  ['start', 'Overview'],
  ['matrix', 'Matrix'],
  ['spec', 'Spec'],
  ['causes', 'Causes'],
  ['survey', 'Survey'],
  ['history', 'History'],
];

const OLD_VIEWS = {rules: 'survey', implementations: 'start'}; // what a view was called in links that were made before

function readAddress() {
  const [path, query] = location.hash.replace(/^#/, '').split('?');
  const [name, ...rest] = path.split('/');
  const view = OLD_VIEWS[decode(name)] || decode(name);
  return {view: view || 'start', rest: rest.map(decode).join('/'), query: new URLSearchParams(query || '')};
}

// An address that somebody mistyped is not a reason to show nothing.
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch (malformed) {
    return text;
  }
}

function address(view, rest, query) {
  const path = rest ? `${view}/${rest.split('/').map(encodeURIComponent).join('/')}` : view;
  const words = queryText(query || {});
  return `#${path}${words ? '?' + words : ''}`;
}

// As URLSearchParams writes it, but for signs that mean nothing behind a # and are easier to read as they are.
function queryText(query) {
  return new URLSearchParams(query).toString().replace(/%(40|2F|2C|3A)/g, decodeURIComponent);
}

// From any page to a view of the index.
function viewLink(view, rest, query) {
  return (report.index ? '' : `${report.root}index.html`) + address(view, rest, query);
}

// To a case, and there to what one implementation did.
function caseLink(one, implementation) {
  const query = implementation ? {on: implementation} : {};
  if (!one.page || droppedOf(report.index).has(implementation)) return address('dropped', one.id, query);
  if (report.single) return address('case', one.id, query);
  const words = queryText(query);
  return `${report.root}cases/${encodeURIComponent(one.page)}${words ? '#?' + words : ''}`;
}

function verdictName(index) {
  return report.frame.verdicts[index];
}

// Cells of the index: null, or [verdict, behaviour…].
function cellOf(one, implementation) {
  const cell = one.cells[implementation];
  return cell && {verdict: verdictName(cell[0]), behaviours: cell.slice(1)};
}

// The families that an implementation was held to: node of node@24.21.0.
function familiesOf(implementation) {
  return [...new Set(implementation.profiles.map((profile) => profile.split('@')[0]))];
}

// Two implementations differ where both showed something, and nothing of it is the same.
function differ(a, b) {
  if (!a || !b || a.length < 2 || b.length < 2) return false;
  for (let i = 1; i < a.length; ++i) if (b.includes(a[i], 1)) return false;
  return true;
}
