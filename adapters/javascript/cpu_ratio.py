#!/usr/bin/env python3
"""How much processor time a run of the catalogue takes, beside as many bare starts of the same binary.

    adapters/javascript/cpu_ratio.py [NODE] [--rounds=N]

While a run of the catalogue is under way, one process after the other, bare starts run beside it, one after the other:
whatever else the machine does at any moment changes both sides alike. What counts is the ratio.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
QUIET = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
# A bare start takes longer where it is to read certificates (NODE_EXTRA_CA_CERTS), which a run does not pass on.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("NODE_")}


def start(command):
    return os.posix_spawn(command[0], command, ENVIRONMENT, file_actions=QUIET)


def cpu_seconds(usage):
    """Of the process and of all that it started and waited for."""
    return usage.ru_utime + usage.ru_stime


def starts_another(case):
    """Native modules are the main module of a separate process, which the adapter starts; and a script may fork."""
    script = ROOT / "cases" / f"{case}.cjs"
    is_module = (ROOT / "cases" / f"{case}.mjs").exists()
    return is_module or (script.exists() and ".fork(" in script.read_text(encoding="utf-8"))


def processes_of(file):
    """How often the run started the binary: for each try, and for the conversation without a run. Other programs that
    cases start, as `true`, do not count, and neither do workers, which are threads."""
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    results = [line for line in lines if line["type"] == "result"]
    return 1 + sum(len(one["tries"]) * (2 if starts_another(one["case"]) else 1) for one in results)


def one_round(run, binary):
    """The processor time of the whole run, and the mean time of a bare start beside it."""
    running = start(run)
    bare = []
    while True:
        _, _, usage = os.wait4(start([binary, "-e", "0"]), 0)
        ended, _, whole = os.wait4(running, os.WNOHANG)
        if ended:  # the last of the bare starts had the machine for itself for a part of its time
            return cpu_seconds(whole), statistics.mean(bare)
        bare.append(cpu_seconds(usage))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("node", nargs="?", default="node@24", help="as --impl takes it (default node@24)")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    conform = str(os.environ.get("CONFORM", ROOT / "build/release/runners/cli/conform"))
    binary = binary_of(conform, arguments.node)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "results.jsonl"
        run = [conform, "run", f"--impl={arguments.node}", "--jobs=1", f"--output={file}"]
        ratios = []
        for _ in range(arguments.rounds):
            ours, bare = one_round(run, binary)
            count = processes_of(file)
            ratios.append(ours / (bare * count))
            print(
                f"{count} processes: {ours:.2f} s of CPU, bare {bare * count:.2f} s ({1000 * bare:.1f} ms each), "
                f"ratio {ratios[-1]:.3f}",
                flush=True,
            )
    spread = f"{min(ratios):.3f} to {max(ratios):.3f} in {len(ratios)} rounds"
    print(f"ratio {statistics.median(ratios):.3f} ({spread})")


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
