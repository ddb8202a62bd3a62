// Sends labels to the adapter from its own thread, so that no task is needed on the program's thread.
'use strict';

onmessage = (event) => {
  const request = new XMLHttpRequest();
  request.open('POST', 'label', false);
  request.send(JSON.stringify(event.data));
};
