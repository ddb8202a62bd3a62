// node translations.cjs: reads {"source": …, "module"?: true} on each line of the standard input, and writes what the page makes of it.
// For tests.
'use strict';

const fs = require('fs');
const path = require('path');
const vm = require('vm');

const files = ['third-party/acorn/acorn.js', 'page/values.js', 'page/writing.js', 'page/translate.js', 'page/calls.js',
  'page/platform.js'];
const text = files.map((file) => fs.readFileSync(path.join(__dirname, file), 'utf8')).join('\n');
const context = vm.createContext({});
vm.runInContext(text, context);
for (const line of fs.readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  Object.assign(context, { module: false }, JSON.parse(line));
  fs.writeSync(1, vm.runInContext('JSON.stringify(translate(source, module))', context) + '\n');
}
