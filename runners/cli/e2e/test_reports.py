"""conform report: each format is read by another program, and nothing that a file says gets out of its place."""

import collections
import json
import pathlib
import re
import subprocess
import xml.etree.ElementTree as ElementTree

import junitparser
import pytest

HOSTILE = "<img src=x onerror=alert(1)>\"'&]]>\n::error::x%0A|`*@team # SKIP\x1b[31m\x07\u202e日本"
VERDICTS = {
    "pass": "good",
    "fail": "failure",
    "suspect": "failure",
    "missing": "failure",
    "timeout": "error",
    "crash": "error",
    "protocol-error": "error",
    "inconclusive": "skipped",
    "unsupported": "skipped",
    "unspecified": "skipped",
}


def lines_of(results, planned=None, ended=True, **head):
    """A results file of these results, as text."""
    planned = len(results) if planned is None else planned
    lines = [{"type": "run", "format": 1, "conform": "0.1.0", "planned": planned, **head}, *results]
    if ended:
        totals = collections.Counter(result["verdict"] for result in results)
        lines.append({"type": "end", "results": len(results), "totals": totals})
    return "".join(json.dumps(line) + "\n" for line in lines)


def result(case, verdict, implementation="bun@1.4.4", order=("B", "A"), text=""):
    standing = {"pass": "on-time", "fail": "outside"}.get(verdict, "unknown")
    tried = {"standing": standing, "events": [{"label": x} for x in order]}
    tries = [] if verdict in ("missing", "unsupported") else [tried]
    return {
        "type": "result",
        "case": case,
        "hash": "0123456789abcdef",
        "implementation": implementation,
        "profile": "node@24.21.0",
        "verdict": verdict,
        "reason": text,
        "expected": "A B",
        "tries": tries,
        "reproduce": f"conform run {case}",
    }


@pytest.fixture
def every(write):
    """A results file with a result of each verdict, and a hostile one."""
    results = [result(f"x/{verdict}", verdict, text=f"as {verdict} is") for verdict in VERDICTS]
    results.append(result(HOSTILE, "fail", order=(HOSTILE, "B"), text=HOSTILE))
    results.append(result("x/hostile-skip", "unspecified", implementation=HOSTILE, text=HOSTILE))
    return write("every.jsonl", lines_of(results, started="2026-11-16T01:38:00Z"))


@pytest.fixture
def report(call, tmp_path):
    """report(file, "junit"): the path of what conform report --junit wrote."""

    def write_report(file, kind, ending="out"):
        made = tmp_path / f"{kind}.{ending}"
        ended = call("report", file, f"--{kind}={made}")
        assert ended.returncode == 0, ended.stderr
        return made

    return write_report


def test_junit_is_valid_and_read_by_a_consumer(root, every, report, need):
    made = report(every, "junit", "xml")
    need("xmllint", "libxml2-utils")
    schema = root / "runners/cli/e2e/junit.xsd"
    ended = subprocess.run(
        ["xmllint", "--noout", "--nonet", "--schema", schema, made], capture_output=True, encoding="utf-8", timeout=60
    )
    assert ended.returncode == 0, ended.stderr
    read = collections.Counter()
    names = set()
    for suite in junitparser.JUnitXml.fromfile(str(made)):
        assert suite.tests == len(list(suite))
        for case in suite:
            names.add(case.name)
            kinds = [type(one).__name__.lower() for one in case.result] or ["good"]
            assert len(kinds) == 1
            read[kinds[0]] += 1
    expected = collections.Counter(VERDICTS.values())
    expected.update(["failure", "skipped"])
    assert read == expected
    assert any("<img src=x onerror=alert(1)>" in name for name in names)  # shown, as text


def prove(file):
    return subprocess.run(["prove", "--exec", "cat", file], capture_output=True, encoding="utf-8", timeout=60)


def test_tap_is_read_by_prove(call, every, write, tmp_path, need):
    need("prove", "perl")
    newest = prove(write("newest.tap", "TAP version 14\n1..1\nok 1\n")).returncode == 0
    version = 14 if newest else 13  # Perl learned of 14 after 5.36

    def tap(name, results):
        made = tmp_path / name
        assert call("report", results, f"--tap={made}", f"--tap-version={version}").returncode == 0
        return made

    ended = prove(tap("every.tap", every))
    assert ended.returncode != 0 and "Result: FAIL" in ended.stdout
    assert "Failed 7/12 subtests" in ended.stdout and "less 4 skipped subtests: 1 okay" in ended.stdout, ended.stdout
    assert "Parse errors" not in ended.stdout
    good = prove(tap("good.tap", write("good.jsonl", lines_of([result("a", "pass")]))))
    assert good.returncode == 0 and "Result: PASS" in good.stdout, good.stdout + good.stderr
    cut = prove(tap("cut.tap", write("cut.jsonl", lines_of([result("a", "pass")], planned=2, ended=False))))
    assert cut.returncode != 0 and "cut short, with 1 of 2 results" in cut.stdout + cut.stderr


def test_a_baseline_leaves_only_what_is_new_red(call, write, tmp_path):
    results = write("r.jsonl", lines_of([result("a", "fail"), result("b", "fail")]))
    baseline = write("known.yaml", "format: 2\nknown:\n  bun:\n    a: {verdict: fail, reason: Because.}\n")
    page = tmp_path / "page.html"
    ended = call("report", results, f"--baseline={baseline}", "--tap=-", f"--html={page}", "--single")
    assert ended.returncode == 0, ended.stderr
    points = [line for line in ended.stdout.split("\n") if line.startswith("not ok")]
    assert len(points) == 2 and "# TODO fail: known deviation: Because." in points[0] and "TODO" not in points[1]
    assert '"known":[0]' in page.read_text() and '"reason":"Because."' in page.read_text()


def test_tap_of_both_versions_is_the_same_but_for_the_first_line(call, every):
    newer, older = (call("report", every, "--tap=-", *more).stdout.split("\n") for more in (["--tap-version=14"], []))
    assert newer[0] == "TAP version 14" and older[0] == "TAP version 13" and newer[1:] == older[1:]
    assert newer[1] == "1..12"


def test_json_is_as_its_schema_says(call, validate, every):
    ended = call("report", every, "--json=-")
    told = json.loads(ended.stdout)
    validate(told, "report")
    assert told["complete"] and len(told["results"]) == len(VERDICTS) + 2
    assert "\x1b" not in ended.stdout
    failed = next(one for one in told["results"] if one["case"] == "x/fail")
    assert failed["difference"] == {"at": 0, "expected": ["A"], "may_end": False}


def test_markdown_says_what_does_not_pass_and_nothing_gets_out_of_its_cell(call, every):
    text = call("report", every, "--markdown=-").stdout
    assert "| `x/fail` | `bun@1.4.4` | fail | `A B` | `B A` |" in text
    for line in text.split("\n"):
        outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", line)
        assert not re.search("team|img|error::|\x1b", outside), line
    rows = [line for line in text.split("\n") if line.startswith("| `") and " | fail | " in line]
    assert {line.replace("\\|", "").count("|") for line in rows} == {7} and len(rows) == 2


def test_a_badge_is_json_for_shields_or_a_picture(call, every, tmp_path):
    ended = call("report", every, f"--badge={tmp_path}/b.json", f"--badge={tmp_path}/b.svg")
    assert ended.returncode == 0
    badge = json.loads((tmp_path / "b.json").read_text())
    assert badge["schemaVersion"] == 1 and badge["message"] == "1 of 9 pass" and badge["color"] == "red"
    picture = ElementTree.parse(tmp_path / "b.svg").getroot()
    assert picture.tag.endswith("svg") and "1 of 9 pass" in ElementTree.tostring(picture, encoding="unicode")


def test_github_is_told_file_and_line_and_gets_a_summary(call, home, tmp_path):
    case = home / "cases/drain/wrong.yaml"
    case.write_text(
        "title: A case that is wrong\nclauses: [timers.deadline-order]\nwhy: To see it told.\nprogram:\n"
        "  - timeout A 1\n  - timeout B 100\nexpect:\n  libuv: A B\n  node >=11: B A\n"
    )
    results, summary = tmp_path / "r.jsonl", tmp_path / "summary.md"
    summary.write_text("from another step\n")
    ended = call("run", "drain/wrong", "--impl=ref", "--as=node@24", f"--output={results}", home=home)
    assert ended.returncode == 1, ended.stdout + ended.stderr
    ended = call("report", results, "--github", home=home, GITHUB_WORKSPACE=str(home), GITHUB_STEP_SUMMARY=str(summary))
    assert ended.returncode == 0
    assert ended.stdout.startswith("::error file=cases/drain/wrong.yaml,line=9,title=fail%3A drain/wrong on ref::")
    assert ended.stdout.count("\n") == 1 and "%0Aobserved: A B" in ended.stdout
    told = summary.read_text()
    assert told.startswith("from another step\n### conform: 1 case, 1 fail")
    outside = call("report", results, "--github", home=home, GITHUB_WORKSPACE=str(tmp_path / "elsewhere"))
    assert outside.stdout.startswith("::error title=")


def test_several_files_and_several_reports_at_once(call, write, tmp_path):
    one = write("one.jsonl", lines_of([result("a", "pass", "bun@1.4.4")]))
    two = write("two.jsonl", lines_of([result("a", "fail", "deno@2.9.6")]))
    endings = {"markdown": "md", "json": "json", "tap": "tap"}
    made = [f"--{kind}={tmp_path}/r.{ending}" for kind, ending in endings.items()]
    ended = call("report", one, two, *made)
    assert ended.returncode == 0 and ended.stdout == ""
    told = json.loads((tmp_path / "r.json").read_text())
    assert [each["name"] for each in told["implementations"]] == ["bun@1.4.4", "deno@2.9.6"]
    assert "deno" in (tmp_path / "r.md").read_text() and "1..2" in (tmp_path / "r.tap").read_text()


def test_what_cannot_be_reported_is_said_with_its_place(call, write, tmp_path):
    one = write("one.jsonl", lines_of([result("a", "pass")]))
    twice = call("report", one, one, "--tap=-")
    assert twice.returncode == 2 and f"{one}:2: a second result for a on bun@1.4.4" in twice.stderr
    broken = write("broken.jsonl", lines_of([]) + "no json\n")
    ended = call("report", broken, "--tap=-")
    assert ended.returncode == 2 and f"{broken}:3:" in ended.stderr
    assert call("report", one).returncode == 2
    missing = call("report", one, f"--tap={tmp_path}/none/x")
    assert missing.returncode == 3 and "cannot be written" in missing.stderr
    assert not list(pathlib.Path(tmp_path).glob("*.new"))
