'use strict';
var stream = require('fs').createReadStream(__filename);
['open', 'ready', 'data', 'end', 'close'].forEach(function (event) {
  stream.on(event, function () { log(event); });
});
