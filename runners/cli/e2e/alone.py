"""For tests: cases as stand-alone programs, without conform, and whether two samples of orders differ."""

import collections
import contextlib
import itertools
import json
import math
import os
import pathlib
import re
import subprocess
import sys

PATIENCE_S = 20  # for a program that may never end
SUFFIXES = {"js": ".cjs", "c": ".c", "python": ".py"}
# Two samples differ if chance alone gives counts as unequal as theirs in fewer than this part of all comparisons.
LEVEL = 1e-6
# Stands at the top of every copy of a native file: whichever file runs first makes the `log` that they all call.
NATIVE_LOG = """(function (all) {
  if (all.log) return;
  var order = [];
  var hasEnded = false;  // other listeners of `exit` may log too
  all.log = function (label) { if (hasEnded) console.log(label); else order.push(label); };
  process.on('exit', function () {
    hasEnded = true;
    console.log(order.join(' '));
  });
})(typeof globalThis === 'undefined' ? global : globalThis);
"""
CASES = pathlib.Path(__file__).resolve().parents[3] / "cases"
# Cases whose order varies from run to run, with every order that was seen. How often each comes depends on how busy the
# machine is, so that two samples need not agree; an order that is not listed is still an error.
VARIES = {
    "bun@1.4.4": {
        # Another thread waits for the child.
        "children/exit-after-what-is-ready": {"A B K", "A K B", "K A B"},
        "children/messages-before-exit": {"one two disconnect exited", "one two exited disconnect"},
    },
    "deno@2.9.6": {
        # Whether a timer that is due comes before the end.
        "errors/fatal-in-main": {"exit=1", "A exit=1"},
        # Another thread brings the signal: whether it comes before the child has ended, and the process with it.
        "children/exit-before-a-later-signal": {"K", "S K"},
        # Whether a millisecond has passed when the loop first looks.
        "main/timeout-against-immediate": {"A I", "I A"},
        "immediates/after-clear-immediate-of-timeout": {"A B", "B A"},
        "timers/unref-right-after-clear-immediate": {"B", "B A"},
        # Its pool has more threads than the case asks for.
        "poll/one-thread-keeps-order": {" ".join(order) for order in itertools.permutations("ABCDE")},
    },
    "bun@1.3.14": {"children/exit-after-what-is-ready": {"A B K", "A K B", "K A B"}},
    # Whether the error of the worker comes before the end of the process.
    "bun@1.1.45": {"errors/throw-in-worker-main": {"T P", "T P exit=1"}},
}
WORKERS = {"workers/error-before-exit", "workers/has-its-own-loop", "workers/messages-before-exit"}
NO_EXIT_EVENT = {"errors/throw-in-before-exit", "exit/error-in-before-exit-repeats"}
BARE_MODULES = {"exit/waiting-forever-at-top-level"}
NO_IMMEDIATES = {"drain/esm-due-timeout-against-immediate", "drain/esm-queues-before-immediate"}
# Programs that cannot run, or cannot print their labels, without the adapter.
NOT_ALONE = {
    # Its warning about the depth of ticks overflows the stack.
    "node@0.10.48": {"starvation/tick-depth", "starvation/pending-behind-tick-depth"},
    # A process that had a worker ends without the event in which a program prints its labels.
    **dict.fromkeys(["bun@1.1.45", "bun@1.2.23", "bun@1.3.14"], WORKERS),
    # No exit event after an error; in modules, `module` needs a prefix, and there is no setImmediate.
    **dict.fromkeys(["deno@2.0.6", "deno@2.3.7"], NO_EXIT_EVENT | BARE_MODULES | NO_IMMEDIATES),
    "deno@2.6.8": NO_EXIT_EVENT | BARE_MODULES,
}


class Programs:
    """The exported programs of one language, each written and, if need be, compiled once."""

    def __init__(self, call, folder, language):
        self._call = call
        self._folder = folder
        self._language = language
        self._files = {}

    def file(self, case):
        """The program of a case, or None if there is none in this language."""
        if case not in self._files:
            self._files[case] = self._write(case)
        return self._files[case]

    def _write(self, case):
        shown = self._call("show", case, f"--as={self._language}")
        if shown.returncode:
            return self._copy_native(case) if self._language == "js" else None
        is_module = re.search(r"^// Run:.*\.mjs$", shown.stdout, re.MULTILINE)
        source = self._folder / (case.replace("/", "__") + (".mjs" if is_module else SUFFIXES[self._language]))
        source.write_text(shown.stdout, encoding="utf-8")
        if self._language != "c":
            return source
        program = source.with_suffix("")
        subprocess.run(["cc", "-o", program, source, "-luv"], check=True)
        return program

    def _copy_native(self, case):
        """The file of a native case in JavaScript, with the files beside it that its name begins."""
        shown = json.loads(self._call("show", case, "--format=json").stdout)["case"]
        native = shown.get("native", {}).get("", "")
        if not native.endswith((".cjs", ".mjs")):
            return None
        original = (CASES / case).with_name(native)
        folder = self._folder / case.replace("/", "__")  # files of two cases may have one name
        folder.mkdir()
        for file in original.parent.glob(f"{original.stem}*{original.suffix}"):
            (folder / file.name).write_text(NATIVE_LOG + file.read_text(encoding="utf-8"), encoding="utf-8")
        return folder / native


def pool_of(file):
    """The variables that a program has to be started with."""
    found = re.search(r"UV_THREADPOOL_SIZE=\d+", file.read_text(encoding="utf-8", errors="replace"))
    return dict([found.group().split("=")]) if found else {}


def order_alone(words, **variables):
    """What the program prints, label by label, and how it ends."""
    try:
        ended = subprocess.run(
            [str(word) for word in words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE_S,
            env={**os.environ, **variables},
        )
        output, code = ended.stdout, ended.returncode
    except subprocess.TimeoutExpired as still_running:
        output, code = still_running.stdout or b"", "never"
    lines = [line for line in output.decode().splitlines() if not line.startswith("file://")]  # Deno's own words
    labels = " ".join(lines).split()
    return " ".join(labels + ([f"exit={code}"] if code else []))


@contextlib.contextmanager
def busy_cores():
    """As many processes that compute as there are processors: what is rare on an idle machine may come then."""
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count())]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def observed(result):
    """How often each order came in the tries of a result; one that did not end is open at its end."""
    return collections.Counter(
        " ".join([event["label"] for event in one.get("events", [])] + (["exit=never"] if one.get("trouble") else []))
        for one in result["tries"]
    )


def chance(a, of_a, b, of_b):
    """The chance of counts as unequal as a of of_a and b of of_b, or more so, in samples of one distribution (Fisher's
    exact test)."""

    def ways(k):
        return math.comb(of_a, k) * math.comb(of_b, a + b - k)

    possible = range(max(0, a + b - of_b), min(of_a, a + b) + 1)
    return sum(ways(k) for k in possible if ways(k) <= ways(a)) / math.comb(of_a + of_b, a + b)


def differ(one, other):
    """Whether two counters of orders cannot be samples of one distribution."""
    sizes = sum(one.values()), sum(other.values())
    return any(chance(one[order], sizes[0], other[order], sizes[1]) < LEVEL for order in {*one, *other})
