'use strict';
class Derived extends Promise {}
(async () => {
  await Derived.resolve();
  log('awaited');
})();
Promise.resolve().then(() => log('P1')).then(() => log('P2')).then(() => log('P3')).then(() => log('P4'));
