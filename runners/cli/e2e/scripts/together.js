const wait = (ms, name) => new Promise((resolve) => setTimeout(() => {
  console.log(name);
  resolve(name);
}, ms));

Promise.race([wait(40, 'slow'), wait(1, 'fast')]).then((name) => console.log(name + ' won'));
Promise.all([wait(1, 'a'), wait(80, 'b'), 3]).then(() => console.log('all'));
