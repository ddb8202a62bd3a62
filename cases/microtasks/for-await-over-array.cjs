'use strict';
(async () => {
  for await (const letter of [Promise.resolve('a'), Promise.resolve('b')]) log(letter);
  log('end');
})();
let chain = Promise.resolve();
for (let n = 1; n <= 8; ++n) chain = chain.then(() => log('P' + n));
