// node answers.cjs MODULE PROFILES: what playground_answer does, with the module of WebAssembly. For tests.
'use strict';

const fs = require('fs');
const path = require('path');

const [folder, profiles] = process.argv.slice(2);
const makePlayground = require(path.resolve(folder, 'playground.js'));

makePlayground({ wasmBinary: fs.readFileSync(path.join(folder, 'playground.wasm')) }).then((module) => {
  const call = (name, text) => {
    const size = module.lengthBytesUTF8(text) + 1;
    const place = module._malloc(size);
    module.stringToUTF8(text, place, size);
    const said = module.UTF8ToString(module[name](place));
    module._free(place);
    return said;
  };
  const files = {};
  for (const name of fs.readdirSync(profiles)) {
    if (name.endsWith('.yaml')) files[name] = fs.readFileSync(path.join(profiles, name), 'utf8');
  }
  const wrong = call('_playground_start', JSON.stringify(files));
  if (wrong) throw new Error(wrong);
  const requests = fs.readFileSync(0, 'utf8').split('\n').filter(Boolean);
  for (const request of requests) fs.writeSync(1, call('_playground_answer', request) + '\n');
});
