'use strict';
const resolved = Promise.resolve();
for (const name of ['all', 'allSettled', 'any', 'race']) Promise[name]([resolved]).then(() => log(name));
resolved.then(() => log('P1')).then(() => log('P2'));
