// The picture of an expected and an observed order: time goes to the right, a lane for each phase and queue, an arrow
// from the callback that asked to the callback that came. Both share their columns, so that the first difference is one
// line.

const GUTTER = 104; // for the names of the lanes
const LANE_HEIGHT = 34;
const HEAD = 48; // title and turns above the lanes of a panel
const FOOT = 14;
const MAX_COLUMNS = 120;
const MAX_UNFOLDED = 6;
const CHARACTER = 7.4;

// `folded`: [{title, trace}, …], one or two; `lanes` a LaneMap. The first trace is what the second is compared with.
function timeline(folded, lanes, name) {
  const panels = folded.map((panel) => ({...panel, trace: unfolded(panel.trace)}));
  const traces = panels.map((panel) => panel.trace);
  const difference = traces.length > 1 ? firstDifference(traces[0], traces[1]) : null;
  const view = windowAround(traces, difference);
  const used = lanes.used(traces);
  const columns = columnEdges(traces, view);
  const width = columns[columns.length - 1] + 24;
  const panelHeight = HEAD + used.length * LANE_HEIGHT + FOOT;
  const height = panels.length * panelHeight;
  const id = `timeline-${++timeline.count}`;
  const picture = svg('svg', {
    class: 'timeline',
    role: 'img',
    'aria-labelledby': `${id}-title`,
    'aria-describedby': `${id}-text`,
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
  });
  picture.append(
    svg('title', {id: `${id}-title`}, name),
    svg('desc', {id: `${id}-text`}, describe(panels, difference, lanes)),
    svg('defs', {}, arrowHead(`${id}-arrow`)),
  );
  panels.forEach((panel, index) => {
    const at = difference ? (index === 0 ? difference.a : difference.b) : -1;
    const group = svg('g', {
      class: `panel panel-${index === 0 ? 'expected' : 'observed'}`,
      transform: `translate(0 ${index * panelHeight})`,
    });
    if (at >= 0) group.append(differenceMark(columns, at - view.start, panelHeight, index === panels.length - 1));
    group.append(...panelParts(panel, used, lanes, columns, view, at, `${id}-arrow`));
    picture.append(group);
  });
  return element('div', {class: 'timeline-frame', tabindex: '0', role: 'group', 'aria-label': name}, picture);
}
timeline.count = 0;

// Short repetitions one by one, so that what is the same in both panels is in the same column.
function unfolded(trace) {
  const one = ([label, , ...facts]) => [label, 1, ...facts];
  const events = trace.events.flatMap((event) =>
    event[1] > MAX_UNFOLDED ? [event] : Array(event[1]).fill(one(event)),
  );
  return {events, cut: trace.cut};
}

// At most MAX_COLUMNS events, with the difference among them.
function windowAround(traces, difference) {
  const longest = Math.max(...traces.map((trace) => trace.events.length));
  const centre = difference ? Math.max(difference.a, difference.b) : 0;
  const start = Math.max(0, Math.min(centre - MAX_COLUMNS / 2, longest - MAX_COLUMNS));
  return {start: Math.floor(start), end: Math.min(longest, Math.floor(start) + MAX_COLUMNS)};
}

// The left edges of all columns, and of one more for the end. A column is as wide as its longest label.
function columnEdges(traces, view) {
  const edges = [GUTTER];
  const room = document.documentElement.clientWidth > 640 ? 640 : 0;
  const least = Math.max(44, Math.min(88, room / (view.end - view.start + 1)));
  for (let i = view.start; i <= view.end; ++i) {
    const labels = traces.map((trace) => (trace.events[i] ? boxText(trace.events[i]) : ''));
    const longest = Math.max(2, ...labels.map((label) => label.length));
    edges.push(edges[edges.length - 1] + Math.max(least, longest * CHARACTER + 28));
  }
  return edges;
}

function boxText([label, times]) {
  const short = label.length > 24 ? label.slice(0, 23) + '…' : label;
  return times > 1 ? `${short} ×${times.toLocaleString('en-GB')}` : short;
}

function arrowHead(id) {
  return svg(
    'marker',
    {id, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 6, markerHeight: 6, orient: 'auto'},
    svg('path', {class: 'arrow-head', d: 'M0 0.5 L7.5 4 L0 7.5 z'}),
  );
}

function differenceMark(columns, column, height, last) {
  const left = columns[Math.min(column, columns.length - 2)];
  const right = columns[Math.min(column, columns.length - 2) + 1];
  return svg(
    'g',
    {class: 'difference'},
    svg('rect', {x: left, y: 22, width: right - left, height: height - 22}),
    svg('line', {x1: left, x2: left, y1: 22, y2: height}),
    last && svg('text', {x: left + 5, y: height - 3}, 'first difference'),
  );
}

function panelParts(panel, used, lanes, columns, view, differenceAt, arrow) {
  const row = new Map(used.map(([id], index) => [id, HEAD + index * LANE_HEIGHT]));
  const parts = [svg('text', {class: 'panel-title', x: 0, y: 15}, panel.title)];
  const right = columns[columns.length - 1];
  used.forEach(([id, title], index) => {
    const y = row.get(id);
    parts.push(
      svg('rect', {class: `lane lane-${id} ${index % 2 ? 'odd' : 'even'}`, x: 0, y, width: right, height: LANE_HEIGHT}),
      svg('text', {class: 'lane-name', x: 8, y: y + LANE_HEIGHT / 2 + 4}, title),
    );
  });
  parts.push(...phaseBrackets(panel.trace, columns, view));
  const boxes = panel.trace.events.slice(view.start, view.end).map((event, i) => {
    const [left, end] = [columns[i], columns[i + 1]];
    return {event, left: left + 5, right: end - 9, middle: row.get(lanes.of(event[0])) + LANE_HEIGHT / 2};
  });
  parts.push(
    svg(
      'g',
      {class: 'arrows'},
      boxes.map((box, i) => scheduledBy(boxes, i, lanes, arrow)),
    ),
  );
  boxes.forEach((box, i) => parts.push(callbackBox(box, lanes, i + view.start === differenceAt)));
  parts.push(...ends(panel.trace, columns, view, differenceAt, row, used));
  return parts;
}

// `turn 1 · timers` above the events that share them, where the trace has phases.
function phaseBrackets(trace, columns, view) {
  const parts = [];
  const key = (event) => (event && event[3] ? `${event[2] === null ? '' : event[2]}` : '');
  for (let i = view.start; i < Math.min(view.end, trace.events.length); ++i) {
    if (!key(trace.events[i])) continue;
    let end = i;
    while (end + 1 < Math.min(view.end, trace.events.length) && key(trace.events[end + 1]) === key(trace.events[i]))
      ++end;
    const [left, right] = [columns[i - view.start] + 3, columns[end + 1 - view.start] - 7];
    const turn = trace.events[i][2];
    const words = `turn ${turn}`;
    const short = right - left < words.length * 6.2 ? String(turn) : words;
    parts.push(
      svg('path', {class: 'bracket', d: `M${left} 45 v-5 h${right - left} v5`}),
      svg('text', {class: 'phase', x: (left + right) / 2, y: 36}, short),
    );
    i = end;
  }
  return parts;
}

function callbackBox(box, lanes, differs) {
  const [label, times, iteration, phase, clause] = box.event;
  const about = [lanes.textOf(label), phase, phase && `turn ${iteration}`, clause].filter(Boolean).join(' · ');
  return svg(
    'g',
    {class: `box lane-${lanes.of(label)}${differs ? ' differs' : ''}`},
    about && svg('title', {}, `${label}: ${about}`),
    times > 1 &&
      svg('rect', {
        class: 'behind',
        x: box.left + 3,
        y: box.middle - 14,
        width: box.right - box.left,
        height: 22,
        rx: 4,
      }),
    svg('rect', {x: box.left, y: box.middle - 11, width: box.right - box.left, height: 22, rx: 4}),
    svg('text', {x: (box.left + box.right) / 2, y: box.middle + 4}, boxText(box.event)),
  );
}

// The arrow to a callback from the last run, before it, of the one that scheduled it. A run of a chain schedules the
// next one.
function scheduledBy(boxes, index, lanes, arrow) {
  const to = boxes[index];
  const last = (name) =>
    boxes
      .slice(0, index)
      .reverse()
      .find((box) => nameOf(box.event[0]) === name);
  const chained = lanes.isChain(to.event[0]) && last(nameOf(to.event[0]));
  const from = chained || last(lanes.parentOf(to.event[0]));
  if (!from) return null;
  // Down or up in the gap behind the first box, along the line between two lanes, and up or down in the gap before the
  // second: no box is there.
  const [out, into] = [from.right + 5, to.left - 6];
  const [start, end] = [`M${from.right} ${from.middle}`, `H${to.left - 1}`];
  const beside = boxes[boxes.indexOf(from) + 1] === to;
  if (beside && from.middle === to.middle) {
    return svg('path', {class: 'arrow', d: `${start} ${end}`, 'marker-end': `url(#${arrow})`});
  }
  const between = to.middle + (from.middle < to.middle ? -LANE_HEIGHT / 2 : LANE_HEIGHT / 2);
  const way = beside ? `H${out} V${to.middle}` : `H${out} V${between} H${into} V${to.middle}`;
  return svg('path', {class: 'arrow', d: `${start} ${way} ${end}`, 'marker-end': `url(#${arrow})`});
}

// Where a trace ends before the other, or continues beyond the picture.
function ends(trace, columns, view, differenceAt, row, used) {
  const middle = HEAD + (used.length * LANE_HEIGHT) / 2 + 4;
  if (trace.events.length > view.end || trace.cut) {
    const hidden = trace.events.slice(view.end).reduce((sum, [, times]) => sum + times, 0) + (trace.cut || 0);
    return [
      svg(
        'text',
        {class: 'more', x: columns[columns.length - 1] - 8, y: 15, 'text-anchor': 'end'},
        `${hidden.toLocaleString('en-GB')} more`,
      ),
    ];
  }
  if (differenceAt === trace.events.length) {
    return [svg('text', {class: 'ended', x: columns[differenceAt - view.start] + 8, y: middle}, 'ends')];
  }
  return [];
}

// The picture in words.
function describe(panels, difference, lanes) {
  const words = panels.map((panel) => {
    const events = panel.trace.events.slice(0, 60).map((event) => `${boxText(event)} (${lanes.of(event[0])})`);
    return `${panel.title}: ${events.join(', ') || 'nothing'}.`;
  });
  if (difference) {
    const at = (trace, index) => (trace.events[index] ? trace.events[index][0] : 'the end');
    words.push(
      `The first difference is at label ${difference.shared + 1}: expected ` +
        `${at(panels[0].trace, difference.a)}, observed ${at(panels[1].trace, difference.b)}.`,
    );
  }
  return words.join(' ');
}
