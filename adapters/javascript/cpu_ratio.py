#!/usr/bin/env python3
"""How much processor time a run of the catalogue takes, beside as many bare starts of the same binary.

    adapters/javascript/cpu_ratio.py [NODE] [--rounds=N]

Half of the bare starts come before each run of the catalogue and half after it, so that what else the machine does
changes both sides alike: the ratio is what counts.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BARE = 'for i in $(seq "$1"); do "$0" -e 0; done'


def start(command):
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def cpu_seconds(process):
    """Of the process and all that it started and waited for, once it has ended."""
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return usage.ru_utime + usage.ru_stime


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
    binary = binary_of(conform, arguments.node)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "results.jsonl"
        run = [conform, "run", f"--impl={arguments.node}", f"--output={file}"]
        cpu_seconds(start(run))  # tells how many processes there are
        count = processes_of(file)
        ratios = []
        for _ in range(arguments.rounds):
            bare = ["sh", "-c", BARE, binary, str(count // 2)]
            before, ours, after = cpu_seconds(start(bare)), cpu_seconds(start(run)), cpu_seconds(start(bare))
            theirs = (before + after) * count / (count // 2 * 2)
            ratios.append(ours / theirs)
            print(f"{count} processes: {ours:.2f} s of CPU, bare {theirs:.2f} s, ratio {ours / theirs:.3f}", flush=True)
        print(f"median ratio {sorted(ratios)[len(ratios) // 2]:.3f}")


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
