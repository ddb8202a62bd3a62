// Runs programs on workerd: `node driver.cjs WORKERD`. A workerd process runs a configuration and ends, so this driver
// keeps the conversation and starts `workerd test` for each program, with all modules written into one configuration.
'use strict';

const childProcess = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const readline = require('readline');

const workerd = process.argv[2];
const interpreter = path.join(__dirname, '..', 'javascript');

// The worker, and the parts of the JavaScript adapter that need nothing of Node.js. What that adapter has for input and
// output is replaced by what workerd has.
const MODULES = [
  ['worker.mjs', 'esModule', path.join(__dirname, 'worker.mjs')],
  ['adapter.cjs', 'commonJsModule', path.join(interpreter, 'adapter.cjs')],
  ['ops.cjs', 'commonJsModule', path.join(interpreter, 'ops.cjs')],
  ['ops_async.cjs', 'commonJsModule', path.join(interpreter, 'ops_async.cjs')],
  ['ops_web.cjs', 'commonJsModule', path.join(interpreter, 'ops_web.cjs')],
  ['ops_io.cjs', 'commonJsModule', path.join(__dirname, 'ops_workerd.cjs')]
];

const release = /\d+-\d+-\d+/.exec(childProcess.execFileSync(workerd, ['--version'], { encoding: 'utf8' }))[0];

const HTML_VERSION = '2026.8';  // of the profile: the month of the standard that it follows

function send(message) {
  fs.writeSync(1, JSON.stringify(message) + '\n');
}

// Texts of Cap'n Proto are escaped as those of JSON are, as far as these files go.
function moduleText(name, kind, text) {
  return `(name = "${name}", ${kind} = ${JSON.stringify(text)})`;
}

function configuration(run) {
  const modules = MODULES.map(([name, kind, file]) => moduleText(name, kind, fs.readFileSync(file, 'utf8')));
  modules.push(moduleText('fs', 'commonJsModule', ''), moduleText('run.json', 'json', JSON.stringify(run)));
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "program", worker = (
  modules = [${modules.join(',\n')}],
  compatibilityDate = "${release}"
))]);
`;
}

// Folders of configurations in use. A driver that is asked to end takes them along.
const folders = new Set();

function remove(folder) {
  folders.delete(folder);
  fs.rmSync(folder, { recursive: true, force: true });
}

process.on('exit', () => folders.forEach(remove));
process.on('SIGTERM', () => process.exit(143));

// Calls said(message) for each line that the worker writes, and resolves to the exit code.
function runWorker(run, said) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'workerd-'));
  folders.add(folder);
  const file = path.join(folder, 'config.capnp');
  fs.writeFileSync(file, configuration(run));
  const child = childProcess.spawn(workerd, ['test', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  readline.createInterface({ input: child.stdout }).on('line', (line) => said(JSON.parse(line)));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code));
  }).finally(() => remove(folder));
}

// A release is named by its day, and by the day and a number in the registry it comes from.
function version() {
  for (const file of ['installed.json', 'package.json']) {
    try {
      const about = JSON.parse(fs.readFileSync(path.join(path.dirname(workerd), '..', file), 'utf8'));
      if (/workerd/.test(about.name)) return about.version;
    } catch (error) {
      // The binary is not in a package.
    }
  }
  return '1.' + release.replace(/-/g, '') + '.0';
}

async function hello() {
  let ops = [];
  await runWorker({ probe: true }, (message) => { ops = message.ops; });
  send({
    type: 'ready',
    protocol: 1,
    implementation: { name: 'workerd', version: version(), details: { release } },
    claims: { profile: 'html', version: HTML_VERSION },
    ops,
    isolation: 'session'
  });
}

async function run(message) {
  const { seq } = message;
  if (message.native || message.entry !== 'script') {
    return send({ type: 'unsupported', seq, op: message.native ? 'native' : 'entry ' + message.entry });
  }
  let answer = null;
  const code = await runWorker(message, (said) => {
    answer = said;
    if (!said.events) return send(Object.assign(said, { seq }));
    const batches = message.flush === 'each' ? said.events.map((event) => [event]) : [said.events];
    batches.forEach((events) => send({ type: 'trace', seq, events, more: true }));
  });
  if (answer === null) return send({ type: 'error', seq, message: `workerd ended with code ${code} at once` });
  if (answer.events) send({ type: 'trace', seq, events: code === 0 ? [] : [{ label: 'exit=' + code }] });
}

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const message = JSON.parse(line);
    if (message.type === 'hello') await hello();
    if (message.type === 'run') await run(message);
    if (message.type === 'stop') break;
  }
  process.exit(0);
}

main();
