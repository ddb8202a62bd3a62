"""The loops of other languages, through conform: what their documentation promises, and the smoke test.

Adapters that have to be compiled are built into conform's cache, once.
"""

import json
import os
import pathlib
import subprocess
import sys

import pytest

ADAPTERS = pathlib.Path(__file__).resolve().parents[1]
ROOT = ADAPTERS.parent
TIMEOUT_S = 300
sys.path.insert(0, str(ADAPTERS / "shared"))

from needs import implementations, parameters  # noqa: E402

# The claims of each loop's documentation: name → (program, order).
LOOPS = {
    "gjs": {
        "idle sources wait until nothing else is ready": ("[soon S, timeout T 0, busy 5]", "T S"),
        "priorities are strict": ("[soon L as low, soon S, soon D as default, soon H as high]", "H D S L"),
        "promises come before the loop": ("[timeout T 0, soon S, then P: [then Q], log L, busy 5]", "L P Q T S"),
        "an error in a callback is logged": ("[timeout A 1: [throw], timeout B 30]", "A B"),
        "an error in the script ends it": ("[timeout A 1, then P, log L, throw]", "L exit=1"),
    },
    "tcl": {
        "idle callbacks wait until nothing else is ready": ("[soon S, timeout T 1, busy 5]", "T S"),
        "idle callbacks run in order": ("[soon A, soon B: [soon D], soon C]", "A B C D"),
        "events come from the head of the queue": ("[soon B as event, soon C as event, soon A as head]", "A B C"),
        "timers come by their time": ("[timeout C 30, timeout B 20, timeout A 1, busy 40]", "A B C"),
        "a new timer waits for those that are due": ("[timeout A 1: [timeout N 0], timeout B 1, busy 5]", "A B N"),
    },
    "twisted": {
        "calls from threads run in order": ("[soon A, soon B: [soon D], soon C]", "A B C D"),
        "a call that is cancelled does not come": ("[timeout A 1: [clear B], timeout B 20, busy 40]", "A"),
        "calls come by their time": ("[timeout C 30, timeout B 20, timeout A 1, busy 40]", "A B C"),
        "the result of a thread comes through the reactor": ("[work K: [log B], log A]", "A K B"),
    },
    "tokio": {
        "spawned tasks form a queue": ("[soon A x2, soon B x2, soon C]", "A B C A B"),
        "spawn never runs a task immediately": ("[soon A: [soon D, log B]]", "A B D"),
        "a task that is aborted before it runs never runs": ("[soon A: [clear B], soon B, soon C]", "A C"),
        "a notification is kept, several are one": ("[wake W unsent, soon A: [send W, send W, send W]]", "A W W"),
    },
}


def conform(*words):
    binary = os.environ.get("CONFORM", ROOT / "build/release/runners/cli/conform")
    assert pathlib.Path(binary).exists(), f"{binary} is not built"
    environment = {**os.environ, "CONFORM_HOME": str(ROOT)}
    words = [str(binary), *map(str, words)]
    return subprocess.run(words, env=environment, capture_output=True, text=True, timeout=TIMEOUT_S)


@pytest.fixture(params=parameters({name: implementations(name)[name] for name in LOOPS}))
def loop(request):
    return request.param


def test_smoke(loop):
    done = conform("adapter", "smoke", ADAPTERS / loop)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_keeps_the_orders_that_its_documentation_promises(loop, tmp_path):
    promises = LOOPS[loop]
    files = []
    for number, (program, _) in enumerate(promises.values()):
        files.append(tmp_path / f"{number}.yaml")
        files[-1].write_text(f"program: {program}\nexpect: '...'\n")
    done = conform("run", *files, f"--impl={loop}", "--format=json")
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads(done.stdout)["results"]
    got = [" ".join(event["label"] for event in result["tries"][0]["events"]) for result in results]
    assert dict(zip(promises, got)) == {claim: order for claim, (_, order) in promises.items()}
