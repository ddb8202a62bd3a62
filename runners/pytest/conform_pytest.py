"""A pytest plugin: every case of conform is a test, `pytest --impl=node@24 cases/`.

It finds the files of cases, asks conform to run each, and shows what conform says. It judges nothing itself.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import pytest

# What every file of a case has at its left margin, and hardly another YAML file.
IS_CASE = re.compile(r"^(program|native):", re.MULTILINE)
CLAUSE = re.compile(r"^clauses?:\s*\[?([^\]\n]*)", re.MULTILINE)
AGAINST, HARNESS_TROUBLE = 1, 3  # exit codes of conform: a judgement against the implementation; no judgement at all


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


class CaseItem(pytest.Item):
    def __init__(self, implementation, **more):
        super().__init__(**more)
        self.implementation = implementation

    def runtest(self):
        with tempfile.TemporaryDirectory(prefix="conform-pytest-") as folder:
            results = pathlib.Path(folder) / "results.jsonl"
            done = self.call("run", self.path, f"--impl={self.implementation}", f"--output={results}", *self.options())
            if done.returncode not in (0, AGAINST):
                raise OrderDiffers(done.stderr.strip() or f"conform ended with code {done.returncode}")
            found = self.read(results)
            if self.config.option.baseline:
                self.hold_against_baseline(results)
        if done.returncode == AGAINST:
            raise OrderDiffers(done.stdout.strip())
        if all(result["verdict"] != "pass" for result in found):
            first = found[0]
            pytest.skip(": ".join(filter(None, [first["verdict"], first.get("reason")])))

    def hold_against_baseline(self, results):
        """What is known is expected to fail, strictly: if it does not, the baseline is out of date."""
        known = f"--baseline={baseline(self.config)}"
        done = self.call("gate", results, known, "--only-what-ran", "--format=json")
        if done.returncode not in (0, AGAINST):
            raise OrderDiffers(done.stderr.strip() or f"conform gate ended with code {done.returncode}")
        findings = json.loads(done.stdout)["findings"]
        for finding in findings:
            if finding["kind"] == "improved":
                raise OrderDiffers(f"[XPASS(strict)] now {finding['verdict']}; {words_of(finding['known'])}")
        if done.returncode == 0 and any(finding["kind"] == "as-known" for finding in findings):
            pytest.xfail("; ".join(sorted({words_of(each["known"]) for each in findings if "known" in each})))

    def options(self):
        option = self.config.option
        chosen = [f"--as={option.conform_as}"] if option.conform_as else []
        # Several tests at once are pytest-xdist's business.
        return chosen + ["--jobs=1"] + ([f"--repeat={option.conform_repeat}"] if option.conform_repeat else [])

    def call(self, *words):
        command = [program(self.config), *map(str, words)]
        if shutil.which(command[0]) is None:
            pytest.exit(f"there is no program {command[0]}; --conform says where conform is", HARNESS_TROUBLE)
        plain = {**os.environ, "NO_COLOR": "1"}
        return subprocess.run(command, env=plain, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8")

    def read(self, results):
        """What was found, also as properties for pytest's JUnit file."""
        lines = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
        found = [line for line in lines if line["type"] == "result"]
        for field in ("implementation", "profile", "verdict", "hash"):
            values = sorted({result[field] for result in found})
            if len(values) == 1:
                self.user_properties.append((f"conform.{field}", values[0]))
        return found

    def repr_failure(self, excinfo, style=None):
        if excinfo.errisinstance(OrderDiffers):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, 0, self.name
