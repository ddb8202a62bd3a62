// The main script. It reads what `conform` says, and the program runs right here, in the main script of a fresh process.
'use strict';

var said = require('./conversation.cjs').receive();

if (said.run === null) require('./capabilities.cjs').announce();
else if (said.run.entry === 'worker') require('./worker.cjs').start(said.run);
else require('./session.cjs').runScript(said.run);
