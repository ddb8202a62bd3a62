// The model, where it can be stopped. First {module, profiles}; then questions, each of which is answered:
// {number, language, text, releases} -> {number, translation?, answers, ms} or {number, error}.

let ready = null;

function startModel(message) {
  const instantiateWasm = (imports, receive) => {
    WebAssembly.instantiate(message.module, imports).then((instance) => receive(instance));
    return {};
  };
  return makePlayground({instantiateWasm}).then((module) => {
    const ask = (name, text) => {
      const size = module.lengthBytesUTF8(text) + 1;
      const place = module._malloc(size);
      module.stringToUTF8(text, place, size);
      const said = module.UTF8ToString(module[name](place));
      module._free(place);
      return said;
    };
    const wrong = ask('_playground_start', JSON.stringify(message.profiles));
    if (wrong) throw new Error(wrong);
    return (request) => JSON.parse(ask('_playground_answer', JSON.stringify(request)));
  });
}

function answerOf(ask, message) {
  const begin = performance.now();
  let program = message.text;
  let entry = 'script';
  let translation = null;
  if (message.language !== 'steps') {
    translation = translate(message.text, message.language === 'module');
    program = translation.program;
    entry = translation.entry;
  }
  const isAsked = program && program.trim() !== '' && !(translation && translation.error);
  const answers = isAsked
    ? message.releases.map((profile) => ask({ask: 'orders', program, profile, entry, limit: 40}))
    : [];
  return {number: message.number, translation, answers, ms: performance.now() - begin};
}

self.onmessage = ({data}) => {
  if (data.module) {
    ready = startModel(data);
    ready.then(
      (ask) => self.postMessage({families: ask({ask: 'releases'}).families}),
      (error) => self.postMessage({error: String(error)}),
    );
    return;
  }
  ready.then((ask) => {
    try {
      self.postMessage(answerOf(ask, data));
    } catch (error) {
      self.postMessage({number: data.number, error: String((error && error.message) || error)});
    }
  });
};
