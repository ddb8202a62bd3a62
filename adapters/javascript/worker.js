// worker.cjs, for engines that start workers only from files with this ending.
require('./worker.cjs');
