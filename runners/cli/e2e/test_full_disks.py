"""What cannot be written is never lost in silence: full disks, and files that others are in the way of."""

import os
import pathlib
import re
import resource
import subprocess
import tempfile

import pytest

CASE = "program:\n  - timeout A 0\n  - timeout B 50\nexpect: A B\n"

# Method: every file that a command writes is /dev/full, or in a folder that is none; stdout is /dev/full.
@pytest.mark.parametrize("option", ["markdown", "junit", "tap", "json", "csv", "badge"])
def test_a_report_that_cannot_be_written_is_trouble(call, results, option):
    for target in ("/dev/full", f"{results}/x"):
        ended = call("report", results, f"--{option}={target}")
        assert ended.returncode == 3 and target in ended.stderr, ended.stderr


def test_what_cannot_be_written_is_trouble(call, results, write, tmp_path):
    case, parts = write("a.yaml", CASE), [tmp_path / "1.jsonl", tmp_path / "2.jsonl"]
    script = write("a.js", "setTimeout(() => console.log('A'), 1);\n")
    for number, part in enumerate(parts, 1):
        assert call("run", "main/", f"--shard={number}/2", f"--output={part}").returncode == 0
    before = sorted(tmp_path.iterdir())
    for words in (
        ["report", results, f"--html={results}/x"],
        ["report", results, f"--html={results}/x.html", "--single"],
        ["report", results, "--html=/dev/full", "--single"],
        ["run", case, "--as=node@24", "--output=/dev/full"],
        ["run", case, "--as=node@24", f"--output={results}/x"],
        ["merge", *parts, "--output=/dev/full"],
        ["merge", *parts, f"--output={results}/x"],
        ["gate", results, f"--baseline={results}/b.yaml", "--update"],
        ["lift", script, "--output=/dev/full"],
        ["infer", "--impl=ref", "--as=node@24", "--case=main/", "--programs=0", "--output=/dev/full"],
    ):
        ended = call(*words)
        assert ended.returncode == 3, (words, ended.returncode, ended.stderr)
        assert re.search("No space left|Not a directory", ended.stderr), ended.stderr
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("words", [["list"], ["run", "main/"], ["show", "main/phase-tour"], ["--help"], ["--version"]])
def test_a_full_stdout_is_trouble(conform, words):
    with open("/dev/full", "w", encoding="utf-8") as full:
        ended = subprocess.run([str(conform), *words], stdout=full, stderr=subprocess.PIPE, timeout=600)
    assert ended.returncode == 3, ended.stderr


def test_a_limit_on_the_size_of_files_is_trouble(limited, results, tmp_path):
    for number in (0, 1, 4096, 10000):
        file = tmp_path / f"{number}.jsonl"
        ended = limited(resource.RLIMIT_FSIZE, number, ["run", "main/", f"--output={file}"])
        assert ended.returncode == 3 and "File too large" in ended.stderr, ended
        assert file.stat().st_size <= number
    before = sorted(tmp_path.iterdir())
    for words in (
        ["report", results, f"--html={tmp_path}/pages"],
        ["site", f"{tmp_path}/site", results, "--no-causes"],
        ["adapter", "new", f"{tmp_path}/mine", "--lang=js"],
    ):
        ended = limited(resource.RLIMIT_FSIZE, 100, words)
        assert ended.returncode == 3 and "File too large" in ended.stderr, (words, ended)
        assert sorted(tmp_path.iterdir()) == before, words


# Goal: wherever in a results file the disk is full, what is there is kept and resumed. Method: a limit on its size, in
# every sixth of its lines; then none. Their names are equally long, because the first line holds the command.
def test_a_run_on_a_disk_that_was_full_is_resumed(limited, call, tmp_path):
    words = ["run", "drain/between-timers", "--impl=ref"]
    whole = tmp_path / "whole.jsonl"
    assert call(*words, f"--output={whole}").returncode == 0
    expected = whole.read_text().splitlines()[1:]
    ends = [end for end, byte in enumerate(whole.read_bytes(), 1) if byte == ord("\n")]
    assert len(ends) > 30
    for number, (begin, end) in enumerate(list(zip(ends, ends[1:]))[::6]):
        full = begin + (end - begin) * (number % 4) // 4  # before a line, or inside it
        file = tmp_path / f"{number:05}.jsonl"
        ended = limited(resource.RLIMIT_FSIZE, full, [*words, f"--output={file}"])
        assert ended.returncode == 3 and "File too large" in ended.stderr, ended
        assert begin <= file.stat().st_size <= full
        resumed = call("run", "--resume", file)
        assert resumed.returncode == 0, resumed.stderr
        assert file.read_text().splitlines()[1:] == expected


# Goal: a file that is replaced is the old one until the new one is whole. Method: a limit of no byte, and of one less
# than it takes, which is larger than what other files on the way take.
def test_a_file_that_finds_no_room_keeps_what_was_there(limited, call, results, tmp_path):
    made = tmp_path / "made"
    for words in (
        *(["report", results, f"--{name}={made}"] for name in ("markdown", "junit", "tap", "json", "csv", "badge")),
        ["report", results, f"--html={made}", "--single"],
        ["gate", results, f"--baseline={made}", "--update"],
    ):
        assert call(*words).returncode == 0, words
        size = made.stat().st_size
        for limit in (0, size - 1):
            made.write_text("old")
            if words[0] == "gate":
                made.unlink()
            before = sorted(tmp_path.iterdir())
            ended = limited(resource.RLIMIT_FSIZE, limit, words)
            assert ended.returncode == 3 and "File too large" in ended.stderr, (words, limit, ended)
            assert sorted(tmp_path.iterdir()) == before and (words[0] == "gate" or made.read_text() == "old")
        made.unlink(missing_ok=True)


# Goal: the pages of a report are the old ones until all of the new ones are written. Method: a limit on the size of
# files that only some of them exceed, on a report of another run.
def test_a_report_that_finds_no_room_keeps_the_old_one(limited, call, results, tmp_path):
    def pages():
        return {file: file.read_bytes() for file in sorted(tmp_path.rglob("*")) if file.is_file()}

    other, report = tmp_path / "other.jsonl", tmp_path / "report"
    assert call("run", "drain/", "--as=node@24", f"--output={other}").returncode == 0
    assert call("report", results, f"--html={report}").returncode == 0
    before = pages()
    sizes = sorted(len(text) for file, text in before.items() if report in file.parents)
    for limit in (0, 100, sizes[1], sizes[-1] - 1):
        ended = limited(resource.RLIMIT_FSIZE, limit, ["report", str(other), f"--html={report}"])
        assert ended.returncode == 3 and "File too large" in ended.stderr, (limit, ended)
        assert pages() == before, limit
        assert limited(resource.RLIMIT_FSIZE, limit, ["report", str(other), f"--html={tmp_path}/new"]).returncode == 3
        assert not (tmp_path / "new").exists()
    assert call("report", other, f"--html={report}").returncode == 0
    assert len(list((report / "cases").iterdir())) > 1 and not (report / ".conform-new").exists()


# Goal: what may not be written is trouble of the machine, in a line that names it. Method: a folder that may only be
# read, by somebody else than root, who may write everywhere.
def test_a_folder_that_may_not_be_written_is_trouble(conform, call, results):
    with tempfile.TemporaryDirectory() as name:  # unlike the folders of pytest, others than its owner may enter it
        top = pathlib.Path(name)
        top.chmod(0o755)
        closed, open_results = top / "closed", top / "results.jsonl"
        closed.mkdir()
        open_results.write_bytes(results.read_bytes())
        (closed / "results.jsonl").write_text(open_results.read_text().rpartition('{"type":"end"')[0])
        parts = [top / "1.jsonl", top / "2.jsonl"]
        for number, part in enumerate(parts, 1):
            assert call("run", "main/", f"--shard={number}/2", f"--output={part}").returncode == 0
        for path in [*top.iterdir(), *closed.iterdir()]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        before = sorted(top.rglob("*"))
        for made, words in {
            "r.jsonl": ["run", "main/phase-tour", "--as=node@24", f"--output={closed}/r.jsonl"],
            "results.jsonl": ["run", "--resume", closed / "results.jsonl"],
            "r.md": ["report", open_results, f"--markdown={closed}/r.md"],
            "pages": ["report", open_results, f"--html={closed}/pages"],
            "page.html": ["report", open_results, f"--html={closed}/page.html", "--single"],
            "merged.jsonl": ["merge", *parts, f"--output={closed}/merged.jsonl"],
            "known.yaml": ["gate", open_results, f"--baseline={closed}/known.yaml", "--update"],
            "site": ["site", f"{closed}/site", open_results, "--no-causes"],
            "mine": ["adapter", "new", f"{closed}/mine", "--lang=js"],
        }.items():
            somebody = {"user": 65534, "group": 65534, "extra_groups": []} if os.getuid() == 0 else {}
            ended = subprocess.run(
                [str(conform), *map(str, words)], cwd=top, stdin=subprocess.DEVNULL, capture_output=True,
                encoding="utf-8", timeout=600, **somebody,
            )  # fmt: skip
            assert ended.returncode == 3, (words, ended.returncode, ended.stderr)
            line = rf"^conform: {closed}\S*{made}\S*: cannot be \w+: Permission denied"
            assert re.search(line, ended.stderr), ended.stderr
        assert sorted(top.rglob("*")) == before
        closed.chmod(0o755)
