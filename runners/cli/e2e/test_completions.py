"""Completion and the man page, held against what the program says of itself."""

import re
import subprocess
import sys

import pytest

# Completes LINE as bash would: words are taken apart at blanks, which is all that the function looks at.
COMPLETE = """
source "$1"
COMP_LINE=$2 COMP_POINT=${#2}
read -ra COMP_WORDS <<<"$2"
_conform
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def complete(root, conform, tmp_path):
    def answers(line):
        words = ["bash", "-c", COMPLETE, "bash", root / "runners/cli/completions/conform.bash", f"{conform} {line}"]
        return subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60).stdout.split()

    return answers


def subcommands(call, *words):
    text = call(*words, "--help").stdout
    return re.findall(r"^  ([a-z]+) ", text.partition("\nSubcommands:\n")[2].partition("\n\n")[0], re.MULTILINE)


def test_commands_are_offered(call, complete):
    assert complete("")[: len(subcommands(call))] == subcommands(call)
    assert complete("runt") == ["runtimes"]
    assert complete("adapter ne") == ["new"]


def test_options_and_their_values_are_offered(complete):
    assert "--repeat" in complete("run --") and complete("run --im") == ["--impl"]
    assert complete("explore x --profile=no") == ["node"]
    assert "bun,deno" in complete("run --impl=bun,den")
    assert complete("run --format=") == ["text", "json"]


def test_cases_are_offered(complete, tmp_path):
    assert "drain/between-timers" in complete("run drain/bet")
    (tmp_path / "own.yaml").touch()
    assert complete("run ow") == ["own.yaml"] and complete("run --output=ow") == ["own.yaml"]


def test_the_completion_for_zsh_is_valid(root, need):
    subprocess.run([need("zsh", "zsh"), "-n", root / "runners/cli/completions/_conform"], check=True)


def test_the_man_page_says_what_the_program_says(conform, root):
    folder = root / "runners/cli/manual"
    words = [sys.executable, folder / "make_manual.py", conform]
    made = subprocess.run(words, capture_output=True, encoding="utf-8", check=True, timeout=60).stdout
    page = (folder / "conform.1").read_text(encoding="utf-8")
    assert page == made, "runners/cli/manual/make_manual.py CONFORM > runners/cli/manual/conform.1 brings it up to date"
    assert "\n.SS run\n" in page and "\n.SS gate\n" in page


def test_the_man_page_is_valid(root, need):
    page = root / "runners/cli/manual/conform.1"
    words = [need("man", "man-db"), "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr == "", done.stderr
