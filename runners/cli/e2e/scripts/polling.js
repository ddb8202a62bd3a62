let count = 0;
const timer = setInterval(() => {
  count += 1;
  console.log('poll ' + count);
  if (count === 3) clearInterval(timer);
  else setImmediate(() => console.log('check ' + count));
}, 30);
process.on('exit', () => console.log('bye'));
