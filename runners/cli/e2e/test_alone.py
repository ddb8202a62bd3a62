"""No adapter changes what it measures.

Goal: what conform observes is what a user observes without it. Method: each case, as the program that `conform show
--as` prints, run bare, has the same order as under the adapter; where orders vary, the counts could come from one
distribution. The same for the files of users: the program is run bare, and by `conform run FILE`.
"""

import collections
import concurrent.futures
import json
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from alone import NOT_ALONE, VARIES, Programs, chance, differ, observed, order_alone, pool_of  # noqa: E402

PYTHON = "/usr/bin/python3"
UVLOOP = "import asyncio, runpy, sys, uvloop; asyncio.set_event_loop_policy(uvloop.EventLoopPolicy());"
UVLOOP += " runpy.run_path(sys.argv[1])"
LANGUAGES = {"libuv": "c", "asyncio": "python", "uvloop": "python"}  # the others speak JavaScript
NEWEST = ["node@24.21.0", "bun@1.4.4", "deno@2.9.6"]
OLDER = [
    *[f"node@{version}" for version in ["0.10.48", "8.17.0", "10.24.1", "12.22.12", "16.20.2", "20.20.2", "26.10.0"]],
    *[f"bun@{version}" for version in ["1.0.0", "1.1.45", "1.2.23", "1.3.14"]],
    *[f"deno@{version}" for version in ["2.0.6", "2.3.7", "2.6.8"]],
]
EVERY = 40  # of the cases outside of the sample, one in so many is part of it
REPEAT = 20  # runs of each, where the first two differ
NOT_JUDGED = ("unsupported", "missing", "unspecified")  # some of the last never end there

# What an exported program contains that needs nothing special, and conform has for files.
PLAIN_LOG = """var order = [];
function log(label) { order.push(label); }
process.on('exit', function () { console.log(order.join(' ')); });
"""


def results(file):
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return {line["case"]: line for line in lines if line["type"] == "result"}


@pytest.fixture(scope="session")
def programs(call, tmp_path_factory):
    """programs("js"): the exported programs of that language."""
    made = {}

    def of(language):
        if language not in made:
            made[language] = Programs(call, tmp_path_factory.mktemp(language), language)
        return made[language]

    return of


@pytest.fixture(scope="session")
def bare(call):
    """bare("deno@2.9.6"): the words that start a program there."""

    def of(name):
        if name == "libuv":
            return []
        if name in LANGUAGES:
            return [PYTHON] if name == "asyncio" else [PYTHON, "-c", UVLOOP]
        ended = call("runtimes", "install", name, timeout=900)
        if ended.returncode == 3:
            pytest.skip("no runtimes without a network: " + ended.stderr.strip().splitlines()[-1])
        assert ended.returncode == 0, ended.stdout + ended.stderr
        listed = json.loads(call("runtimes", "list", "--format=json").stdout)["runtimes"]
        binary = next(one["binary"] for one in listed if f"{one['name']}@{one['version']}" == name)
        return [binary, "run", "-A", "--quiet"] if name.startswith("deno") else [binary]

    return of


@pytest.fixture(scope="session")
def cases(call):
    return [case["id"] for case in json.loads(call("list", "--format=json").stdout)["cases"]]


def in_sample(cases):
    """Half of where drains, modules, workers and errors are, and a smaller part of the others."""
    half = ("drain/", "errors/", "asyncio/")
    return [
        case
        for number, case in enumerate(cases)
        if case.startswith("libuv/handles") or (case.startswith(half) and number % 2 == 0) or number % EVERY == 0
    ]


def differences(call, name, found, start, folder):
    """Of the results of one run, those that differ from what start(case) gives alone."""

    def compare(case):
        alone = start(case)
        if alone is None or alone in observed(found[case]):
            return None
        if alone.endswith("exit=never") and found[case]["verdict"] == "timeout":
            return None
        # A race, or a difference.
        file = folder / (case.replace("/", "__") + ".jsonl")
        call("run", case, f"--impl={name}", f"--repeat={REPEAT}", f"--output={file}", timeout=900)
        ours = observed(next(iter(results(file).values())))
        theirs = collections.Counter([alone] + [start(case) for _ in range(REPEAT - 1)])
        if {*ours, *theirs} <= VARIES.get(name, {}).get(case, set()):
            return None
        return f"{case}\n  adapter {dict(ours)}\n  alone   {dict(theirs)}" if differ(ours, theirs) else None

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        left_out = NOT_ALONE.get(name, set())
        runnable = [
            case for case, result in found.items() if result["verdict"] not in NOT_JUDGED and case not in left_out
        ]
        return [one for one in pool.map(compare, runnable) if one]


def check_cases(call, name, words, programs, selected, folder):
    file = folder / "run.jsonl"
    call("run", *selected, f"--impl={name}", f"--output={file}", timeout=1800)
    found = results(file)

    def start(case):
        program = programs.file(case)
        return program and order_alone([*words, program], **pool_of(program))

    compared = [case for case in found if programs.file(case)]
    assert len(compared) > 10, "too few cases were compared"
    assert not (problems := differences(call, name, found, start, folder)), "\n".join(problems)


@pytest.mark.parametrize("name", [*NEWEST, *LANGUAGES])
def test_a_case_has_the_order_of_its_own_program(call, bare, programs, cases, tmp_path, name):
    check_cases(call, name, bare(name), programs(LANGUAGES.get(name, "js")), in_sample(cases), tmp_path)


@pytest.mark.parametrize("name", NEWEST)
def test_a_program_has_the_exit_code_that_it_has_alone(call, bare, tmp_path, name):
    """Goal: the adapter does not end the process before the runtime has decided on the code."""
    program = "log A; reject E"
    (tmp_path / "alone.cjs").write_text(call("show", "-e", program, "--as=js").stdout)
    assert order_alone([*bare(name), tmp_path / "alone.cjs"]).endswith("exit=1")  # Deno has no exit event then
    call("run", "-e", program, f"--impl={name}", f"--output={tmp_path}/run.jsonl")
    (order,) = observed(next(iter(results(tmp_path / "run.jsonl").values())))
    assert order.endswith("exit=1")


@pytest.mark.long
@pytest.mark.parametrize("name", [*NEWEST, *LANGUAGES, *OLDER])
def test_every_case_has_the_order_of_its_own_program(call, bare, programs, cases, tmp_path, name):
    check_cases(call, name, bare(name), programs(LANGUAGES.get(name, "js")), cases, tmp_path)


def is_plain(program):
    """Whether there is a program that keeps its labels, does not start itself again, and needs no variable."""
    text = program.read_text(encoding="utf-8") if program else ""
    return PLAIN_LOG in text and "startAgain(" not in text and not pool_of(program)


def check_files(call, name, words, programs, selected, folder):
    """The exported programs as files of a user: their own log is replaced by that of conform."""
    files = {}
    for case in selected:
        program = programs.file(case)
        if is_plain(program):
            files[str(folder / program.name)] = program
            text = program.read_text(encoding="utf-8").replace(PLAIN_LOG, "")
            (folder / program.name).write_text(text, encoding="utf-8")
    file = folder / "run.jsonl"
    call("run", *files, f"--impl={name}", f"--output={file}", timeout=1800)
    found = {str(folder / pathlib.Path(case).name): result for case, result in results(file).items()}
    assert len(found) == len(files) > 10
    problems = differences(call, name, found, lambda case: order_alone([*words, files[case]]), folder)
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("name", NEWEST)
def test_a_file_of_a_user_has_the_order_that_it_has_alone(call, bare, programs, cases, tmp_path, name):
    selected = [case for case in cases if case.startswith("drain/")]
    check_files(call, name, bare(name), programs("js"), selected, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("name", NEWEST)
def test_every_file_of_a_user_has_the_order_that_it_has_alone(call, bare, programs, cases, tmp_path, name):
    check_files(call, name, bare(name), programs("js"), cases, tmp_path)


def order_at_once(binary, folder, case):
    """The order of a case on Bun, when each label has to be written immediately."""
    run = {"type": "run", "seq": 1, "entry": case.get("entry", "script"), "program": case["program"], "flush": "each"}
    said = "".join(json.dumps(one) + "\n" for one in [{"type": "hello", "protocol": [1, 1]}, run])
    main = "entry_await.mjs" if run["entry"] == "esm" else "adapter.cjs"
    command = ["sh", folder / "bun.sh", binary, folder / main]
    ended = subprocess.run(command, input=said, capture_output=True, encoding="utf-8", timeout=60)
    traces = [json.loads(line) for line in ended.stdout.splitlines()][1:]
    assert [len(trace["events"]) for trace in traces] == [0] + [1] * (len(traces) - 1), ended.stdout + ended.stderr
    return " ".join(event["label"] for trace in traces for event in trace["events"])


def test_labels_that_are_written_immediately_come_in_the_same_order_on_bun(call, bare, programs, cases, root):
    """Method: cases of which the order on Bun does not vary, with ticks, in scripts and in modules."""
    (binary,) = bare("bun@1.4.4")
    compared = {}
    for name in [case for case in cases if case.startswith(("drain/esm-", "ticks/"))]:
        case = json.loads(call("show", name, "--format=json").stdout)["case"]
        program = programs("js").file(name)
        if is_plain(program):
            ours = order_at_once(binary, root / "adapters/javascript", case)
            compared[name] = (ours, order_alone([binary, program]))
    assert len(compared) > 10
    assert not {name: orders for name, orders in compared.items() if orders[0] != orders[1]}


def test_a_script_that_throws_at_its_top_has_the_order_that_it_has_alone(call, bare, write):
    """On Deno, a main script that throws ends with another order of the queues than one that a script loads."""
    body = (
        "process.nextTick(function () { log('T'); });\nPromise.resolve().then(function () { log('P'); });\n"
        "process.on('uncaughtException', function () { log('X'); });\nthrow new Error('E');\n"
    )
    log = "var fs = require('fs');\nfunction log(label) { fs.writeSync(1, label + ' '); }\n"
    alone = write("alone.cjs", log + body)
    script = write("script.cjs", body)
    ended = call("run", script, f"--impl={NEWEST[2]}", "--format=json")
    (result,) = json.loads(ended.stdout)["results"]
    assert set(observed(result)) == {order_alone([*bare(NEWEST[2]), alone])}


def test_samples_differ_when_chance_does_not_explain_it():
    counter = collections.Counter
    assert differ(counter(a=20), counter(b=20)) and differ(counter(a=20), counter(a=5, b=15))
    assert not differ(counter(a=20), counter(a=20)) and not differ(counter(a=12, b=8), counter(a=5, b=15))
    assert chance(20, 20, 0, 20) == pytest.approx(1.45e-11, rel=0.01) and chance(10, 20, 10, 20) == 1
