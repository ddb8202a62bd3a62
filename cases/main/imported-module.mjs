import './imported-module-dependency.mjs';
log('main');
Promise.resolve().then(() => log('promise-of-main'));
process.nextTick(() => log('tick-of-main'));
