"""Whatever goes wrong: the exit code, and a message that helps."""

import fcntl
import os
import pty
import resource
import select
import struct
import subprocess
import termios
import time

import pytest

GOOD = "program:\n  - timeout A 0\nexpect: A\n"


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["adapter"], "a command of 'adapter' is missing"),
        (["help", "rnu"], "did you mean 'run'?"),
        (["rnu"], "did you mean 'run'?"),
        (["run", "--reapet=3"], "did you mean '--repeat'?"),
        (["run", "main/timeout-againts-immediate"], "did you mean 'main/timeout-against-immediate'?"),
        (["run", "tmiers/"], "did you mean 'timers/'?"),
        (["run", "*/nothing-like-this"], "there is no case"),
        (["run", "--impl=reff"], "did you mean 'ref'?"),
        (["run", "--impl=ref,"], "contains an empty name"),
        (["run", "--as=noed@10"], "did you mean 'node'?"),
        (["run", "--as=node@99"], "node goes from"),
        (["run", "--as=node@ten"], "node@ten"),
        (["run", "--shard=4/3"], "is not a shard"),
        (["run", "--repeat=0"], "--repeat"),
        (["run", "--repeat=many"], "--repeat"),
        (["run", "--format=xml"], "--format"),
        (["run", "nowhere.yaml"], "nowhere.yaml"),
        (["run", "--perturb=much"], "--perturb: 'much' is not an integer"),
        (["run", "--seed=-1"], "--seed: '-1' is not an integer"),
        (["run", "--impl=ref@3"], "ref is built in and has only one version"),
        (["--vesion"], "did you mean '--version'?"),
        (["list", "cazes"], "cazes"),
        (["list", "case"], "did you mean 'cases'?"),
        (["list", "profiles", "noed"], "did you mean 'node'?"),
        (["run", "--impl=chrome"], "did you mean 'chromium'?"),
        (["run", "--impl=node24"], "there is no implementation 'node24' (did you mean 'node@24'?)"),
        (["run", "--as=python"], "did you mean 'asyncio'?"),
        (["runtimes", "install", "nodejs"], "did you mean 'node'?"),
        (["node24"], "did you mean 'conform run --impl=node@24'?"),
        (["bun"], "did you mean 'conform run --impl=bun'?"),
        (["chrome"], "did you mean 'conform run --impl=chromium'?"),
        (["python", "drain/"], "did you mean 'conform run --impl=asyncio'?"),
        (["show", "timer.deadline-order"], "did you mean the clause 'timers.deadline-order'?"),
        (["run", "timers.deadline-order"], "it is a clause; conform show timers.deadline-order lists its cases"),
        (["show", "setImmediate"], "conform search setImmediate finds what is about it"),
        (["history", "process.nextTick"], "conform search process.nextTick finds what is about it"),
        (["explore", "-e", "log L; timeout A Infinity", "--profile=libuv"], "-e:1:8: libuv has no delay"),
        (["explore", "-e", "timeout A 0: [tick T; then P]"], "-e:1:21: steps in brackets are separated by commas"),
        (["show"], "show needs a case or a clause"),
        (["show", "main/timeout-against-immediate", "--as=perl"], "--as"),
        (["explore", "main/timeout-against-immediate", "--limit=0"], "--limit"),
    ],
)
def test_wrong_words_are_bad_input(call, arguments, message):
    ended = call(*arguments)
    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert ended.stderr.startswith("conform: ") and message in ended.stderr
    assert ended.stdout == ""


@pytest.mark.parametrize(
    "text, message",
    [
        ("program:\n  - timeuot A 0\nexpect: A\n", "x.yaml:2:"),
        ("program:\n  - timeuot A 0\nexpect: A\n", "did you mean 'timeout'?"),
        ("program:\n  - tick A\nexpcet: A\n", "did you mean 'expect'?"),
        ("program:\n  - tick A\nexpect: (A\n", "x.yaml:3:"),
        ("program:\n  - tick A\nexpect:\n  node <11: A\n  node <12: A\n", "x.yaml:5:"),
        ("program:\n  - tick A\nexpect:\n  nod >=11: A\n", "x.yaml:4:3: there is no profile 'nod'"),
        ("program: [\n", "x.yaml:"),
        ("", "x.yaml"),
        ("\0\1\2", "x.yaml"),
    ],
)
def test_unreadable_cases_are_bad_input_with_their_place(call, write, text, message):
    ended = call("run", write("x.yaml", text))
    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert message in ended.stderr


# Made when they are needed: a parameter would end up in the name of the test.
HUGE = {
    "brackets": lambda: "program: " + "[" * 5_000_000 + "]" * 5_000_000,
    "bodies": lambda: "program:\n" + "".join("  " * n + "- timeout A 0:\n" for n in range(1, 1_000)) + "expect: A\n",
    "steps": lambda: "program:\n" + "  - tick A\n" * 900_000 + "expect: A*\n",
    "aliases": lambda: "a0: &a0 [x, x]\n" + "".join(f"a{n + 1}: &a{n + 1} [*a{n}, *a{n}]\n" for n in range(30)),
    "pattern": lambda: "program:\n  - tick A\nexpect: '" + "(" * 900_000 + "A" + ")" * 100 + "'\n",
}


@pytest.mark.parametrize("name", HUGE)
@pytest.mark.parametrize("command", ["run", "lint", "explore", "show"])
def test_huge_files_are_refused_quickly_and_in_little_memory(conform, write, command, name):
    ended = subprocess.run(
        [str(conform), command, str(write(f"{name}.yaml", HUGE[name]()))],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30)),
    )
    assert ended.returncode == 2, ended.stderr[:500]
    assert name in ended.stderr and len(ended.stderr) < 2_000


def test_an_empty_catalogue_is_an_error(call, home):
    for file in home.glob("cases/**/*.yaml"):
        file.unlink()
    for command in ("run", "lint"):
        ended = call(command, home=home)
        assert ended.returncode == 2 and "no case" in ended.stderr


def test_a_home_without_data_is_trouble_of_the_harness(call, tmp_path):
    ended = call("list", home=tmp_path / "nowhere")
    assert ended.returncode == 3 and "CONFORM_HOME" in ended.stderr


def test_an_output_that_cannot_be_written_is_told(call, write):
    ended = call("run", write("x.yaml", GOOD), "--output=/nowhere/results.jsonl")
    assert ended.returncode == 3 and "/nowhere/results.jsonl" in ended.stderr


@pytest.mark.parametrize(
    "option, message",
    [
        ("--jobs=x", "--jobs: 'x' is not an integer between 1 and 1024"),
        ("--repeat=0", "--repeat: '0' is not an integer between 1 and 1000000"),
        ("--impl=,", "--impl=',' contains an empty name"),
    ],
)
def test_a_value_that_cannot_be_is_told(call, option, message):
    ended = call("run", "main/", option)
    assert ended.returncode == 2 and message in ended.stderr


def test_one_that_is_not_installed_is_left_out_and_the_others_run(call, tmp_path):
    (tmp_path / "adapter.yaml").write_text("name: gone\ninstall: libgone-dev\ncommand: [no-such-program]\n")
    arguments = ["run", "main/phase-tour", "--as=node@24", f"--impl=adapter={tmp_path},ref"]
    ended = call(*arguments)
    assert ended.returncode == 3 and "1 case on ref" in ended.stdout
    assert "skipped: the adapter of" in ended.stderr and "apt install libgone-dev" in ended.stderr
    assert call(*arguments[:-1], f"--impl=adapter={tmp_path}").returncode == 2
    assert call(*arguments[:-1], "--impl=gone,ref").returncode == 2  # an unknown name


def test_all_that_is_missing_is_named_in_one_line(call, tmp_path):
    words = []
    for name, needs in {"gone": "libgone-dev make", "lost": "make liblost-dev"}.items():
        (tmp_path / name).mkdir()
        text = f"name: {name}\ninstall: {needs}\ncommand: [no-such-program]\n"
        (tmp_path / name / "adapter.yaml").write_text(text)
        words.append(f"adapter={tmp_path / name}")
    words.append("node@0.0.1")
    all_of_them = "apt install libgone-dev make liblost-dev && conform runtimes install node@0.0.1"
    ended = call("run", "main/phase-tour", "--as=node@24", f"--impl={','.join(words)},ref")
    assert ended.returncode == 3 and f"to install all that is missing: {all_of_them}\n" in ended.stderr, ended.stderr
    ended = call("run", "main/phase-tour", "--as=node@24", f"--impl={','.join(words)}")
    assert ended.returncode == 2 and all_of_them in ended.stderr, ended.stderr
    assert ended.stderr.count("no-such-program") == 2 and "node@0.0.1 is not installed" in ended.stderr


def test_names_of_ops_that_nobody_knows_are_told(call, tmp_path):
    ready = '{"type":"ready","protocol":1,"implementation":{"name":"x","version":"1"},"isolation":"process",'
    (tmp_path / "adapter.sh").write_text(f"echo '{ready}\"ops\":[\"timeuot\"]}}'\n")
    (tmp_path / "adapter.yaml").write_text("name: x\ncommand: [sh, adapter.sh]\n")
    ended = call("run", "main/phase-tour", f"--impl=adapter={tmp_path}")
    assert "warning: x@1 declares unknown capabilities: 'timeuot': did you mean" in ended.stderr
    assert "1 unsupported" in ended.stdout


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_trouble_of_the_harness(conform, write):
    file = write("x.yaml", GOOD)
    with open("/dev/full", "w") as full:
        ended = subprocess.run([str(conform), "run", str(file)], stdout=full, stderr=subprocess.PIPE)
    assert ended.returncode == 3 and b"standard output cannot be written: No space left" in ended.stderr
    ended = subprocess.run([str(conform), "run", str(file), "--output=/dev/full"], capture_output=True)
    assert ended.returncode == 3 and b"/dev/full" in ended.stderr


@pytest.mark.parametrize("arguments", [["--help"], ["run", "--help"], ["--version"], ["lint", "--help"]])
def test_help_is_no_error(call, arguments):
    ended = call(*arguments)
    assert ended.returncode == 0 and ended.stdout and ended.stderr == ""


def on_terminal(conform, arguments, **variables):
    """Everything that conform writes to a terminal of 80 columns."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    environment.update(variables, TERM="xterm")
    process = subprocess.Popen([str(conform), *arguments], stdin=slave, stdout=slave, stderr=slave, env=environment)
    os.close(slave)
    out, deadline = b"", time.monotonic() + 120
    while time.monotonic() < deadline:
        if select.select([master], [], [], 1)[0]:
            try:
                chunk = os.read(master, 65536)
            except OSError:
                break
            if not chunk:
                break
            out += chunk
    os.close(master)
    process.wait(timeout=60)
    return out.decode("utf-8")


def test_a_terminal_sees_progress_and_colours(conform):
    out = on_terminal(conform, ["run", "main/"])
    assert "\r" in out and " of " in out
    assert "\033[32m" in out


# Goal: what fails is seen with its clause while the rest still runs. Method: an expectation is wrong, and other cases
# come after it; the number of results in the lines of progress says when each thing was written.
def test_a_failure_and_its_clause_stand_above_the_line_of_progress(conform, home):
    case = home / "cases/drain/between-timers.yaml"
    case.write_text(case.read_text().replace("A T P B", "B T P A"))
    words = ["run", "drain/between-timers", "main/", "--as=node@24", "--jobs=1"]
    out = on_terminal(conform, words, CONFORM_HOME=str(home), NO_COLOR="1")
    head = out.index("fail  drain/between-timers  ref  node@24.21.0")
    clause = out.index("drain.after-each-callback: After each callback that the loop runs,")
    last = out.rindex(" of ", 0, out.index("expected: `B T P A`"))  # of the lines of progress; the report follows
    assert head < clause < last
    assert "\r" in out[clause:last], out


def test_no_color_is_honoured(conform):
    out = on_terminal(conform, ["run", "main/"], NO_COLOR="1")
    assert "\033[32m" not in out and "\033[31m" not in out and "\033[1m" not in out


def test_away_from_a_terminal_there_are_plain_lines_alone(call):
    ended = call("run", "main/")
    assert "\033" not in ended.stdout + ended.stderr and "\r" not in ended.stdout + ended.stderr


COMMANDS = "run list show explore lint mutants history verify diff gate report merge"


@pytest.mark.parametrize("command", ["", *COMMANDS.split()])
def test_help_fits_on_a_terminal(call, command):
    text = call(*command.split(), "--help").stdout
    assert [line for line in text.splitlines() if len(line) > 80] == []
