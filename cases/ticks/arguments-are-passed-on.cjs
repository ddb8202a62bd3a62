'use strict';
function show() { log(Array.prototype.join.call(arguments, '-')); }
process.nextTick(function () { log('none-' + arguments.length); });
process.nextTick(show, 't');
process.nextTick(show, 't', 1);
process.nextTick(show, 't', 1, 2);
process.nextTick(show, 't', 1, 2, 3);
process.nextTick(show, 't', 1, 2, 3, 4);
process.nextTick(show, 't', 1, 2, 3, 4, 5);
setImmediate(function (a, b) {
  show(a, b);
  setTimeout(function (c, d) {
    show(c, d);
    var interval = setInterval(function (e, f) {
      clearInterval(interval);
      show(e, f);
    }, 1, 'interval', 1);
  }, 1, 'timeout', 1);
}, 'immediate', 1);
