// A results file that somebody chose, as data. It may come from anywhere: each field is checked before it is used, and
// texts lose what could steer a screen. The format is that of spec/results-format.md.

const MOST_BYTES = 64 * 1024 * 1024; // of a file
const MOST_RESULTS = 100000;
const MOST_COLUMNS = 100;
const MOST_TRIES = 50; // different ones that are kept of a result
const MOST_EVENTS = 400; // that are kept of a try, equal ones folded
const MOST_LETTERS = 2000; // of a text

// What is wrong with a file, for the person who chose it.
class Refused extends Error {}

const STANDINGS = ['on-time', 'late', 'refuted', 'outside', 'contradiction', 'unknown'];

// {run, results, trouble} of the text of a file; `trouble` is '' or says why it is not whole.
function readResults(name, text, verdicts) {
  const lines = text.split('\n');
  lines.pop(); // '' behind the last newline, or a line that was not written to its end
  const refuse = (number, why) => {
    throw new Refused(`${cleanText(name)}, line ${number}: ${why}`);
  };
  const run = lines.length ? asObject(lines[0]) : null;
  if (!run || run.type !== 'run') throw new Refused(`${cleanText(name)} is not a results file of conform run --output`);
  if (run.format !== 1) refuse(1, 'a format that this page does not know');
  if (typeof run.conform !== 'string' || !isCount(run.planned)) refuse(1, 'not the first line of a results file');
  if (lines.length > MOST_RESULTS + 2) refuse(MOST_RESULTS + 2, `more than ${counted(MOST_RESULTS, 'result')}`);
  const results = [];
  const seen = new Set();
  const hashes = new Map();
  let end = null;
  for (let i = 1; i < lines.length; ++i) {
    const line = asObject(lines[i]);
    if (end || !line) refuse(i + 1, end ? 'there is something behind the end' : 'not a JSON object');
    if (line.type === 'end') {
      end = line;
      continue;
    }
    const result = readResult(line, verdicts);
    if (typeof result === 'string') refuse(i + 1, result);
    const key = JSON.stringify([result.id, result.implementation, result.profile]);
    if (seen.has(key)) refuse(i + 1, 'a second result of the same case');
    seen.add(key);
    if (hashes.has(result.id) && hashes.get(result.id) !== result.hash) refuse(i + 1, 'another version of the case');
    hashes.set(result.id, result.hash);
    results.push(result);
  }
  if (end && !isSumOf(end, results, verdicts)) refuse(lines.length, 'the numbers do not fit the results');
  if (!results.length) throw new Refused(`${cleanText(name)} has no results`);
  const whole = end && run.planned === results.length && run.shard === undefined;
  return {
    run: readRun(run),
    results,
    trouble: whole ? '' : `${cleanText(name)}: ${results.length} of ${run.planned} planned results`,
  };
}

function isSumOf(end, results, verdicts) {
  if (end.results !== results.length || !isObject(end.totals)) return false;
  return verdicts.every((name, i) => results.filter((one) => one.verdict === i).length === (end.totals[name] || 0));
}

function readRun(run) {
  const listed = Array.isArray(run.implementations) ? run.implementations.slice(0, MOST_COLUMNS) : [];
  const implementations = new Map();
  for (const one of listed) {
    if (!isObject(one) || typeof one.name !== 'string') continue;
    const details = isObject(one.details) ? Object.entries(one.details).slice(0, 20) : [];
    implementations.set(cleanText(one.name), {
      version: optionalText(one.version),
      claims: optionalText(one.claims),
      details: Object.fromEntries(details.map(([name, value]) => [cleanText(name), optionalText(value)])),
    });
  }
  return {
    conform: cleanText(run.conform),
    started: optionalText(run.started),
    command: optionalText(run.command),
    planned: run.planned,
    implementations,
  };
}

// The result, or what is wrong with it.
function readResult(line, verdicts) {
  if (line.type !== 'result') return 'neither a result nor the end';
  for (const name of ['case', 'hash', 'implementation', 'profile']) {
    if (typeof line[name] !== 'string' || (name !== 'hash' && !line[name])) return `a result without '${name}'`;
  }
  const verdict = verdicts.indexOf(line.verdict);
  if (verdict < 0) return 'a verdict that this page does not know';
  if (!Array.isArray(line.tries)) return "a result without 'tries'";
  const tries = new Map();
  for (const one of line.tries) {
    const read = readTry(one);
    if (!read) return 'a try that is none';
    const key = JSON.stringify(read);
    if (tries.has(key)) ++tries.get(key).count;
    else if (tries.size < MOST_TRIES) tries.set(key, {...read, count: 1});
  }
  return {
    id: cleanText(line.case),
    hash: cleanText(line.hash),
    implementation: cleanText(line.implementation),
    profile: cleanText(line.profile),
    verdict,
    basis: optionalText(line.basis),
    reason: optionalText(line.reason),
    expected: optionalText(line.expected),
    reproduce: optionalText(line.reproduce),
    tries: [...tries.values()],
  };
}

// {trace, standing or trouble}; null where it is no try.
function readTry(one) {
  if (!isObject(one)) return null;
  const events = one.events === undefined ? [] : one.events;
  const hasTrouble = typeof one.trouble === 'string';
  if (!Array.isArray(events) || (!hasTrouble && !STANDINGS.includes(one.standing))) return null;
  const kept = [];
  let used = 0;
  for (const event of events) {
    if (!isObject(event) || typeof event.label !== 'string') return null;
    const made = [cleanText(event.label), 1, Number.isInteger(event.iteration) ? event.iteration : null];
    made.push(optionalText(event.phase));
    const last = kept[kept.length - 1];
    const alike = last && last[0] === made[0] && last[2] === made[2] && last[3] === made[3];
    if (!alike && kept.length === MOST_EVENTS) break;
    ++used;
    if (alike) ++last[1];
    else kept.push(made);
  }
  const trace = {events: kept};
  if (used < events.length) trace.cut = events.length - used;
  return hasTrouble ? {trace, trouble: cleanText(one.trouble)} : {trace, standing: one.standing};
}

function asObject(line) {
  try {
    const value = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch (malformed) {
    return null;
  }
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value) {
  return Number.isSafeInteger(value) && value >= 0;
}

function optionalText(value) {
  return typeof value === 'string' ? cleanText(value) : '';
}

// On one line, without control characters and without those that turn the direction of text.
function cleanText(text) {
  const harmful = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;
  const plain = text.replace(/[\t\n\r]/g, ' ').replace(harmful, '?');
  return plain.length > MOST_LETTERS ? `${plain.slice(0, MOST_LETTERS)}…` : plain;
}
