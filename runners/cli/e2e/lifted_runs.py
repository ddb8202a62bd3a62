"""Does Node print only orders that lift gives, and all of them? Each script, many times, on releases of Node.js.

    python3 runners/cli/e2e/lifted_runs.py [SCRIPT…] [--runs=1000] [--impl=node@10.24.1,node@24.21.0]
                                           [--disturbed=N] [--conform=PROGRAM]

Without SCRIPT, those in scripts/. The releases are installed. Each script is lifted once, and then runs plainly, with
nothing of conform about it. A row for each script and release: how many of the orders that are possible on time were
seen, the same of those that take a delay, and the runs that printed them; below, how often each order was seen. It
exits with 1 if a run printed an order that is not among the answers.

Where an order was not seen, --disturbed runs the script N more times, with calls that take up to 4 ms longer.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SCRIPTS = sorted((HERE / "scripts").glob("*.js"))
MOST_ORDERS = 1000

# Loaded before a script: each call that prints or schedules takes up to 4 ms, before it and after.
DISTURB = """'use strict';
function wait() { for (var end = Date.now() + Math.random() * 2; Date.now() < end;); }
function slow(object, name) {
  var call = object[name];
  object[name] = function () {
    wait();
    try { return call.apply(this, arguments); } finally { wait(); }
  };
}
slow(console, 'log');
slow(process, 'nextTick');
['setTimeout', 'setInterval', 'setImmediate'].forEach(function (name) { slow(global, name); });
"""


def conform(program, *words):
    ended = subprocess.run([str(program), *map(str, words)], capture_output=True, encoding="utf-8", check=False)
    assert ended.returncode == 0, f"conform {' '.join(map(str, words))}\n{ended.stdout}{ended.stderr}"
    return ended.stdout


def installed(program, name):
    """The program of a release, installed where it is not."""
    for attempt in range(2):
        listed = json.loads(conform(program, "runtimes", "list", "--format=json"))["runtimes"]
        for one in listed:
            if name == f"{one['name']}@{one['version']}":
                return one["binary"]
        assert attempt == 0, f"{name} is not a release that can be installed"
        conform(program, "runtimes", "install", name)


def number(release):
    return [int(part) for part in release.removeprefix("node@").split(".")]


class Answers:
    """What a script may print, as lift reads it: its program, explored for any release."""

    def __init__(self, program, script, folder):
        self.program, self.case = program, folder / (script.stem + ".yaml")
        self.lifted = json.loads(conform(program, "lift", script, f"--output={self.case}", "--timeout=60",
                                         "--format=json"))

    def printed(self, order):
        texts, made_up = self.lifted["labels"], self.lifted["made_up"]
        return tuple(texts.get(label, label) for label in order if label not in made_up)

    def on(self, release):
        """{order: is it possible on time}, or nothing where the release has not all that the script uses."""
        if number(release) < number(self.lifted["releases"][0]["since"]):
            return None
        words = ["--late", f"--profile={release}", f"--limit={MOST_ORDERS}", "--format=json"]
        found = {}
        for run in json.loads(conform(self.program, "explore", self.case, *words))["runs"]:
            order = self.printed(run["order"])
            found[order] = run["on_time"] or found.get(order, False)
        return found


def seen(binary, script, runs, *options):
    """How often each order was printed."""
    counts = collections.Counter()
    for _ in range(runs):
        ended = subprocess.run([binary, *options, script], capture_output=True, encoding="utf-8", check=True)
        counts[tuple(ended.stdout.splitlines())] += 1
    return counts


Row = collections.namedtuple("Row", "script release allowed plain disturbed")


def outside(row):
    """Orders that were printed and are not among the answers."""
    return [order for order in {**row.plain, **row.disturbed} if order not in row.allowed]


def in_table(row):
    def share(on_time):
        orders = [order for order, is_on_time in row.allowed.items() if is_on_time == on_time]
        return f"{sum(order in row.plain for order in orders)} of {len(orders)}" if orders else ""

    late = sum(count for order, count in row.plain.items() if row.allowed.get(order) is False)
    return f"| {row.script} | {row.release} | {share(True)} | {share(False)} | {late or ''} |"


def by_order(row):
    lines = []
    for order in {**row.allowed, **row.plain, **row.disturbed}:
        when = {True: "on time", False: "late", None: "NOT AN ANSWER"}[row.allowed.get(order)]
        counts = f"{row.plain[order]} of {row.plain.total()}"
        if row.disturbed:
            counts += f", disturbed {row.disturbed[order]} of {row.disturbed.total()}"
        lines.append(f"{row.script} {row.release}, {when}: {counts}: {', '.join(order)}")
    return "\n".join(lines)


def compared(answers, script, release, binary, runs, disturbing=None, disturbed=0):
    allowed = answers.on(release)
    if allowed is None:
        return None
    plain, more = seen(binary, script, runs), collections.Counter()
    if disturbed and set(allowed) - set(plain):
        more = seen(binary, script, disturbed, "-r", disturbing)
    return Row(script.stem, release, allowed, plain, more)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scripts", nargs="*", type=pathlib.Path, default=SCRIPTS)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--impl", default="node@10.24.1,node@24.21.0")
    parser.add_argument("--disturbed", type=int, default=0)
    parser.add_argument("--conform", default=ROOT / "build/release/runners/cli/conform")
    options = parser.parse_args()
    binaries = {release: installed(options.conform, release) for release in options.impl.split(",")}
    rows = []
    print("| script | release | on time, seen | late, seen | late runs |", flush=True)
    print("| --- | --- | ---: | ---: | ---: |", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        disturbing = pathlib.Path(folder) / "disturb.js"
        disturbing.write_text(DISTURB, encoding="utf-8")
        for script in options.scripts:
            answers = Answers(options.conform, script, pathlib.Path(folder))
            for release, binary in binaries.items():
                row = compared(answers, script, release, binary, options.runs, disturbing, options.disturbed)
                if row:
                    rows.append(row)
                print(in_table(row) if row else f"| {script.stem} | {release} | has not all of it | | |", flush=True)
    print()
    for row in rows:
        print(by_order(row))
    sys.exit(1 if any(outside(row) for row in rows) else 0)


if __name__ == "__main__":
    main()
