// Queues ticks by the thousand, twice, and logs a few of them; and any that is out of order.
'use strict';

function queue(name, count) {
  var ran = 0;
  function tick(number) {
    return function () {
      if (number !== ran) log(name + '-out-of-order');
      ran++;
      if (number === 0 || number === 2047 || number === 2048 || number === count - 1) log(name + number);
    };
  }
  for (var i = 0; i < count; i++) process.nextTick(tick(i));
}

queue('A', 5000);
setImmediate(function () {
  log('I');
  queue('B', 3000);
});
