"""The catalogue on real runtimes, which are installed through npm. Without a network these tests are skipped."""

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import pytest
import yaml

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from alone import VARIES, Programs, busy_cores, observed, order_alone  # noqa: E402

NODES = ["10.24.1", "11.15.0", "20.2.0", "24.21.0", "26.10.0"]
OTHERS = ["bun@1.4.4", "deno@2.9.6"]
# On Bun a module that waits forever is waited for, and beforeExit repeats for an immediate that is unreferenced.
ENDLESS = {
    "bun@1.4.4": {
        "exit/before-exit-of-a-waiting-module",
        "exit/before-exit-settles-the-module",
        "exit/unref-immediate-in-before-exit",
        "exit/waiting-forever-at-top-level",
    },
    "deno@2.9.6": set(),
}
# What is known of them from elsewhere, and the catalogue can say.
KNOWN = {
    "bun@1.4.4": {
        "ticks/queued-in-microtask-waits",
        "microtasks/finally-takes-two-more",
        "main/due-timeout-before-immediate",
        "timers/list-is-served-as-a-whole-in-node",
        "rejections/in-immediate",
        "close/connected-socket-after-check",
    },
    "deno@2.9.6": {
        "ticks/before-promise-in-poll",
        "drain/between-close-callbacks",
        "close/server-waits-for-its-connections",
    },
}
BAD = {"fail", "suspect", "missing", "timeout", "crash", "protocol-error"}


def results(file):
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if line["type"] == "result"]


def order(result):
    return [event["label"] for event in result["tries"][-1]["events"]]


@pytest.fixture(scope="session")
def installed(call):
    """The binaries by name, as node@24.21.0."""
    names = [f"node@{version}" for version in NODES] + OTHERS
    ended = call("runtimes", "install", *names, timeout=1500)
    if ended.returncode == 3:
        pytest.skip("no runtimes without a network: " + ended.stderr.strip().splitlines()[-1])
    assert ended.returncode == 0, ended.stdout + ended.stderr
    listed = json.loads(call("runtimes", "list", "--format=json").stdout)
    return {f"{one['name']}@{one['version']}": one["binary"] for one in listed["runtimes"]}


@pytest.fixture
def bin_path(installed, tmp_path):
    """A link to Node 24 by a different path, such as a developer of Node has."""
    (tmp_path / "out").mkdir()
    link = tmp_path / "out/node"
    link.symlink_to(installed["node@24.21.0"])
    return link


@pytest.fixture(scope="session")
def whole_run(call, installed, tmp_path_factory):
    """whole_run("bun@1.4.4"): how a run of the whole catalogue ended, and its results file. Each is run once."""
    folder = tmp_path_factory.mktemp("whole")
    ended = {}

    def run(name):
        file = folder / f"{name}.jsonl"
        if name not in ended:
            ended[name] = call("run", f"--impl={name}", f"--output={file}", timeout=900)
        return ended[name], file

    return run


def run_all(call, file, implementation, *more):
    ended = call("run", f"--impl={implementation}", f"--output={file}", *more, timeout=900)
    return ended, results(file)


@pytest.mark.parametrize("version", NODES)
def test_node_does_what_the_catalogue_says_of_its_version(call, installed, tmp_path, version):
    ended, found = run_all(call, tmp_path / "r.jsonl", f"node@{version}")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    verdicts = [result["verdict"] for result in found]
    assert not BAD & set(verdicts)
    assert {result["profile"] for result in found} == {f"node@{version}"}
    runnable = [verdict for verdict in verdicts if verdict != "unsupported"]
    assert len(runnable) > 150 and runnable.count("unspecified") <= 0.05 * len(runnable)


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in OTHERS])
def test_where_another_runtime_differs_its_own_program_shows_it(call, installed, tmp_path, whole_run, name):
    """Goal: a failure is real. Method: each failing case, exported as a stand-alone program, does the same there."""
    ended, file = whole_run(name)
    found = results(file)
    failures = [result for result in found if result["verdict"] == "fail"]
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert KNOWN[name] <= {failure["case"] for failure in failures}
    # Deno may listen for a signal only a moment after it was asked to, and is then ended by it.
    early = [result for result in found if name.startswith("deno") and result.get("reason") == "was killed by SIGUSR2"]
    bad = [result for result in found if result["verdict"] in ("crash", "protocol-error") and result not in early]
    assert not bad, bad
    assert {result["case"] for result in found if result["verdict"] == "timeout"} <= ENDLESS[name]
    programs = Programs(call, tmp_path, "js")
    runtime = [installed[name], *(["run", "-A", "--quiet"] if name.startswith("deno") else [])]
    differing = []
    for failure in failures:
        command = [*runtime, programs.file(failure["case"])]
        known = VARIES.get(name, {}).get(failure["case"])
        if known is not None:
            assert {*observed(failure)} <= known, failure
            assert order_alone(command) in known, failure
        elif not is_of_a_wider_pool(call, tmp_path, failure) and not seen_alone(call, command, failure):
            differing.append(f"{failure['case']}: {order(failure)}")
    assert not differing, "\n".join(differing)


# What workerd 1.20261110.1 does otherwise than the standard says. adapters/workerd/README.md lists the same.
ON_WORKERD = {
    "html/handled-after-it-was-reported",
    "html/handled-while-it-is-reported",
    "html/large-delays-wrap-around",
    "html/microtasks-between-listeners",
    "html/microtasks-between-messages",
    "html/microtasks-hold-back-tasks",
    "html/odd-delays-are-zero",
    "html/rejections-in-one-task",
    "rejections/awaited-one-after-the-other",
    "rejections/handled-later",
    "timers/clear-by-string",
}


# It has no event for every error, which the standard has.
MISSING_ON_WORKERD = {
    "html/error-and-microtasks-of-a-message",
    "html/error-in-error-listener",
    "html/error-in-main-before-microtasks",
    "html/error-in-microtask-at-once",
    "html/error-lets-the-rest-run",
    "rejections/throw-in-handled-handler",
}


def install_workerd(call):
    """The binary of the release that the list is of."""
    ended = call("runtimes", "install", "workerd@1.20261110.1", timeout=900)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    listed = json.loads(call("runtimes", "list", "--format=json").stdout)["runtimes"]
    return next(one["binary"] for one in listed if one["version"] == "1.20261110.1")


def test_workerd_is_held_to_html(call, installed, tmp_path):
    install_workerd(call)
    ended, found = run_all(call, tmp_path / "r.jsonl", "workerd@1.20261110.1", "main", "timers", "rejections", "html")
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert {result["profile"] for result in found} == {"html@2026.8.0"}
    assert {result["case"] for result in found if result["verdict"] == "missing"} == MISSING_ON_WORKERD
    assert {result["case"] for result in found if result["verdict"] in BAD - {"missing"}} == ON_WORKERD
    assert [result["verdict"] for result in found].count("pass") > 25


# Workers written by hand, and what the cases of the same meaning do through the adapter.
WORKERS = {
    "html/microtasks-between-messages": """
        const channel = new MessageChannel();
        channel.port1.onmessage = ({ data }) => {
          log(data);
          if (data === 'B') return;
          Promise.resolve().then(() => log('P'));
          queueMicrotask(() => log('Q'));
        };
        channel.port2.postMessage('A');
        channel.port2.postMessage('B');""",
    "html/microtasks-between-listeners": """
        addEventListener('unhandledrejection', () => { log('X=E'); Promise.resolve().then(() => log('Y')); });
        addEventListener('unhandledrejection', () => log('Z=E'));
        Promise.reject(new Error('E'));""",
    "html/handled-after-it-was-reported": """
        addEventListener('unhandledrejection', () => log('U=E'));
        addEventListener('rejectionhandled', () => log('H'));
        const rejected = Promise.reject(new Error('E'));
        setTimeout(() => { log('A'); rejected.catch(() => log('C')); }, 30);""",
}


@pytest.mark.parametrize("case", WORKERS)
def test_where_workerd_differs_a_worker_written_by_hand_does(call, installed, tmp_path, case):
    binary = install_workerd(call)
    module = (
        "export default { test() { const order = []; const log = (label) => order.push(label);"
        " const end = new Promise((resolve) => setTimeout(resolve, 200)).then(() => console.log(order.join(' ')));"
        f" {WORKERS[case]} return end; }} }};"
    )
    configuration = tmp_path / "config.capnp"
    configuration.write_text(
        'using Workerd = import "/workerd/workerd.capnp";\n'
        'const config :Workerd.Config = (services = [(name = "program", worker = (compatibilityDate = "2026-11-10", '
        f'modules = [(name = "worker.mjs", esModule = {json.dumps(module)})]))]);\n'
    )
    alone = subprocess.run([binary, "test", configuration], capture_output=True, encoding="utf-8", timeout=60)
    _, (result,) = run_all(call, tmp_path / "r.jsonl", "workerd@1.20261110.1", case)
    assert alone.stdout.split() == order(result)


@pytest.mark.xdist_group("bun@1.4.4")  # where its whole run is
def test_a_run_on_bun_passes_the_gate_of_its_own_baseline_alone(call, whole_run, tmp_path):
    _, file = whole_run("bun@1.4.4")
    baseline = tmp_path / "bun.yaml"
    gate = ["gate", file, f"--baseline={baseline}"]
    assert call(*gate, "--update").returncode == 0
    opened = call(*gate)
    assert opened.returncode == 0, opened.stdout + opened.stderr
    known = yaml.safe_load(baseline.read_text(encoding="utf-8"))
    entries = known["known"]["bun >=1.4.4"]
    removed = next(case for case, entry in entries.items() if entry["verdict"] == "fail")
    del entries[removed]
    baseline.write_text(yaml.safe_dump(known), encoding="utf-8")
    closed = call(*gate)
    assert closed.returncode == 1 and f"worse  {removed}  bun@1.4.4" in closed.stdout, closed.stdout
    assert closed.stdout.count("worse  ") == 1


def test_two_releases_of_node_are_compared_by_running_them(call, installed):
    ended = call("diff", "node@10.24.1", "node@11.15.0", "--case=drain/between-timers")
    assert ended.returncode == 1
    assert "node@10.24.1  A [B] T P ·\n    node@11.15.0  A ·   T P [B]\n" in ended.stdout, ended.stdout


def seen_alone(call, command, failure):
    """The program alone gives an order that was observed, or another one that no delay explains. How often each wrong
    order of a race comes depends on how busy the machine is, so that two samples need not share one, and the order
    that is looked for may be rare: the program is run idle first and then with all processors busy."""
    seen, refused = {*observed(failure)}, set()
    for load in (contextlib.nullcontext, busy_cores):
        with load():
            start = time.monotonic()
            for attempt in range(50):
                order = order_alone(command)
                if order not in refused:
                    if order in seen or is_unexplained(call, failure, order):
                        return True
                    refused.add(order)
                if attempt >= 10 and time.monotonic() - start > 40:
                    break
    return False


def is_unexplained(call, failure, order):
    """Whether the case has a model that does not allow this order, on time or late."""
    allowed = orders_of_model(call, failure["case"], failure["profile"])
    return allowed is not None and order not in allowed


def is_of_a_wider_pool(call, folder, failure):
    """Whether the case sets the width of the pool, which these runtimes do not heed, and the model allows what was
    observed with a wider one. Such an order is a race between threads, and may be too rare to come again."""
    shown = call("show", failure["case"]).stdout
    program = re.search(r"^pool: \d+\n(program:\n.*?)^expect:", shown, re.MULTILINE | re.DOTALL)
    if not program:
        return False
    (folder / "wider.yaml").write_text(f"pool: 16\n{program.group(1)}", encoding="utf-8")
    allowed = orders_of_model(call, folder / "wider.yaml", failure["profile"])
    return allowed is not None and {*observed(failure)} <= allowed


def orders_of_model(call, case, profile):
    """Every order that the model allows, on time or late; None if they are too many, or there is no model."""
    explored = call("explore", case, f"--profile={profile}", "--late", "--limit=10000", "--format=json")
    assert explored.returncode in (0, 1, 3), explored.stderr
    if explored.returncode == 3:
        return None
    found = json.loads(explored.stdout)
    is_whole = found["late"]["complete"] and not found["late"]["more"]
    return {" ".join(one["order"]) for one in found["runs"]} if is_whole else None


@pytest.mark.parametrize("version", NODES)
def test_what_a_release_has_is_what_its_profile_says(root, installed, version):
    """Goal: what is unsupported is really missing. Method: the adapter looks, the profile is written by hand."""
    said = '{"type":"hello","protocol":[1,1]}\n{"type":"stop"}\n'
    adapter = root / "adapters/javascript/adapter.cjs"
    ended = subprocess.run(
        [installed[f"node@{version}"], adapter], input=said, capture_output=True, encoding="utf-8", timeout=60
    )
    profile = yaml.safe_load((root / "spec/profiles/node.yaml").read_text(encoding="utf-8"))
    written = {name for name, span in profile["capabilities"].items() if covers(span, version)}
    assert set(json.loads(ended.stdout)["ops"]) - {"native"} == written


def covers(span, version):
    def number(text):
        return tuple((list(map(int, text.split("."))) + [0, 0])[:3])

    def holds(bound):
        operator, limit = re.fullmatch(r"(>=|<|=)(.*)", bound).groups()
        own, other = number(version), number(limit)
        return {">=": own >= other, "<": own < other, "=": own == other}[operator]

    return any(all(holds(bound) for bound in part.split()) for part in span.split("||"))


def test_a_binary_is_taken_by_its_path(call, bin_path, tmp_path):
    file = tmp_path / "r.jsonl"
    ended = call("run", "main/", f"--impl=node={bin_path}", f"--output={file}")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert {result["implementation"] for result in results(file)} == {f"node={bin_path}"}
    assert {result["profile"] for result in results(file)} == {"node@24.21.0"}
    assert f"node={bin_path} reports version 24.21.0" in re.sub(r"\s+", " ", ended.stdout)
    first = json.loads(file.read_text(encoding="utf-8").splitlines()[0])
    assert first["implementations"][0]["version"] == "24.21.0"


def test_a_runtime_that_is_not_installed_is_an_error_with_the_command_that_installs_it(call, tmp_path):
    ended = call("run", "--impl=node@0.9", CONFORM_CACHE=str(tmp_path))
    assert ended.returncode == 2
    assert "conform runtimes install node@0.9" in ended.stderr


def test_several_implementations_are_compared(call, installed):
    ended = call("run", "drain/", "--impl=node@10.24.1,node@11.15.0,node@24.21.0")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert re.search(r"They differ in \d+ cases?:", ended.stdout)
    block = re.search(r"^drain/between-timers\n(.*?)^\S", ended.stdout, re.MULTILINE | re.DOTALL).group(1)
    assert re.sub(r"\s+", " ", block).strip() == (
        "A [B] T P node@10.24.1 A [T] P B node@11.15.0, node@24.21.0"
    )


SCRIPT = """
setTimeout(function () { log('A'); process.nextTick(function () { log('T'); }); }, 0);
setTimeout(function () { log('B'); }, 0);
for (var end = Date.now() + 5; Date.now() < end;);
"""


def test_a_script_of_ones_own_is_compared_without_expectations(call, installed, write, validate):
    script = write("mine.js", SCRIPT)
    ended = call("run", script, "--impl=node@10.24.1,node@24.21.0", "--repeat=8", "--format=json")
    assert ended.returncode == 1, ended.stdout + ended.stderr
    told = json.loads(ended.stdout)
    validate(told, "run")
    (compared,) = told["scripts"]
    assert [side["orders"] for side in compared["sides"]] == [[{"order": x, "count": 8}] for x in ("A B T", "A T B")]
    assert [pair["likeness"] for pair in compared["pairs"]] == ["different"] and compared["source"] == SCRIPT
    (cause,) = compared["causes"]
    assert (cause["since"], cause["case"], cause["is_shown"]) == ("11.0.0", str(script), True)
    few = call("run", script, "--impl=node@10.24.1,node@24.21.0", "--repeat=2")
    assert few.returncode == 0 and "undecided" in few.stdout, few.stdout


def test_a_script_that_is_not_lifted_as_a_whole_may_be_explained_by_a_case(call, installed, write):
    script = write("mine.js", SCRIPT + "require('dns').lookup('localhost', function () {});\n")
    ended = call("run", script, "--impl=node@10.24.1,node@24.21.0", "--repeat=8")
    assert "runs " + str(script) in ended.stderr
    assert "may be due to timer-store (since node 11.0.0, timers.lists-by-duration)" in ended.stdout
    assert "conform history drain/between-timers" in ended.stdout


def test_a_script_of_ones_own_has_the_order_of_ticks_that_bun_gives_it(call, installed, write):
    """On Bun that order changes once `fs` has been loaded, which is what a script that logs by itself shows."""
    body = (
        "queueMicrotask(function () { log('Q'); process.nextTick(function () { log('T'); }); });\n"
        "queueMicrotask(function () { log('R'); });\n"
    )
    for name in ["mine.cjs", "mine.mjs"]:
        ended = call("run", write(name, body), "--impl=bun@1.4.4", "--format=json")
        assert [order(result) for result in json.loads(ended.stdout)["results"]] == [["Q", "T", "R"]], name


def test_a_module_of_ones_own_runs_too(call, installed, write):
    module = write("mine.mjs", "log('A'); await null; log('B'); process.nextTick(() => log('T'));")
    ended = call("run", module, "--impl=node@24.21.0,bun@1.4.4,deno@2.9.6", "--repeat=3", "--format=json")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (compared,) = json.loads(ended.stdout)["scripts"]
    assert all(side["orders"] == [{"order": "A B T", "count": 3}] for side in compared["sides"]), compared


def test_a_script_that_logs_nothing_says_how_and_its_console_can_be_taken(call, installed, write):
    script = write("plain.js", "setTimeout(() => console.log('timer', 1), 0); console.log('main script\\n100%');")
    mute = call("run", script, "--impl=node@24.21.0", "--repeat=2")
    assert mute.returncode == 2 and "log('name')" in mute.stderr and "--console" in mute.stderr, mute.stderr
    ended = call("run", script, "--impl=node@24.21.0,node@10.24.1", "--repeat=2", "--console")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout.count("2 × main_script 100% timer_1") == 2, ended.stdout


def test_a_timeout_ends_a_script_that_never_does(call, installed, write):
    script = write("endless.js", "log('A'); setInterval(() => {}, 1000);")
    ended = call("run", script, "--impl=node@24.21.0", "--timeout=2")
    assert ended.returncode == 3 and "A …" in ended.stdout and "2000 ms" in ended.stdout, ended.stdout


def processes_of(word):
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            environment = open(f"/proc/{name}/environ", "rb").read()
        except OSError:
            continue
        if word.encode() in environment.split(b"\0"):
            found.append(int(name))
    return found


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_ended_leaves_no_process_and_can_be_resumed(conform, call, installed, tmp_path, end):
    file = tmp_path / "r.jsonl"
    environment = dict(os.environ, TMPDIR=str(tmp_path))
    arguments = ["run", "timers/", "drain/", "--impl=node@24.21.0", f"--output={file}"]
    command = [conform, *arguments]
    running = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    while not file.exists() or len(file.read_text(encoding="utf-8").splitlines()) < 5:
        assert running.poll() is None
        time.sleep(0.01)
    running.send_signal(end)
    _, stderr = running.communicate(timeout=60)
    assert running.returncode == (130 if end == signal.SIGINT else -signal.SIGKILL)
    if end == signal.SIGINT:
        assert f"--resume {file}" in stderr.decode()
    while processes_of(f"TMPDIR={tmp_path}"):  # the guard is at work; a process that stays would hang this test
        time.sleep(0.01)
    before = len(results(file))
    ended = call("run", "--resume", file)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert lines[-1]["type"] == "end" and lines[-1]["results"] == lines[0]["planned"] > before
    keys = [(result["case"], result["implementation"]) for result in results(file)]
    assert len(keys) == len(set(keys))
    # A run that is complete has nothing left to do.
    again = call("run", "--resume", file)
    assert again.returncode == 0 and [json.loads(line) for line in file.read_text().splitlines()] == lines
