"""A pytest plugin: every case of conform is a test, `pytest --impl=node@24 cases/`.

It finds the files of cases, asks conform to run them in batches, and shows what conform says of each. It judges nothing
itself. A runtime still gets a fresh process for every case.
"""

import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree

import pytest

# What every file of a case has at its left margin, and hardly another YAML file.
IS_CASE = re.compile(r"^(program|native):", re.MULTILINE)
CLAUSE = re.compile(r"^clauses?:\s*\[?([^\]\n]*)", re.MULTILINE)
AGAINST, HARNESS_TROUBLE = 1, 3  # exit codes of conform: a judgement against the implementation; no judgement at all
BAD = ("failure", "error")  # how JUnit calls a judgement against the implementation
NOT_AGAINST = {"pass", "unspecified", "unsupported", "inconclusive"}
BATCHED = "conform_batches"  # whether a worker of pytest-xdist gets whole batches
MOST_AT_ONCE = 64  # cases of a batch: the first result comes when all of them have been run


def pytest_addoption(parser):
    group = parser.getgroup("conform", "conform: ordering cases of event loops")
    group.addoption("--impl", metavar="NAME,…", help="run cases on these: ref, node@24, bun, libuv, …")
    group.addoption("--as", dest="conform_as", metavar="PROFILE", help="judge by these rules, not those that it claims")
    group.addoption("--repeat", dest="conform_repeat", metavar="N", help="run each case N times")
    group.addoption("--baseline", metavar="FILE", help="known deviations, as `conform gate` reads them: strict xfail")
    group.addoption("--conform", metavar="PROGRAM", help="default: $CONFORM, the sources around this, or the PATH")


def pytest_configure(config):
    if config.option.impl is not None and not names(config):
        raise pytest.UsageError("--impl needs the name of an implementation, such as node@24")
    for name in names(config):
        check_name(config, name)
    if config.option.baseline and not baseline(config).is_file():
        raise pytest.UsageError(f"--baseline: there is no file {config.option.baseline}")


def check_name(config, name):
    """An implementation that does not exist is one error, and not one for each case."""
    known = name.partition("@")[0].partition("=")[0]
    if known in ("ref", "ref:real", "adapter") or shutil.which(program(config)) is None:
        return
    done = subprocess.run([program(config), "list", "impls", "--format=json"], capture_output=True, encoding="utf-8")
    if done.returncode == 0 and known not in [one["name"] for one in json.loads(done.stdout)["impls"]]:
        raise pytest.UsageError(f"--impl: there is no implementation '{known}'; conform list impls lists them")


def pytest_report_header(config):
    return f"conform: {program(config)}, on {', '.join(names(config))}" if names(config) else None


def pytest_collect_file(file_path, parent):
    if not names(parent.config) or file_path.suffix != ".yaml":
        return None
    if not IS_CASE.search(file_path.read_text(encoding="utf-8", errors="replace")):
        return None
    return CaseFile.from_parent(parent, path=file_path)


def pytest_collection_finish(session):
    """Puts the cases that were selected into batches."""
    worker = getattr(session.config, "workerinput", None)  # of pytest-xdist
    items = [item for item in session.items if isinstance(item, CaseItem)]
    if worker is not None and BATCHED not in worker:  # somebody else decides one by one who runs what
        batches = {item.nodeid: item.nodeid for item in items}
    else:
        batches = batches_of([item.nodeid for item in items], worker["workercount"] if worker else None)
    made = {}
    for item in items:
        batch = made.setdefault(
            batches[item.nodeid], Batch(session.config, item.implementation, worker is not None)
        )
        batch.add(item)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """Tells a worker of pytest-xdist that it gets whole batches."""
    if node.config.option.dist == "load":
        node.workerinput[BATCHED] = True


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """A batch is one worker's, which all agree on: each collects the same tests."""
    if not names(config) or config.option.dist != "load":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class BatchScheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            if not hasattr(self, "conform_batches"):
                self.conform_batches = batches_of(self.collection, self.numnodes)
            return self.conform_batches[nodeid]

    return BatchScheduling(config, log)


def batches_of(nodeids, workers=None):
    """The name of its batch for each test: of one implementation, without an id twice. Others are alone."""
    counts = collections.Counter(implementation_of(nodeid) for nodeid in nodeids)
    batches, last, contents = {}, collections.Counter(), {}
    for nodeid in nodeids:
        implementation = implementation_of(nodeid)
        if implementation is None:
            batches[nodeid] = nodeid
            continue
        # A worker that has done one should find another, until the end.
        most = MOST_AT_ONCE if not workers else min(MOST_AT_ONCE, -(-counts[implementation] // (4 * workers)))
        inside = contents.setdefault((implementation, last[implementation]), set())
        name = nodeid.rsplit("::", 1)[1]
        if len(inside) == most or name in inside:
            last[implementation] += 1
            inside = contents[implementation, last[implementation]] = set()
        inside.add(name)
        batches[nodeid] = f"{implementation} {last[implementation]}"
    return batches


def implementation_of(nodeid):
    """Of a case, as `cases/x/y.yaml::x/y[node@24]` is called."""
    found = re.search(r"\.yaml::[^:]*\[([^\]]*)\]$", nodeid)
    return found and found.group(1)


def names(config):
    return [name for name in (config.option.impl or "").split(",") if name]


def baseline(config):
    return config.invocation_params.dir / config.option.baseline


def program(config):
    """The conform to call. A path that was given is looked up where pytest was started."""
    given = config.option.conform or os.environ.get("CONFORM")
    if given:
        return str(config.invocation_params.dir / given) if os.sep in given else given
    launcher = pathlib.Path(__file__).resolve().parents[2] / "conform"
    return str(launcher) if launcher.is_file() else "conform"


def id_of(path):
    """The id that conform gives to a case: its path below the nearest folder `cases`, or else the name of the file."""
    below = [parent for parent in path.parents if parent.name == "cases"]
    return path.relative_to(below[0] if below else path.parent).with_suffix("").as_posix()


def words_of(known):
    """What the baseline says of a deviation."""
    return " ".join(filter(None, [f"known as {known['verdict']}", known["reason"], known["link"]]))


class CaseFile(pytest.File):
    def collect(self):
        clauses = CLAUSE.search(self.path.read_text(encoding="utf-8", errors="replace"))
        for name in names(self.config):
            item = CaseItem.from_parent(self, name=f"{id_of(self.path)}[{name}]", implementation=name)
            item.extra_keyword_matches.update(re.split(r"[,\s]+", clauses.group(1)) if clauses else [])
            yield item


class OrderDiffers(Exception):
    """conform's own words on what is wrong."""


class Found:
    """What conform says of one case."""

    def __init__(self, results, words, findings):
        self.results = results
        self.words = words  # of judgements against the implementation
        self.findings = findings  # of the gate, if there is a baseline


class Batch:
    """Cases that one call of conform runs, when the result of the first is wanted."""

    def __init__(self, config, implementation, is_worker):
        self._config = config
        self._implementation = implementation
        self._is_worker = is_worker
        self._paths = {}  # by the id of the case
        self._found = None

    def add(self, item):
        self._paths[id_of(item.path)] = item.path
        item.batch = self

    def found(self, path):
        """What was found for a file. Where conform refuses a batch, each case gets the words that are its own."""
        if self._found is None:
            try:
                self._found = self._run(self._paths)
            except OrderDiffers:
                if len(self._paths) == 1:
                    raise
                self._found = {}
        case = id_of(path)
        return self._found[case] if case in self._found else self._run({case: path})[case]

    def _run(self, paths):
        with tempfile.TemporaryDirectory(prefix="conform-pytest-") as folder:
            file = pathlib.Path(folder) / "results.jsonl"
            words = [f"--impl={self._implementation}", f"--output={file}", *self._options()]
            done = self._call("run", *paths.values(), *words)
            if done.returncode not in (0, AGAINST):
                raise OrderDiffers(done.stderr.strip() or f"conform ended with code {done.returncode}")
            lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
            judgements = self._judgements(file) if done.returncode == AGAINST else []
            findings = self._findings(file) if self._config.option.baseline else []
        results = [line for line in lines if line["type"] == "result"]
        return {
            case: Found(
                [one for one in results if one["case"] == case],
                "\n\n".join(text for text in judgements if text.startswith(f"case: {case}\n")),
                [one for one in findings if one["case"] == case],
            )
            for case in paths
        }

    def _judgements(self, file):
        """What conform's own report says of every result that is against the implementation."""
        done = self._call("report", file, "--junit=-")
        if done.returncode:
            raise OrderDiffers(done.stderr.strip() or f"conform report ended with code {done.returncode}")
        bad = [case.find(kind) for case in ElementTree.fromstring(done.stdout).iter("testcase") for kind in BAD]
        return [f"{one.text.strip()}\n{one.get('message')}" for one in bad if one is not None]

    def _findings(self, file):
        done = self._call("gate", file, f"--baseline={baseline(self._config)}", "--only-what-ran", "--format=json")
        if done.returncode not in (0, AGAINST):
            raise OrderDiffers(done.stderr.strip() or f"conform gate ended with code {done.returncode}")
        return json.loads(done.stdout)["findings"]

    def _options(self):
        option = self._config.option
        chosen = [f"--as={option.conform_as}"] if option.conform_as else []
        chosen += ["--jobs=1"] if self._is_worker else []  # several tests at once are then pytest-xdist's business
        return chosen + ([f"--repeat={option.conform_repeat}"] if option.conform_repeat else [])

    def _call(self, *words):
        command = [program(self._config), *map(str, words)]
        if shutil.which(command[0]) is None:
            pytest.exit(f"there is no program {command[0]}; --conform says where conform is", HARNESS_TROUBLE)
        plain = {**os.environ, "NO_COLOR": "1"}
        return subprocess.run(command, env=plain, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8")


class CaseItem(pytest.Item):
    def __init__(self, implementation, **more):
        super().__init__(**more)
        self.implementation = implementation
        self.batch = None

    def runtest(self):
        found = self.batch.found(self.path)
        self.note_properties(found.results)
        self.hold_against_baseline(found)
        verdicts = {result["verdict"] for result in found.results}
        if not verdicts <= NOT_AGAINST:
            raise OrderDiffers(found.words)
        if "pass" not in verdicts:
            first = found.results[0]
            pytest.skip(": ".join(filter(None, [first["verdict"], first.get("reason")])))

    def hold_against_baseline(self, found):
        """What is known is expected to fail, strictly: if it does not, the baseline is out of date."""
        for finding in found.findings:
            if finding["kind"] == "improved":
                raise OrderDiffers(f"[XPASS(strict)] now {finding['verdict']}; {words_of(finding['known'])}")
        known = {words_of(finding["known"]) for finding in found.findings if finding["kind"] == "as-known"}
        if known and not any(finding["counts"] for finding in found.findings):
            pytest.xfail("; ".join(sorted(known)))

    def note_properties(self, results):
        """What was found, as properties for pytest's JUnit file."""
        for field in ("implementation", "profile", "verdict", "hash"):
            values = sorted({result[field] for result in results})
            if len(values) == 1:
                self.user_properties.append((f"conform.{field}", values[0]))

    def repr_failure(self, excinfo, style=None):
        if excinfo.errisinstance(OrderDiffers):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, 0, self.name
