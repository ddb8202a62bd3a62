// The file is both: the main script, and the module that it requires.
'use strict';
if (global.isMainLoaded) {
  log('module');
  Promise.resolve().then(function () { log('promise-of-module'); });
  process.nextTick(function () { log('tick-of-module'); });
} else {
  global.isMainLoaded = true;
  delete require.cache[__filename];
  require(__filename);
  process.nextTick(function () { log('tick-of-main'); });
  log('main');
}
