// Loaded to see whether the engine can read it, and can import an ECMAScript module.
'use strict';

module.exports = function () { return import('./probe.mjs'); };
