"""The cases that are written from tables are what the tables say."""

import re
import shutil
import subprocess
import sys

import pytest


def generate(folder, *arguments):
    program = folder / "families/generate.py"
    return subprocess.run([sys.executable, str(program), *arguments], capture_output=True, encoding="utf-8", timeout=60)


@pytest.fixture
def cases(root, tmp_path):
    """A copy of the catalogue that may be changed."""
    return shutil.copytree(root / "cases", tmp_path / "cases", ignore=shutil.ignore_patterns("__pycache__"))


def test_writing_the_cases_again_changes_nothing(root):
    ended = generate(root / "cases", "--check")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_a_changed_row_is_found_and_written(cases):
    table = cases / "families/drains.table"
    text = table.read_text(encoding="utf-8")
    assert "node >=11: A T P B" in text
    table.write_text(text.replace("node >=11: A T P B", "node >=12: A T P B", 1), encoding="utf-8")
    ended = generate(cases, "--check")
    assert (ended.returncode, ended.stdout) == (1, "would change: cases/drain/between-timers.yaml\n")
    assert generate(cases).stdout == "written: cases/drain/between-timers.yaml\n"
    assert "node >=12: A T P B" in (cases / "drain/between-timers.yaml").read_text(encoding="utf-8")


def test_every_file_that_names_a_table_is_still_written_by_it(cases):
    """A row that is taken out of its table must not leave its case behind."""
    mark = re.compile(r"# Written by cases/families/generate\.py from (\w+)\.table\.")
    marked = [file for file in cases.rglob("*.yaml") if mark.match(file.read_text(encoding="utf-8"))]
    assert len(marked) > 60
    for file in marked:
        file.unlink()
    generate(cases)
    assert [str(file) for file in marked if not file.exists()] == []
