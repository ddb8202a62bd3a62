log('imported');
Promise.resolve().then(() => log('promise-of-imported'));
process.nextTick(() => log('tick-of-imported'));
await null;
