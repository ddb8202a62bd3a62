"""asyncio and uvloop: each program gets a new event loop in this process.

    adapter.py asyncio|uvloop

CONFORM_PYTHON names another Python to run in, from 3.6 on: `--impl=asyncio=/usr/local/bin/python3.13`.
"""

import asyncio
import os
import pathlib
import platform
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "shared"))

from loop_run import OPS, LoopRun, refuses  # noqa: E402
from programs import serve  # noqa: E402


def introduce(name):
    """What `ready` says, and how a loop is made."""
    python = platform.python_version()
    claims = {"profile": "asyncio", "version": python.rstrip("+")}
    if name == "asyncio":
        details = {"implementation": platform.python_implementation()}
        implementation = {"name": name, "version": python, "details": details}
        return {"implementation": implementation, "claims": claims}, asyncio.new_event_loop
    try:
        import uvloop
    except ImportError:
        sys.exit("this Python has no uvloop; Debian's package is python3-uvloop")
    implementation = {"name": name, "version": uvloop.__version__, "details": {"python": python}}
    return {"implementation": implementation, "claims": claims}, uvloop.new_event_loop


def main():
    other = os.environ.pop("CONFORM_PYTHON", "")
    if other:
        os.execv(other, [other, __file__] + sys.argv[1:])
    ready, new_loop = introduce(sys.argv[1])
    serve(ready, lambda message: LoopRun(message, new_loop()), OPS, refuses)


main()
