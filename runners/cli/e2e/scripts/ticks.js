process.nextTick(() => console.log('nextTick 1'));
Promise.resolve().then(() => {
  console.log('promise 1');
  process.nextTick(() => console.log('nextTick in promise'));
});
queueMicrotask(() => console.log('microtask'));
process.nextTick(() => {
  console.log('nextTick 2');
  Promise.resolve().then(() => console.log('promise in nextTick'));
});
console.log('main');
