// Loaded ahead of a native file, so that the file can be the main one of its process. It leaves no trace of itself: a
// fork is started with the options of this process, and on Bun a worker loads this file, too.
'use strict';

if (process.env.CONFORM_CONVERSATION) {
  require('./native.cjs').open(require('./adapter.cjs').receive());
  delete process.env.CONFORM_CONVERSATION;
  process.execArgv.splice(0);
}
