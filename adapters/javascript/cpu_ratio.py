#!/usr/bin/env python3
"""How much processor time a run of the catalogue takes, beside as many bare starts of the same binary.

    adapters/javascript/cpu_ratio.py [NODE] [--rounds=N]

Both sides are measured in one run, in turns, so that the ratio says something on a busy machine as well.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def cpu_seconds(work):
    """Of all processes that `work` starts and waits for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def processes_of(file):
    """How many processes the run needed: one for each try, and the conversation without a run."""
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return 1 + sum(len(line["tries"]) for line in lines if line["type"] == "result")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("node", nargs="?", default="node@24", help="as --impl takes it (default node@24)")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    conform = os.environ.get("CONFORM", ROOT / "build/release/runners/cli/conform")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "results.jsonl"
        run = [conform, "run", f"--impl={arguments.node}", f"--output={file}"]
        ratios = []
        for _ in range(arguments.rounds):
            ours = cpu_seconds(lambda: subprocess.run(run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            count = processes_of(file)
            bare = [binary_of(conform, arguments.node), "-e", "0"]
            theirs = cpu_seconds(lambda: [subprocess.run(bare, stdin=subprocess.DEVNULL) for _ in range(count)])
            ratios.append(ours / theirs)
            print(f"{count} processes: {ours:.2f} s of CPU, bare {theirs:.2f} s, ratio {ours / theirs:.3f}", flush=True)
        print(f"best ratio {min(ratios):.3f}, median {sorted(ratios)[len(ratios) // 2]:.3f}")


def binary_of(conform, word):
    """The binary that conform runs for the word."""
    if "=" in word:
        return word.split("=", 1)[1]
    listed = json.loads(subprocess.run([conform, "runtimes", "list", "--format=json"], capture_output=True).stdout)
    name, _, version = word.partition("@")
    named = [one for one in listed["runtimes"] if one["name"] == name]
    fitting = [one for one in named if not version or (one["version"] + ".").startswith(version + ".")]
    return fitting[-1]["binary"]


if __name__ == "__main__":
    main()
