"""Results files of any length: what is kept of a result that passes is too little for memory to grow with the file."""

import json
import subprocess
import sys

import pytest

CASES = 1000
PROFILES = 20  # of an implementation
ORDER = [{"label": label, "t_ns": at, "iteration": 0, "phase": "timers"} for at, label in enumerate("ABC")]
BYTES_OF_A_RESULT = 4  # at most, of memory
NOISE_KIB = 1024

# Runs a command and prints the most memory that it had. A process counts what it had before its program began as well,
# and this one has less than a test.
MEASURE = """
import os, sys
_, status, used = os.wait4(os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ), 0)
print(used.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def lines(count):
    """A results file in which so many results pass, each of another case, implementation or profile."""
    yield json.dumps({"type": "run", "format": 1, "conform": "1.0.0", "planned": count})
    passed = {"type": "result", "case": "CASE", "hash": "0123456789abcdef", "implementation": "IMPLEMENTATION"}
    passed |= {"profile": "PROFILE", "verdict": "pass", "expected": "A B C", "reproduce": "conform run CASE"}
    before, case, behind = json.dumps(passed | {"tries": [{"standing": "on-time", "events": ORDER}]}).partition("CASE")
    for number in range(count):
        column, row = divmod(number, CASES)
        held_to = f"node@{1 + column % PROFILES}"
        one = behind.replace("IMPLEMENTATION", f"loop@{column // PROFILES}", 1).replace("PROFILE", held_to, 1)
        yield f"{before}made/{row}{one}"
    yield json.dumps({"type": "end", "results": count, "totals": {"pass": count}})


def peak_kib(command, count, folder):
    """Of memory, of the command with a file of so many results."""
    path = folder / "results.jsonl"
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines(count))
    measured = [sys.executable, "-IS", "-c", MEASURE, *command, path]
    ended = subprocess.run(measured, capture_output=True, encoding="utf-8", check=False)
    path.unlink()
    assert ended.returncode == 0, ended.stdout + ended.stderr
    *text, peak = ended.stdout.splitlines()
    assert f"{count} " in " ".join(text).replace(",", ""), text  # all of them were read
    return int(peak)


@pytest.mark.parametrize("count", [100_000, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_the_memory_of_a_gate_does_not_grow_with_the_file(conform, tmp_path, write, record_property, count):
    baseline = write("baseline.yaml", "format: 2\nknown:\n")
    command = [conform, "gate", f"--baseline={baseline}", "--only-what-ran"]
    few, many = (peak_kib(command, number, tmp_path) for number in (count // 10, count))
    record_property("peak", f"{few} KiB for {count // 10} results, {many} KiB for {count}")
    print(f"{few} KiB for {count // 10} results, {many} KiB for {count}")
    assert many - few <= NOISE_KIB + count * BYTES_OF_A_RESULT / 1024
