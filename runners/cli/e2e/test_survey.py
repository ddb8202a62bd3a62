"""conform survey: answers that are known from documentation, and what is said of loops that are not there."""

import json
import re

import pytest

# From the documentation of each loop.
KNOWN = {
    # "setImmediate() callbacks are processed in the order in which they are created", and one that is queued by another
    # waits for the next iteration.
    "node": {"soon-in-order": "start order", "soon-from-soon": "next pass", "soon-starves-timers": "no"},
    # The loop keeps the time, and timers are relative to it.
    "libuv": {"time-in-callback": "yes", "equal-deadlines": "start order", "timer-or-descriptor": "timer"},
    # call_soon: called in the order in which they are registered.
    "asyncio": {"soon-in-order": "start order", "timer-or-soon": "soon"},
    # Tasks that are ready run in no order that one could rely on.
    "trio": {"soon-in-order": "varies"},
}


# Two orders that are equally likely: forty runs that agree come once in 10^11 times.
REPEAT = {"trio": 40}


def ask(call, *arguments):
    done = call("survey", *arguments, "--format=json")
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("loop", KNOWN)
def test_answers_are_those_of_the_documentation(call, validate, loop):
    got = ask(call, f"--impl={loop}", f"--repeat={REPEAT.get(loop, 3)}", *KNOWN[loop])
    validate(got, "survey")
    (name,) = got["loops"]
    assert name.startswith(loop + "@")
    assert {rule["rule"]: rule["answers"][name]["answer"] for rule in got["rules"]} == KNOWN[loop]


def test_a_question_shows_its_program_and_the_orders(call):
    done = call("survey", "soon-in-order", "--impl=node", "--repeat=2")
    assert done.returncode == 0, done.stderr
    assert "    start order       node@" in done.stdout
    assert "  program:\n  - immediate A\n" in done.stdout and "     2 × A B C D E\n" in done.stdout
    assert "judged by: immediates/first-in-first-out" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_what_a_loop_has_not_is_said(call):
    got = ask(call, "--impl=libuv", "microtasks", "--repeat=1")
    (answer,) = got["rules"][0]["answers"].values()
    assert answer["state"] == "unsupported" and answer["answer"].endswith("has no then")


def test_the_page_has_every_answer(call, tmp_path):
    page = tmp_path / "page.md"
    done = call("survey", "soon-in-order", "cleared-soon", "--impl=node", "--repeat=1", f"--markdown={page}")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^\| node@\S+ \| start order \| no \|$", page.read_text(), re.MULTILINE)


def test_loops_that_are_not_there_are_listed_with_what_to_install(call, root, tmp_path):
    """Of two adapters, one cannot be started."""
    for name in ["cases", "spec"]:
        (tmp_path / name).symlink_to(root / name)
    (tmp_path / "adapters/gone").mkdir(parents=True)
    (tmp_path / "adapters/javascript").symlink_to(root / "adapters/javascript")
    (tmp_path / "adapters/gone/adapter.yaml").write_text("{name: gone, install: gone-dev, command: [no-such-program]}")
    done = call("survey", "cleared-soon", "--repeat=1", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert re.search(r"not here: .*gone .*no-such-program.*; apt install gone-dev\b", " ".join(done.stdout.split()))
    done = call("survey", "--impl=gone", home=tmp_path)
    assert done.returncode == 2 and "no-such-program" in done.stderr


def test_the_old_name_of_the_command_still_works(call):
    old, new = (call(command, "soon-in-order", "--impl=node", "--repeat=1") for command in ("rules", "survey"))
    assert old.returncode == 0 and old.stdout == new.stdout
    commands = [line.split()[0] for line in call("--help").stdout.splitlines() if line.startswith("  ")]
    assert "survey" in commands and "rules" not in commands


def test_errors(call):
    done = call("survey", "soon-in-ordre")
    assert done.returncode == 2 and "did you mean 'soon-in-order'?" in done.stderr
    done = call("survey", "--impl=ref")
    assert done.returncode == 2 and "the reference loop follows the rules of its profile" in done.stderr
