setTimeout(() => {
  console.log('timer 1');
  Promise.resolve().then(() => console.log('promise'));
  process.nextTick(() => console.log('tick'));
}, 0);
setTimeout(() => console.log('timer 2'), 0);
const start = Date.now();
while (Date.now() - start < 5);
