// Runs a session on the libuv inside of this Node.js binary: load.cjs ADDON. The addon talks to conform and ends the
// process; nothing here comes back. In a form that the oldest releases understand.
'use strict';

var path = require('path');

process.env.CONFORM_LIBUV_HOST = 'Node.js ' + process.versions.node;
process.env.CONFORM_NODE_INTERFACE = process.versions.modules;
// The loader of modules would do the same, but for the endings that it does not know.
process.dlopen({ exports: {} }, path.resolve(process.argv[2]));
