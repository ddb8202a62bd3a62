'use strict';
Array.fromAsync([Promise.resolve(), Promise.resolve()]).then(() => log('done'));
let chain = Promise.resolve();
for (let n = 1; n <= 10; ++n) chain = chain.then(() => log('P' + n));
