"""conform history and conform verify: what changed, and what can be relied on."""

import json
import re

VERSIONS = "node@0.10.48,node@10.24.1,node@11.0.0,node@26.10.0"


def test_the_history_of_a_case_names_version_and_rule(call, validate):
    ended = call("history", "drain/between-timers", "--format=json")
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout)
    validate(found, "history")
    (history,) = found["histories"]
    assert [span["first"] for span in history["model"]] == ["0.12.0", "11.0.0"]
    assert history["model"][1]["changed_by"] == ["timer-store"]


def test_the_history_of_one_case_shows_its_program(call):
    assert "process.nextTick(function () { log('T'); });" in call("history", "drain/between-timers").stdout
    several = call("history", "drain/between-timers", "drain/between-immediates")
    assert several.returncode == 0 and "nextTick" not in several.stdout


def test_the_page_is_what_the_generator_makes_of_runs(call, root, tmp_path):
    # The reference loop stands for the releases: what it gives is what they gave, or lint and the runs would not agree.
    runs = tmp_path / "runs.jsonl"
    ended = call("run", "drain/", "--impl=ref", f"--as={VERSIONS}", f"--output={runs}")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    ended = call("history", "drain/", "--impl=node", "--markdown", f"--runs={runs}")
    assert ended.returncode == 0, ended.stderr
    page = (root / "spec/history.md").read_text(encoding="utf-8")
    heading, checked = None, 0
    for line in ended.stdout.splitlines():
        if line.startswith("## "):
            heading = line
        elif line.startswith("| drain/") and heading == "## Node.js 11.0.0":
            case, before, after, _, rule = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            section = page.split(heading + "\n")[1].split("\n## ")[0]
            if f"| {case} |" not in page:
                continue  # younger than the runs that the page was made from
            wanted = rf"\| {case} \| {re.escape(before)} \| {re.escape(after)} \| .* \| {rule} \|"
            assert re.search(wanted, section), line
            checked += 1
    assert checked >= 5


def test_releases_of_a_runtime_without_a_profile_have_a_page(call, tmp_path):
    """The reference loop as two releases of Node stands for two of Bun."""
    files = []
    for version, release in (("1.0.36", "node@10.24.1"), ("1.1.45", "node@24.21.0")):
        files.append(tmp_path / f"{version}.jsonl")
        assert call("run", "drain/", "--impl=ref", f"--as={release}", f"--output={files[-1]}").returncode == 0
        lines = [json.loads(line) for line in files[-1].read_text().splitlines()]
        for line in lines[1:-1]:
            line["implementation"] = f"bun@{version}"
        files[-1].write_text("".join(json.dumps(line) + "\n" for line in lines))
    ended = call("history", "--all", "--impl=bun", "--markdown", "--runs", *files)
    assert ended.returncode == 0, ended.stderr
    assert "Releases that were run: bun 1.0.36, bun 1.1.45." in ended.stdout and "## Bun 1.1.45" in ended.stdout
    assert "| drain/between-timers | `A B T P` | `A T P B` | 1.0.36 → 1.1.45 |" in ended.stdout
    ended = call("history", "--all", "--impl=deno", "--runs", *files)
    assert ended.returncode == 2 and "there is no profile 'deno'" in ended.stderr


def test_a_page_without_runs_is_refused(call):
    ended = call("history", "--all", "--markdown")
    assert ended.returncode == 2 and "--runs" in ended.stderr


def test_a_stable_case_is_called_stable(call, validate):
    ended = call("verify", "drain/between-immediates", "--as=node@24", "--repeat=3", "--format=json")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    found = json.loads(ended.stdout)
    validate(found, "verify")
    (result,) = found["results"]
    assert result["stability"] == "stable"
    assert result["calm"]["orders"][0]["count"] == 3


def test_a_case_that_expects_something_else_is_not_stable(call, write):
    # What the model may give is never wrong, but it is not what is expected either.
    case = write("x.yaml", "program:\n  - tick A\n  - tick B\nexpect: B A\n")
    ended = call("verify", case, "--as=node@24", "--repeat=2", "--strict")
    assert ended.returncode == 1
    assert re.search(r"^late +x +ref:real +node@24\.\d+\.\d+$", ended.stdout, re.MULTILINE)
    assert "2 × A B" in ended.stdout


ADAPTER = """
import json, pathlib, sys
starts = pathlib.Path(__file__).with_name("starts")
starts.open("a").write(".")
version = VERSIONS[min(len(starts.read_text()), len(VERSIONS)) - 1]
if version is None: sys.exit(1)
print(json.dumps({"type": "ready", "protocol": 1, "implementation": {"name": "mine", "version": version, "details": {}},
    "claims": {"profile": "node", "version": version}, "ops": ["timeout"], "isolation": "process"}))
for line in sys.stdin:
    run = json.loads(line)
    labels = [{"label": step["label"]} for step in run.get("program", [])]
    if run["type"] == "run": print(json.dumps({"type": "trace", "seq": run["seq"], "events": labels}))
"""


# Goal: no implementation is left out in silence, and none is another one in the second round. Method: adapters of the
# tree that do not start, from the first time on or from the second, or report something else then.
def test_both_rounds_are_of_all_implementations(call, home, write):
    case = write("a.yaml", "program:\n  - timeout A 0\n  - timeout B 50\nexpect:\n  node: A B\n")
    for name, versions in {"never": [None], "once": ["24.21.0", None], "other": ["24.21.0", "22.0.0"]}.items():
        folder = home / "adapters" / name
        folder.mkdir(parents=True)
        (folder / "adapter.yaml").write_text(f"name: {name}\ncommand: [python3, adapter.py]\n")
        (folder / "adapter.py").write_text(f"VERSIONS = {versions!r}\n" + ADAPTER)
    words = ["verify", case, "--as=node@24", "--repeat=1"]
    ended = call(*words, "--impl=ref:real,never", home=home)
    assert ended.returncode == 3 and "skipped: " in ended.stderr and "never" in ended.stderr, ended.stderr
    assert "ref:real" in ended.stdout
    for name in ("once", "other"):
        ended = call(*words, f"--impl=ref:real,{name}", home=home)
        assert ended.returncode == 3 and "something has just changed" in ended.stderr, (ended.returncode, ended.stderr)
        assert ended.stdout == ""
