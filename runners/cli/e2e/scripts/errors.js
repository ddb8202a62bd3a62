const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function load(fails) {
  await later(1);
  if (fails) throw new Error('lost');
  return 'found';
}

load(false).then(console.log).finally(() => console.log('finally 1'));
(async () => {
  try {
    await load(true);
  } catch (error) {
    console.log(error.message);
  }
})();
