// Making elements. Whatever comes from results becomes a text node or an attribute that is not code: nothing in this
// report reads text as HTML, so that a label such as <img src=x onerror=…> is shown and does nothing.
//
// These files are one script: see CMakeLists.txt for their order. None of their names is visible outside of it.

const SVG = 'http://www.w3.org/2000/svg';

// element('p', {class: 'note'}, 'text', otherElement, [more…]). An attribute that is undefined, null or false is left
// out; `on` holds listeners.
function element(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

function svg(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'on') {
      for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
    } else {
      made.setAttribute(name, value === true ? '' : value);
    }
  }
  for (const child of children.flat(Infinity)) {
    if (child !== undefined && child !== null && child !== false) made.append(child);
  }
  return made;
}

// Prose of the spec and of cases: paragraphs, lists, and `code` between backticks. Everything else stays as written.
function prose(text) {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((block) => {
      const lines = block.split('\n');
      if (/^( {4}|```)/.test(block)) {
        return element('pre', {}, element('code', {}, block.replace(/^```\w*\n?|\n?```$/g, '').replace(/^ {4}/gm, '')));
      }
      if (/^[-*] /.test(block)) {
        const items = [];
        for (const line of lines) {
          if (/^[-*] /.test(line)) items.push(line.slice(2));
          else items[items.length - 1] += ' ' + line.trim();
        }
        return element(
          'ul',
          {},
          items.map((item) => element('li', {}, spans(item))),
        );
      }
      return element('p', {}, spans(lines.join(' ')));
    });
}

function spans(text) {
  return text.split(/`([^`]+)`/).map((part, i) => (i % 2 ? element('code', {}, part) : part));
}

// A table with these heads, which may be wider than the screen: the keyboard scrolls what has the focus.
function plainTable(kind, heads, rows) {
  const head = heads.map((text) => element('th', {scope: 'col'}, text));
  return element(
    'div',
    {class: 'scroll', role: 'group', 'aria-label': 'Table', tabindex: '0'},
    element(
      'table',
      {class: `plain ${kind}`},
      element('thead', {}, element('tr', {}, head)),
      element('tbody', {}, rows),
    ),
  );
}

// Text that is there for a screen reader alone.
function spoken(text) {
  return element('span', {class: 'spoken'}, text);
}

function counted(number, one, many) {
  return `${number.toLocaleString('en-GB')} ${number === 1 ? one : many || one + 's'}`;
}

function readData(id) {
  const found = document.getElementById(id);
  return found ? JSON.parse(found.textContent) : null;
}

// A verdict as a word with its colour.
function verdictWord(name) {
  return element('span', {class: `verdict v-${name}`}, name);
}

// A button that puts text on the clipboard and says that it did. From disk, a browser may refuse the newer way.
function copyButton(text, what) {
  const said = element('span', {class: 'said', role: 'status'});
  const button = element('button', {type: 'button', class: 'copy', 'aria-label': `Copy ${what}`}, 'Copy');
  button.addEventListener('click', async () => {
    const done = await copyText(text);
    said.textContent = done ? 'Copied' : 'Not copied: select the text instead';
    setTimeout(() => {
      said.textContent = '';
    }, 4000);
  });
  return element('span', {class: 'copying'}, said, button);
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (refused) {
    const area = element('textarea', {class: 'spoken', 'aria-hidden': 'true', tabindex: '-1'});
    area.value = text;
    const before = document.activeElement;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    if (before) before.focus();
    return done;
  }
}
