"""The reference loop and the second model, which is written in Promela and run by spin, allow the same orders."""

import itertools
import re
import resource
import subprocess
from typing import NamedTuple

import pytest

pytestmark = pytest.mark.long

# The letters of the kinds, as both print them, and the numbers that event_loop.pml has for them.
KINDS = {"n": 0, "m": 1, "i": 2, "f": 3, "t": 4, "u": 5}
TIMINGS = ("on-time", "late")


class Programs(NamedTuple):
    """Every program of up to so many callbacks, each of them scheduled by the main script or by one that is; or, flat,
    of exactly so many, all scheduled by the main script."""

    callbacks: int
    kinds: str
    flat: bool = False

    def __iter__(self):
        for count in range(self.callbacks if self.flat else 1, self.callbacks + 1):
            for letters in itertools.product(self.kinds, repeat=count):
                for dots in itertools.product(("",) if self.flat else ("", "."), repeat=count - 1):
                    yield "".join(dot + letter for dot, letter in zip(("", *dots), letters))

    def flags(self, timing):
        """As event_loop.pml takes them."""
        kinds = sum(1 << KINDS[kind] for kind in self.kinds)
        defined = {"N": self.callbacks, "KINDS": kinds, "LATE": int(timing == "late")}
        if self.flat:
            defined |= {"EXACTLY": 1, "NESTING": 0}
        return [f"-D{name}={value}" for name, value in defined.items()]


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def verified(model, folder, programs, timing):
    """What the second model allows, as lines, and the CPU time of the verifier without its compilation."""
    (folder / "event_loop.pml").write_text(model, encoding="utf-8")
    command = ["spin", *programs.flags(timing), "-a", "event_loop.pml"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    compiled = ["gcc", "-O2", "-w", "-DSAFETY", "-DNOFAIR", "-DPRINTF", "-DMEMLIM=4096", "-o", "pan", "pan.c"]
    subprocess.run(compiled, cwd=folder, check=True)
    before = cpu_seconds()
    ended = subprocess.run(["./pan", "-m100000", "-w24"], cwd=folder, check=True, capture_output=True, encoding="utf-8")
    took = cpu_seconds() - before
    assert "errors: 0" in ended.stdout and "max search depth too small" not in ended.stdout, ended.stdout[-3000:]
    return set(re.findall(r"^[.nmiftu]+ [A-F]+$", ended.stdout, re.MULTILINE)), took


def explored(conform, root, programs, timing):
    """The same of the reference loop."""
    program = conform.parents[2] / "reference-impl/second-model/program_orders"
    asked = "".join(f"{one}\n" for one in programs)
    ended = subprocess.run(
        [program, root / "spec/profiles", timing], input=asked, check=True, capture_output=True, encoding="utf-8"
    )
    return set(ended.stdout.splitlines()), float(ended.stderr)


@pytest.fixture(scope="module")
def model(root):
    return (root / "reference-impl/second-model/event_loop.pml").read_text(encoding="utf-8")


# The second are those that conform bench measures.
@pytest.mark.parametrize("programs", [Programs(4, "nmiftu"), Programs(6, "mift", flat=True)], ids=["nested", "six"])
@pytest.mark.parametrize("timing", TIMINGS)
def test_both_models_allow_the_same_orders(model, conform, root, tmp_path, record_property, programs, timing):
    second, spin_s = verified(model, tmp_path, programs, timing)
    first, explorer_s = explored(conform, root, programs, timing)
    asked = set(programs)
    assert {line.split()[0] for line in second} == {line.split()[0] for line in first} == asked
    told = f"{len(asked)} programs, {len(first)} orders {timing}: spin {spin_s:.2f} s, the explorer {explorer_s:.2f} s"
    record_property("cpu", told)
    print(told)
    assert not sorted(first - second)[:20], "only the reference loop allows these"
    assert not sorted(second - first)[:20], "only the second model allows these"


@pytest.mark.parametrize(
    "found, replaced",
    [
        (":: NONE(ticks) && ANY(microtasks)", ":: ANY(microtasks)"),
        ("alarm = (alarm < 1 -> 1 : alarm)", "skip"),  # timers of one pass
        ("batch = len(immediates)", "batch = (len(immediates) > 0 -> 1 : 0)"),
    ],
)
def test_a_second_model_that_is_wrong_is_noticed(model, conform, root, tmp_path, found, replaced):
    assert model.count(found) == 1
    programs = Programs(4, "nmift")
    second, _ = verified(model.replace(found, replaced), tmp_path, programs, "late")
    first, _ = explored(conform, root, programs, "late")
    assert first != second
