// Loaded to see whether the engine can read it, and can import ECMAScript modules.
'use strict';

module.exports = {
  module: function () { return import('./probe.mjs'); },
  withAwait: function () { return import('./probe_await.mjs'); }
};
