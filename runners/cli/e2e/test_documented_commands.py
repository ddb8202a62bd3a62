"""The commands in README.md and in the pages of spec/ print what is shown below them.

What needs a real runtime, a file of the reader or more than a moment is not run here.
"""

import pathlib
import re
import shlex

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "spec").rglob("*.md"))]
QUICK = {"show", "explore", "search", "list", "history", "run", "help", "version"}
FILES = {
    "race.yaml": "program:\n  - timeout A 0\n  - immediate B\nexpect:\n  node: A B | B A\n",
    "my.yaml": "base: node@24\nrules:\n  immediate-drain: after-batch\n",
}


def commands():
    """(page, command, the lines that are shown below it)"""
    for page in PAGES:
        for block in re.findall(r"^```\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, shown = part.partition("\n")
                words = shlex.split(command, comments=True)
                if not words or words[0] not in ("conform", "./conform") or len(words) < 2 or words[1] not in QUICK:
                    continue
                if is_quick(words):
                    name = f"{page.relative_to(ROOT)}: {command}"
                    yield pytest.param(words[1:], shown.splitlines(), id=name)


def is_quick(words):
    implementations = [word.partition("=")[2] for word in words if word.startswith("--impl=")]
    files = [word for word in words[2:] if re.search(r"\.(yaml|js|jsonl)$", word) and not word.startswith("-")]
    options = [word for word in words if word.startswith(("--output", "--resume", "--failed", "--runs", "--baseline"))]
    is_whole = words[1] == "run" and all(word.startswith("--") for word in words[2:])
    return not options and not is_whole and set(implementations) <= {"ref"} and set(files) <= set(FILES)


def matches(shown, printed):
    """`…` on its own line stands for any lines."""
    pattern = "".join("(?:.*\n)*?" if line.strip() == "…" else re.escape(line.rstrip()) + " *\n" for line in shown)
    return re.fullmatch(pattern, printed)


@pytest.mark.parametrize("words, shown", commands())
def test_prints_what_is_shown(call, tmp_path, words, shown):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    done = call(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert not shown or matches(shown, done.stdout), done.stdout


def test_there_are_ten_questions_and_they_are_found():
    assert (ROOT / "spec/questions.md").read_text(encoding="utf-8").count("\n## ") == 10
    assert sum("questions.md" in one.id for one in commands()) == 10
    assert "(spec/questions.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
