// Sends labels to the adapter from a thread of its own, so that the program's thread is not asked for a task.
'use strict';

onmessage = (event) => {
  const request = new XMLHttpRequest();
  request.open('POST', 'label', false);
  request.send(JSON.stringify(event.data));
};
