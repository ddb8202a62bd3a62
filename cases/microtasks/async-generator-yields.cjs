'use strict';
async function* letters() {
  yield 'a';
  yield 'b';
}
(async () => {
  for await (const letter of letters()) log(letter);
  log('end');
})();
let chain = Promise.resolve();
for (let n = 1; n <= 8; ++n) chain = chain.then(() => log('P' + n));
