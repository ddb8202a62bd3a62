"""conform on asyncio: the cases hold on the reference loop and on the real one. What uvloop does otherwise is real."""

import json
import subprocess

import pytest

PYTHON = "/usr/bin/python3"

# What uvloop 0.17 does otherwise than asyncio, and what comes of it. adapters/asyncio/README.md lists the same.
ON_UVLOOP = {
    "asyncio/exit-leaves-the-loop": "A R B exit=3",
    "asyncio/order-of-a-pass": "T S R S2",
    "asyncio/signal-takes-one-more-pass": "Z A S B C",
    "asyncio/stop-finishes-the-pass": "A B A1 A2 R1=0 M R2=0",
    "asyncio/zero-is-a-timer": "T S",
}


def only_of_this_uvloop():
    version = subprocess.check_output([PYTHON, "-c", "import uvloop; print(uvloop.__version__)"], text=True).strip()
    if not version.startswith("0.17."):
        pytest.skip(f"the list is of uvloop 0.17, and this is {version}")


def results(result):
    return json.loads(result.stdout)["results"]


def order(entry):
    return " ".join(event["label"] for event in entry["tries"][-1]["events"])


@pytest.mark.parametrize("implementation", ["ref,ref:real --as=asyncio", "ref --as=asyncio@3.5.0", "asyncio"])
def test_the_cases_hold(call, implementation):
    result = call("run", "asyncio", *f"--impl={implementation}".split(), "--format=json")
    assert result.returncode == 0, result.stdout + result.stderr
    verdicts = [entry["verdict"] for entry in results(result)]
    assert len(verdicts) > 20 and set(verdicts) <= {"pass", "inconclusive", "unspecified"}
    assert verdicts.count("pass") > 20


def test_the_patterns_are_what_the_model_allows(call):
    result = call("lint", "asyncio", "--format=json")
    assert result.returncode == 0, result.stdout + result.stderr


def test_uvloop_differs_where_it_is_said_to(call):
    only_of_this_uvloop()
    result = call("run", "asyncio", "--impl=uvloop", "--format=json")
    assert result.returncode == 1
    failed = {entry["case"]: order(entry) for entry in results(result) if entry["verdict"] == "fail"}
    assert failed == ON_UVLOOP


@pytest.mark.parametrize(
    "case, on_asyncio",
    [
        ("asyncio/exit-leaves-the-loop", "A exit=3"),
        ("asyncio/order-of-a-pass", "S R T S2"),
        ("asyncio/signal-takes-one-more-pass", "Z A B S C"),
        ("asyncio/stop-finishes-the-pass", "A B R1=1 M A1 A2 R2=0"),
        ("asyncio/zero-is-a-timer", "S T"),
    ],
)
def test_the_difference_is_there_without_conform(call, tmp_path, case, on_asyncio):
    """The exported program, which knows nothing of adapters, on both loops."""
    only_of_this_uvloop()
    program = tmp_path / "program.py"
    program.write_text(call("show", case, "--as=python").stdout)
    loop = "import asyncio, uvloop, runpy; asyncio.set_event_loop_policy(uvloop.EventLoopPolicy());"
    told = {}
    for name, words in {"asyncio": [program], "uvloop": ["-c", f"{loop} runpy.run_path({str(program)!r})"]}.items():
        done = subprocess.run([PYTHON, *words], capture_output=True, text=True, timeout=60)
        code = f" exit={done.returncode}" if done.returncode else ""
        told[name] = done.stdout.strip() + code
    assert told == {"asyncio": on_asyncio, "uvloop": ON_UVLOOP[case]}


def test_trio_shows_several_orders_of_one_case(call):
    """The negative control: 30 runs that agree would be one in 2^29."""
    result = call("run", "asyncio/soon-in-order", "--impl=trio", "--repeat=30", "--format=json")
    assert result.returncode == 0, result.stderr
    (entry,) = results(result)
    assert entry["verdict"] == "unspecified"
    seen = {" ".join(event["label"] for event in one["events"]) for one in entry["tries"]}
    assert seen == {"A B C", "C B A"}
