"""The adapters of the loops in C and C++, each built into a temporary folder and spoken to as conform does."""

import json
import os
import pathlib
import subprocess
import sys

import pytest
import yaml

ADAPTERS = pathlib.Path(__file__).resolve().parents[1]
ROOT = ADAPTERS.parent
sys.path.insert(0, str(ADAPTERS / "shared"))

from needs import hint, implementations, parameters  # noqa: E402
from speaking import TIMEOUT_S, orders, program_of, run, talk  # noqa: E402

LOOPS = {
    name: (folder, implementation)
    for folder in ["asio", "glib", "libev", "libevent", "qt", "sd-event"]
    for name, implementation in implementations(folder).items()
}
NAMES = parameters({name: implementation for name, (_, implementation) in LOOPS.items()})


@pytest.fixture(scope="session")
def command(tmp_path_factory):
    """command("libev"): what starts the adapter. Each is built once, and they share what they have in common."""
    top = tmp_path_factory.mktemp("loops")
    (top / "shared").mkdir()
    made = {}

    def build(name):
        folder, implementation = LOOPS[name]
        out = top / "-".join([folder, *implementation["build"][2:]])
        if out not in made:
            out.mkdir()
            variables = {**os.environ, "OUT": str(out), "SHARED_OUT": str(top / "shared")}
            words = implementation["build"]
            done = subprocess.run(words, cwd=ADAPTERS / folder, env=variables, capture_output=True, text=True)
            made[out] = done
        done = made[out]
        assert done.returncode == 0, f"{done.stderr}\n{hint(implementation)}"
        return [str(out / "adapter"), *implementation["command"][1:]]

    return build


# What the documentation of each loop promises.
IN_CALLBACK = "[{timeout X 1: [timeout A 60, busy 40, timeout B 30]}]"
PROMISES = {
    "asio": {
        "dispatch runs a handler immediately where it may": ("[{soon A: [soon D as dispatch, log B]}]", "A D B"),
        "post never runs a handler immediately": ("[{soon A: [soon D, log B]}]", "A B D"),
        "run_one runs one handler": ("[soon A, soon B, run once R, run once R]", "A R=1 B R=0"),
        "a cancelled wait is reported as such, later": ("[timeout A 9, clear A as cancel, log B]", "B A=ECANCELED"),
    },
    "glib": {
        "priorities are strict": ("[soon L as low, soon S, soon D as default, soon H as high]", "H D S L"),
        "idle sources wait until nothing else is ready": ("[soon S, timeout T 0 x3, read R]", "T R T T S"),
        "destroying a source is reported immediately": ("[timeout A 9, close C of A, log E]", "C E"),
    },
    "libev": {
        "higher priorities come first": ("[soon L as low, soon S, soon H as high]", "H S L"),
        "prepare, then check, then descriptors": ("[read R, check C x1, prepare P x1, timeout T 1]", "P C R T"),
        "idle watchers wait until nothing else is pending": ("[idle I x1, read R, timeout T 0, busy 5]", "T R I"),
        "overdue timers come by their time": ("[timeout C 3, timeout B 2, timeout A 1, busy 5]", "A B C"),
        "timers count from the time of the iteration": (IN_CALLBACK, "X B A"),
        "the time can be updated": ("[timeout A 60, busy 40, update, timeout B 30]", "A B"),
    },
    "libevent": {
        "higher priorities come first": ("[soon L as low, soon S, soon H as high]", "H S L"),
        "a loop that is broken ends after the callback": (
            "[{soon A: [stop]}, soon B, run default R, run default R]",
            "A R=1 B R=0",
        ),
        "once means all that is active": ("[soon A, soon B, run once R]", "A B R=0"),
        "finalizers are called by the loop": ("[timeout A 9, close C of A, log E]", "E C"),
        "callbacks see the time of their iteration": (IN_CALLBACK, "X B A"),
    },
    "qt": {
        "events come by priority, then as posted": (
            "[soon L as low, soon A as event, soon B as event, soon H as high]",
            "H A B L",
        ),
        "deleteLater waits for the loop": ("[timeout A 9, close C of A, log E]", "E C"),
        "a timer of no time waits for what is posted": ("[timeout T 0, soon S, busy 5]", "S T"),
    },
    "sd-event": {
        "priorities are strict": ("[soon L as low, soon S, soon H as high]", "H S L"),
        "an iteration runs one source": ("[soon A, soon B, run once R, run once R]", "A R=1 B R=0"),
        "post sources come after others": ("[check P x1, soon S]", "S P"),
        "timers count from the time of the iteration": (IN_CALLBACK, "X B A"),
    },
}


@pytest.mark.parametrize("name", NAMES)
def test_it_keeps_the_orders_that_its_documentation_promises(command, name):
    promises = PROMISES[LOOPS[name][0]]
    got = orders(command(name), *[program for program, _ in promises.values()])
    assert dict(zip(promises, got)) == {claim: order for claim, (_, order) in promises.items()}


@pytest.fixture
def conform(command, tmp_path):
    """conform(name, "run", …): runs conform with the adapter of that name in the place of `ADAPTER`."""
    binary = os.environ.get("CONFORM", ROOT / "build/release/runners/cli/conform")
    assert pathlib.Path(binary).exists(), f"{binary} is not built"

    def call(name, *words):
        # What was built already, so that it is not built again.
        (tmp_path / "adapter.yaml").write_text(json.dumps({"name": name, "command": command(name)}))
        variables = {**os.environ, "CONFORM_HOME": str(ROOT)}
        words = [binary, *(word.replace("ADAPTER", str(tmp_path)) for word in words)]
        return subprocess.run(words, env=variables, capture_output=True, text=True, timeout=TIMEOUT_S)

    return call


@pytest.mark.parametrize("name", NAMES)
def test_smoke(conform, name):
    done = conform(name, "adapter", "smoke", "ADAPTER")
    assert done.returncode == 0, done.stdout + done.stderr


# Promises that a loop does not keep; its README says more.
BROKEN = {"sd-event": {"documented/fair-among-equals": "S S S T"}}


@pytest.mark.parametrize("name", NAMES)
def test_it_is_judged_by_what_its_documentation_promises(conform, name):
    done = conform(name, "run", "documented", "--impl=adapter=ADAPTER", "--format=json")
    results = json.loads(done.stdout)["results"]
    judged = {entry["case"]: entry for entry in results if entry["verdict"] not in ("unsupported", "unspecified")}
    expected = yaml.safe_load((ROOT / "spec/profiles" / f"{'qt' if name.startswith('qt') else name}.yaml").read_text())
    assert len(judged) > len(expected["rules"]), sorted(judged)
    wrong = {
        case: " ".join(event["label"] for event in entry["tries"][-1]["events"])
        for case, entry in judged.items()
        if entry["verdict"] not in ("pass", "inconclusive")
    }
    assert wrong == BROKEN.get(name, {}) and done.returncode == (1 if wrong else 0)


def test_another_promise_than_its_own_is_noticed_to_be_broken(conform):
    case = "documented/posted-from-posted"
    done = conform("libev", "run", case, "--impl=adapter=ADAPTER", "--as=qt", "--format=json")
    (entry,) = json.loads(done.stdout)["results"]
    assert entry["verdict"] == "fail" and done.returncode == 1


def test_where_nothing_is_promised_the_order_is_recorded(conform):
    done = conform("libev", "run", "libuv/idle-last-in-first-out", "asyncio", "--impl=adapter=ADAPTER", "--format=json")
    assert done.returncode == 0, done.stdout + done.stderr
    verdicts = [entry["verdict"] for entry in json.loads(done.stdout)["results"]]
    assert verdicts.count("unspecified") > 5 and set(verdicts) == {"unspecified", "unsupported"}


@pytest.mark.parametrize("name", NAMES)
def test_it_introduces_itself_and_claims_a_profile(command, name):
    answers, done = talk(command(name), [{"type": "hello", "protocol": [1, 1]}, {"type": "stop"}])
    assert done.returncode == 0, done.stderr
    (ready,) = answers
    assert ready["implementation"]["name"] == name and ready["implementation"]["version"][0].isdigit()
    profile = "qt" if name.startswith("qt") else name
    version = ready["implementation"]["version"].split("-")[0]  # 2.1.12-stable
    assert ready["claims"] == {"profile": profile, "version": version}
    assert ready["isolation"] == "session" and (ROOT / f"spec/profiles/{profile}.yaml").is_file()
    assert {"soon", "timeout", "read", "clear", "run", "exit"} <= set(ready["ops"])
    assert "tick" not in ready["ops"]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_left_of_a_program(command, name):
    left = "[timeout A 30, timeout B 60000, soon S, read R, {timeout T 1: [timeout C 0, read Q, soon U, exit 2]}]"
    first, second, third = orders(command(name), left, "[run nowait R]", "[timeout T 50, read R]")
    assert first.endswith("T exit=2") and [second, third] == ["R=0", "R T"]


@pytest.mark.parametrize("name", NAMES)
def test_what_it_has_not_is_unsupported(command, name):
    programs = ["[{soon S: [tick T]}]", "[timeout T NaN]", "[soon S as nonsense]"]
    answers, _ = talk(command(name), [run(i, program_of(program)) for i, program in enumerate(programs, 1)])
    assert [answer.get("op") for answer in answers] == ["tick", "delay NaN", "soon as nonsense"]


def test_a_wait_without_end_is_found_out_where_the_loop_would_not_return(command):
    programs = ["[wake W unsent]", "[prepare P]", "[check C, unref C]", "[wake W unsent, read R]"]
    assert orders(command("libev"), *programs) == ["exit=never", "P exit=never", "C", "R exit=never"]


def test_references_are_kept_by_watcher(command):
    program = "[timeout A 60000, unref A, {timeout B 1: [timeout C 1, unref C, clear C, start C, timeout D 9]}]"
    assert orders(command("libev"), program) == ["B C D"]


def test_a_library_that_is_none_is_not_mistaken_for_one(command, tmp_path):
    other = tmp_path / "other.so"
    subprocess.run(["g++", "-shared", "-fPIC", "-x", "c++", "/dev/null", "-o", other], check=True)
    _, done = talk(command("libev"), [{"type": "hello", "protocol": [1, 1]}], LD_PRELOAD=str(other))
    assert done.returncode == 1 and "is not libev" in done.stderr


def test_a_library_that_is_missing_is_named(tmp_path):
    variables = {**os.environ, "OUT": str(tmp_path), "PKG_CONFIG_LIBDIR": str(tmp_path)}
    done = subprocess.run(["make", "-s"], cwd=ADAPTERS / "glib", env=variables, capture_output=True, text=True)
    assert done.returncode != 0 and "does not find gio-unix-2.0" in done.stderr
