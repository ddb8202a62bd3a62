"""An adapter that runs nothing: its labels are what it was given. `curious.py ISOLATION [WORD…]`"""

import json
import os
import sys


def labels_of(run):
    yield f"run={os.getpid()}:{run['seq']}"
    for name in ("entry", "native", "flush"):
        if name in run:
            yield f"{name}={run[name]}"
    for descriptor in run.get("descriptors", []):
        yield f"{descriptor}={os.read(descriptor, 10).decode()}"
    for word in sys.argv[2:]:
        yield f"word={word}"
    for name, value in sorted(os.environ.items()):
        yield f"{name}={value}".replace(" ", "_")[:100]


def put(message):
    print(json.dumps(message), flush=True)


def main():
    for text in sys.stdin:
        message = json.loads(text)
        if message["type"] == "hello":
            ready = {"type": "ready", "protocol": 1, "isolation": sys.argv[1]}
            ready["implementation"] = {"name": "curious", "version": "1.2"}
            ready["claims"] = {"profile": "node", "version": "20.0.0"}
            ready["ops"] = ["tick", "read", "immediate", "native", "entry esm"]
            put(ready)
        elif message["type"] == "run":
            events = [{"label": label, "t_ns": 5000 + n} for n, label in enumerate(labels_of(message))]
            put({"type": "trace", "seq": message["seq"], "events": events})
        elif message["type"] == "stop":
            return


main()
