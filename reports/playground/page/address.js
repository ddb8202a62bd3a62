// The address holds the program: `#js=…&on=node@24&with=node@10&order=2`. Whoever made it may mean ill, so it is data with
// limits: text that is shown and read, never run, and names that are compared with those that there are.

const LONGEST_ADDRESS = 60000;
const LONGEST_PROGRAM = 20000;

function readAddress(hash, releases) {
  const state = {language: 'js', text: '', release: '', beside: '', order: 0};
  if (hash.length > LONGEST_ADDRESS) return {...state, refused: 'the address is too long'};
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const language = ['steps', 'module'].find((one) => parts.has(one)) || 'js';
  const text = parts.get(language) || '';
  if (text.length > LONGEST_PROGRAM) return {...state, refused: 'the program in the address is too long'};
  // A family alone means its newest.
  const release = (name) => {
    const word = parts.get(name);
    if (!word) return '';
    return releases.includes(word) ? word : [...releases].reverse().find((one) => one.startsWith(`${word}@`)) || '';
  };
  const order = Number.parseInt(parts.get('order') || '0', 10);
  return {
    language,
    text,
    release: release('on'),
    beside: release('with'),
    order: Number.isInteger(order) && order >= 0 && order < 1000 ? order : 0,
  };
}

function addressOf(state) {
  const parts = new URLSearchParams();
  parts.set(state.language, state.text);
  if (state.release) parts.set('on', state.release);
  if (state.beside) parts.set('with', state.beside);
  if (state.order) parts.set('order', String(state.order));
  return '#' + parts.toString();
}
