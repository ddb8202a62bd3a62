'use strict';
async function* letters() {
  try {
    yield 'a';
    yield 'b';
  } finally {
    log('cleaned-up');
  }
}
(async () => {
  for await (const letter of letters()) {
    log(letter);
    break;
  }
  log('behind-the-loop');
})();
