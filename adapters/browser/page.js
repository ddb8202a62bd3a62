// The page: it asks the adapter for a program, gives it its own frame, and sends back what the program emitted.
// While a program runs, nothing here waits for anything but the frame; there are no promises here, because frame and
// page share one queue of microtasks.
'use strict';

// Never answered. The adapter sees that the page is gone when this request breaks off.
fetch('lifeline');

const worker = new Worker('worker.js');

function ask(answer) {
  const request = new XMLHttpRequest();
  request.open('POST', 'next');
  request.onload = () => take(request.responseText);
  request.send(JSON.stringify(answer));
}

// use(frame window, finish) is called when the frame has loaded; finish(answer) ends it.
function inFrame(use) {
  const frame = document.createElement('iframe');
  frame.src = 'frame.html';
  frame.onload = () => {
    use(frame.contentWindow, (answer) => {
      frame.remove();
      ask(answer);
    });
  };
  document.body.appendChild(frame);
}

function start(inner) {
  const script = inner.document.createElement('script');
  script.src = 'start.js';
  inner.document.body.appendChild(script);
}

function take(text) {
  const message = JSON.parse(text);
  if (message.type === 'wait') return ask({ type: 'again' });
  if (message.type === 'probe') {
    return inFrame((inner, finish) => {
      inner.conform.prepareTrials((ops) => finish({ type: 'ops', ops: Array.from(ops) }));
      start(inner);
    });
  }
  inFrame((inner, finish) => {
    const { seq } = message;
    const atOnce = message.flush === 'each' ? (label, time) => worker.postMessage({ seq, label, time }) : null;
    try {
      const missing = inner.conform.prepare(text, (told) => finish({ type: 'labels', seq, ...told }), atOnce);
      if (missing) return finish({ type: 'unsupported', seq, op: missing });
    } catch (error) {
      return finish({ type: 'error', seq, message: String(error) });
    }
    start(inner);
  });
}

ask({ type: 'again' });
