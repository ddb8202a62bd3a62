// Orders and where they part. A trace is {events: [[label, times, iteration, phase, clause], …], cut}: equal events
// that follow each other are folded.

// As people read it: `A T{1000} B`.
function orderText(trace) {
  const runs = foldByLabel(trace.events);
  if (runs.length === 0 && !trace.cut) return '(nothing)';
  const words = runs.map(([label, times]) => (times < 3 ? Array(times).fill(label).join(' ') : `${label}{${times}}`));
  if (trace.cut) words.push(`… ${trace.cut} more`);
  return words.join(' ');
}

// Phases and iterations aside, so that a trace that has them can be compared with one that has not.
function foldByLabel(events) {
  const runs = [];
  for (const [label, times] of events) {
    const last = runs[runs.length - 1];
    if (last && last[0] === label) last[1] += times;
    else runs.push([label, times]);
  }
  return runs;
}

// Where two traces part: how many labels they share, and the index of the event in each; null where they are equal.
// An index behind the last event means that the trace ends there.
function firstDifference(a, b) {
  let [i, j, usedI, usedJ, shared] = [0, 0, 0, 0, 0];
  while (i < a.events.length && j < b.events.length && a.events[i][0] === b.events[j][0]) {
    const step = Math.min(a.events[i][1] - usedI, b.events[j][1] - usedJ);
    shared += step;
    usedI += step;
    usedJ += step;
    if (usedI === a.events[i][1]) [i, usedI] = [i + 1, 0];
    if (usedJ === b.events[j][1]) [j, usedJ] = [j + 1, 0];
  }
  if (i === a.events.length && j === b.events.length) return null;
  return {shared, a: i, b: j};
}

// The index of the trace in `candidates` that shares most with `trace`.
function nearestTrace(trace, candidates) {
  let [best, most] = [-1, -1];
  candidates.forEach((candidate, index) => {
    const difference = firstDifference(candidate, trace);
    const shared = difference ? difference.shared : Infinity;
    if (shared > most) [best, most] = [index, shared];
  });
  return best;
}

// The try that decided: the first one outside, else the last.
function decisiveTry(result) {
  return result.tries.find((one) => one.standing === 'outside') || result.tries[result.tries.length - 1];
}

// 1.2.10 after 1.2.9; what is not a number, by its letters.
function compareVersions(a, b) {
  const [left, right] = [a.split(/[.+-]/), b.split(/[.+-]/)];
  for (let i = 0; i < Math.max(left.length, right.length); ++i) {
    const [x, y] = [left[i] || '0', right[i] || '0'];
    const numbers = /^\d+$/.test(x) && /^\d+$/.test(y);
    const order = numbers ? Number(x) - Number(y) : x < y ? -1 : x > y ? 1 : 0;
    if (order) return order;
  }
  return 0;
}

// 0 is a, 25 is z, 26 is aa.
function behaviourLetter(index) {
  const letter = String.fromCharCode(97 + (index % 26));
  return index < 26 ? letter : behaviourLetter(Math.floor(index / 26) - 1) + letter;
}
