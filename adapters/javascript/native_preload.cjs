// Loaded ahead of a native file that is an ECMAScript module, so that the file can be the main module of its process.
'use strict';

require('./native.cjs').open(require('./adapter.cjs').receive());
