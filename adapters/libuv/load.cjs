// Runs a session on the libuv inside of this Node.js binary: load.cjs ADDON. The addon talks to conform and ends the
// process; nothing here comes back.
'use strict';

const path = require('path');

process.env.CONFORM_LIBUV_HOST = 'Node.js ' + process.versions.node;
process.dlopen(module, path.resolve(process.argv[2]));
