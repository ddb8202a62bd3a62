"""conform gate, diff and merge: from results to a decision."""

import json
import shutil

import pytest
import yaml

WRONG = "program:\n  - timeout A 1\n  - timeout B 100\nexpect:\n  node: B A\n"


HEAD = "title: A small case\nclauses: [timers.deadline-order]\nwhy: To have one.\n"


@pytest.fixture
def home(root, tmp_path):
    """A small catalogue in which everything passes."""
    shutil.copytree(root / "spec", tmp_path / "home/spec")
    programs = {
        "main/one": "program:\n  - timeout A 0\n  - log B\nexpect:\n  node: B A\n",
        "main/two": "program:\n  - timeout A 0\n  - timeout B 50\nexpect: A B\n",
        "drain/one": "program:\n  - tick T\n  - log A\nexpect:\n  node: A T\n",
    }
    for case, text in programs.items():
        file = tmp_path / f"home/cases/{case}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(HEAD + text)
    return tmp_path / "home"


@pytest.fixture
def run(call, home, tmp_path):
    """run("r.jsonl", …): the path of the results."""

    def run_all(name, *arguments):
        file = tmp_path / name
        ended = call("run", "--impl=ref", *arguments, f"--output={file}", home=home)
        assert ended.returncode in (0, 1), ended.stderr
        return file

    return run_all


@pytest.fixture
def wrong(home):
    """A case of the catalogue that fails."""
    (home / "cases/main/wrong.yaml").write_text(HEAD + WRONG)
    return "main/wrong"


def test_a_run_passes_the_gate_of_its_own_baseline_and_not_without_an_entry(call, home, run, wrong, tmp_path, validate):
    results = run("r.jsonl", "--as=node@24")
    baseline = tmp_path / "known.yaml"
    gate = ["gate", results, f"--baseline={baseline}"]
    made = call(*gate, "--update", home=home)
    assert made.returncode == 0, made.stderr
    assert f"+ ref: {wrong} fail" in made.stdout
    known = yaml.safe_load(baseline.read_text())
    validate(known, "baseline")
    assert known["known"]["ref"][wrong]["verdict"] == "fail"

    opened = call(*gate, home=home)
    assert opened.returncode == 0 and "The gate is open." in opened.stdout
    told = json.loads(call(*gate, "--format=json", home=home).stdout)
    validate(told, "gate")
    finding = next(one for one in told["findings"] if one["case"] == wrong)
    assert finding["kind"] == "as-known" and finding["known"]["reason"] == "observed A B where B A is expected"

    del known["known"]["ref"][wrong]
    baseline.write_text(yaml.safe_dump(known))
    closed = call(*gate, home=home)
    assert closed.returncode == 1
    assert f"worse  {wrong}  ref" in closed.stdout and "first difference at 1: observed A, expected B" in closed.stdout
    unbroken = ("conform run", str(tmp_path))  # commands and paths stay in one piece
    assert all(len(line) <= 80 or any(word in line for word in unbroken) for line in closed.stdout.split("\n"))


def test_the_gate_asks_for_every_case_and_for_the_end_of_the_run(call, home, run, write, tmp_path):
    baseline = write("known.yaml", "format: 1\n")
    part = run("part.jsonl", "main/", "--as=node@24")
    closed = call("gate", part, f"--baseline={baseline}", home=home)
    assert closed.returncode == 1 and "not-run  drain/" in closed.stdout
    assert call("gate", part, f"--baseline={baseline}", "--only-what-ran", home=home).returncode == 0
    narrow = write("narrow.yaml", "format: 1\ncases: [main/]\n")
    assert call("gate", part, f"--baseline={narrow}", home=home).returncode == 0
    cut = tmp_path / "cut.jsonl"
    cut.write_text("".join(line + "\n" for line in part.read_text().splitlines()[:-1]))
    ended = call("gate", cut, f"--baseline={narrow}", home=home)
    assert ended.returncode == 1 and "incomplete" in ended.stdout
    assert call("gate", cut, f"--baseline={narrow}", "--update", home=home).returncode == 1
    shutil.copy(home / "cases/main/one.yaml", home / "cases/main/new.yaml")
    assert "not-run  main/new" in call("gate", part, f"--baseline={narrow}", home=home).stdout


def test_what_improved_closes_the_gate_unless_that_is_allowed(call, home, run, write):
    results = run("r.jsonl", "main/", "--as=node@24")
    case = json.loads(results.read_text().splitlines()[1])["case"]
    text = f"# Ours.\nformat: 1\ncases: [main/]\nknown:\n  ref:\n    {case}: {{verdict: fail, reason: old}}  # mine\n"
    baseline = write("known.yaml", text)
    gate = ["gate", results, f"--baseline={baseline}"]
    closed = call(*gate, home=home)
    assert closed.returncode == 1 and f"improved  {case}" in closed.stdout and "known as fail: old" in closed.stdout
    assert call(*gate, "--allow-improvements", home=home).returncode == 0
    updated = call(*gate, "--update", home=home)
    assert updated.returncode == 0 and f"- ref: {case} was fail" in updated.stdout
    assert baseline.read_text() == "# Ours.\nformat: 1\ncases: [main/]\nknown:\n  ref:\n"
    assert call(*gate, home=home).returncode == 0


def test_several_runs_teach_the_gate_what_varies(call, home, run, wrong, write, tmp_path, validate):
    failing = run("whole.jsonl", "--as=node@24")
    lines = [json.loads(line) for line in failing.read_text().splitlines()]
    for line in lines[1:-1]:
        line["verdict"] = "pass"
        line["tries"] = [{**one, "standing": "on-time"} for one in line["tries"]]
    lines[-1]["totals"] = {"pass": len(lines) - 2}
    passing = write("other.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    gate = ["gate", f"--baseline={tmp_path / 'known.yaml'}"]
    alone = call(*gate, failing, home=home)
    assert alone.returncode == 2 and "--update creates it" in alone.stderr
    told = json.loads(call(*gate, passing, failing, failing, "--update", "--format=json", home=home).stdout)
    validate(told, "gate")
    assert {tuple(one["after"]) for one in told["changes"]} == {("pass", "fail")}
    assert all(one["seen"] == {"pass": 1, "fail": 2} for one in told["changes"])
    for one in (passing, failing):
        assert call(*gate, one, home=home).returncode == 0
    told = json.loads(call(*gate, passing, failing, "--format=json", home=home).stdout)
    validate(told, "gate")
    assert call(*gate, passing, failing, "--update", home=home).stdout.endswith(": 0 changes\n")


def test_an_update_writes_what_was_selected_even_if_nothing_deviates(call, home, run, tmp_path):
    part = run("part.jsonl", "main/")
    baseline = tmp_path / "new.yaml"
    assert call("gate", part, f"--baseline={baseline}", "--update", home=home).returncode == 0
    assert "cases:" in baseline.read_text()
    assert call("gate", part, f"--baseline={baseline}", home=home).returncode == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("known:\n", "known.yaml:1:1: 'format' is missing"),
        ("format: 1\nknwon:\n", "known.yaml:2:1: 'knwon' is not a key of a baseline (did you mean 'known'?)"),
        ("format: 1\ncases: [mian/]\n", "known.yaml:2:9: "),
        ("format: 1\nknown:\n  ref:\n    main/x: {verdict: fail}\n", "known.yaml:4:5: there is no case 'main/x'"),
        ("format: 1\nknown:\n  ref:\n   - x\n", "known.yaml:4:4: 'ref' has a map"),
        ("format: [\n", "known.yaml:"),
    ],
)
def test_a_bad_baseline_is_told_with_line_and_column(call, home, run, write, text, message):
    results = run("r.jsonl", "main/", "--as=node@24")
    ended = call("gate", results, f"--baseline={write('known.yaml', text)}", home=home)
    assert ended.returncode == 2 and message in ended.stderr, ended.stderr


def test_parts_merged_are_the_whole_byte_by_byte(call, home, run, tmp_path):
    whole = run("whole.jsonl")
    parts = [run(f"{part}.jsonl", f"--shard={part}/3", "--jobs=1") for part in (1, 2, 3)]
    merged = tmp_path / "merged.jsonl"
    ended = call("merge", parts[2], parts[0], parts[1], f"--output={merged}")
    assert ended.returncode == 0, ended.stderr
    first, *rest = merged.read_bytes().split(b"\n")
    whole_first, *whole_rest = whole.read_bytes().split(b"\n")
    assert rest == whole_rest
    own = ("started", "command", "arguments")
    heads = [{key: value for key, value in json.loads(line).items() if key not in own} for line in (first, whole_first)]
    assert heads[0] == heads[1]
    assert call("merge", *parts).stdout.encode() == merged.read_bytes()
    # And the rest of conform takes it for a whole run.
    assert call("diff", whole, merged).returncode == 0


def test_what_does_not_belong_together_is_not_merged(call, home, run, tmp_path):
    one, two = (run(f"{part}.jsonl", "main/", f"--shard={part}/2") for part in (1, 2))

    def refused(*files):
        ended = call("merge", *files)
        assert ended.returncode == 2 and ended.stdout == ""
        return ended.stderr

    assert "the part 2/2 is missing" in refused(one)
    assert "is part 1/2, and so is" in refused(one, two, one)
    assert "is a whole run, not a part of one" in refused(run("whole.jsonl", "main/"), one)
    assert "run with other options" in refused(one, run("other.jsonl", "main/", "--shard=2/2", "--seed=3"))
    assert "run with other options" in refused(one, run("drain.jsonl", "drain/", "--shard=2/2"))
    older = tmp_path / "older.jsonl"
    older.write_text(two.read_text().replace('"conform":"', '"conform":"9', 1))
    assert "written by another version of conform" in refused(one, older)
    case = home / "cases/main/only-main.yaml"
    case.write_text(HEAD + "program:\n  - log A\nexpect: A\n")
    assert "run on another catalogue" in refused(one, run("changed.jsonl", "main/", "--shard=2/2"))
    cut = tmp_path / "cut.jsonl"
    cut.write_text("".join(line + "\n" for line in two.read_text().splitlines()[:-1]))
    assert "cut short" in refused(one, cut)


def test_a_diff_of_files_shows_the_label_that_moved(call, home, run, validate, write, tmp_path):
    case = write("x.yaml", "program:\n  - timeout A 0:\n      - tick T\n      - then P\n  - timeout B 0\n  - busy 5\n"
                 "expect:\n  node >=11: A T P B\n  node <11: A B T P\n")
    before, after = run("before.jsonl", case, "--as=node@10"), run("after.jsonl", case, "--as=node@11")
    ended = call("diff", before, after)
    assert ended.returncode == 1
    assert "    ref as node@10.24.1  A [B] T P ·\n    ref as node@11.15.0  A ·   T P [B]\n" in ended.stdout
    told = json.loads(call("diff", before, after, "--json").stdout)
    validate(told, "diff")
    assert told["differences"][0]["aligned"] == [["A", "A"], ["B", ""], ["T", "T"], ["P", "P"], ["", "B"]]
    markdown = call("diff", before, after, "--markdown").stdout
    assert "    ref as node@10.24.1  A [B] T P ·\n" in markdown
    assert call("diff", before, before).returncode == 0
    everything = run("everything.jsonl", case, "main/", "--as=node@11")
    more = call("diff", after, everything)
    assert more.returncode == 1 and "new           main/" in more.stdout and "1 the same" in more.stdout
    case.write_text(case.read_text().replace("busy 5", "busy 6"))
    changed = call("diff", after, run("changed.jsonl", case, "--as=node@11"))
    assert changed.returncode == 1 and "case-changed" in changed.stdout


def test_a_diff_of_implementations_runs_them(call, home, write):
    same = call("diff", "ref", "ref:real", "--case=main/", "--as=node@24", home=home)
    assert same.returncode == 0, same.stdout + same.stderr
    assert call("diff", "ref", "ref", home=home).returncode == 2
    gone = write("adapter.yaml", "name: gone\ncommand: [no-such-program]\n").parent
    assert call("diff", "ref", f"adapter={gone}", "--case=main/", home=home).returncode == 2
    ended = call("diff", "ref", "reff", home=home)
    assert ended.returncode == 2 and "did you mean 'ref'?" in ended.stderr
    missing = call("diff", "none.jsonl", "ref", "--case=main/", home=home)
    assert missing.returncode == 2 and "none.jsonl" in missing.stderr
