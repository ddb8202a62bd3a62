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

# $1: where _conform is. $2: what is typed into an interactive zsh, whose screen is printed.
ZSH_COMPLETE = """
zmodload zsh/zpty
zpty -b shell "zsh -f -i"
completion="fpath=($1 \\$fpath); autoload -U compinit; compinit -u -D; compdef _conform conform"
zpty -w shell "PS1=ready; $completion; print set-up"
screen=
until [[ $screen == *set-up*set-up*ready* ]]; do zpty -r shell part && screen+=$part || sleep 0.05; done
zpty -w -n shell $2
for i in {1..40}; do while zpty -r -t shell part; do screen+=$part; done; sleep 0.05; done
print -r -- $screen
zpty -d shell
"""


@pytest.fixture
def complete(root, conform, tmp_path):
    def answers(line, whole_lines=False):
        words = ["bash", "-c", COMPLETE, "bash", root / "runners/cli/completions/conform.bash", f"{conform} {line}"]
        out = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60).stdout
        return out.splitlines() if whole_lines else out.split()

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
    assert complete("run --format ") == ["text", "json"] and "deno" in complete("run --impl den")
    assert "bun,deno" in complete("run x --impl bun,den") and complete("explore x --profile no") == ["node"]


def test_cases_are_offered(complete, tmp_path):
    assert "drain/between-timers" in complete("run drain/bet")
    (tmp_path / "own.yaml").touch()
    assert complete("run ow") == ["own.yaml"] and complete("run --output=ow") == ["own.yaml"]


# Goal: TAB runs nothing, and neither does the line that it leaves. Method: files whose names are commands.
def test_what_a_file_is_called_is_not_run(complete, tmp_path):
    for name in ("$(touch substituted)", "`touch backquoted`", "a;touch separated", "two words"):
        (tmp_path / name).touch()
    offered = complete("run ", whole_lines=True)
    assert r"\$\(touch\ substituted\)" in offered and r"two\ words" in offered
    line = "true " + " ".join(answer for answer in offered if "touch" in answer)
    subprocess.run(["bash", "-c", line], cwd=tmp_path, check=True, timeout=60)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "$(touch substituted)", "`touch backquoted`", "a;touch separated", "two words"
    ]  # fmt: skip


# The same for zsh, which has no function to call: keys are pressed on a pseudo-terminal.
def test_what_a_file_is_called_is_not_run_by_zsh(root, conform, need, tmp_path):
    (tmp_path / "$(touch substituted)").touch()
    (tmp_path / "`touch backquoted`").touch()
    typed = f"{conform} merge \t\t\t\n"
    words = [need("zsh", "zsh"), "-f", "-c", ZSH_COMPLETE, "zsh", root / "runners/cli/completions", typed]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert "touch" in done.stdout, done.stdout + done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["$(touch substituted)", "`touch backquoted`"]


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
