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

# $1: where _conform is. $2: what is typed into an interactive zsh, then TAB and a key that tells when all is done.
# Prints the screen, and the line as it is then.
ZSH_COMPLETE = """
zmodload zsh/zpty
zpty -b shell "zsh -f -i"
zpty -w shell "unsetopt zle_bracketed_paste list_ambiguous; LISTMAX=1000000 LINES=1000 COLUMNS=80"
zpty -w shell "fpath=($1 \\$fpath); autoload -U compinit"
zpty -w shell "compinit -u -D; compdef _conform conform"
zpty -w shell 'finish() { zle -I; print -r -- "<$BUFFER>:fini""shed" }; zle -N finish; bindkey "^Y" finish'
zpty -w shell 'print set""-up'
screen=
await() { until [[ $screen == *$1* ]]; do zpty -r -t shell part && screen+=$part || sleep 0.05; done }
await set-up
screen=
zpty -w -n shell "$2"$'\\t\\C-y'
await :finished
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


@pytest.fixture
def complete_in_zsh(root, conform, need, tmp_path):
    """The words on the screen and in the line after TAB. What was only begun there is part of them."""

    def answers(line):
        folder = root / "runners/cli/completions"
        words = [need("zsh", "zsh"), "-f", "-c", ZSH_COMPLETE, "zsh", folder, f"{conform} {line}"]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300)
        screen = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\r|\x08", "", done.stdout)
        assert ":finished" in screen, done.stdout + done.stderr
        return screen.replace("<", " ").replace(">", " ").split()

    return answers


def subcommands(call, *words):
    text = call(*words, "--help").stdout
    return re.findall(r"^  ([a-z]+) ", text.partition("\nSubcommands:\n")[2].partition("\n\n")[0], re.MULTILINE)


def test_commands_are_offered(call, complete):
    assert complete("")[: len(subcommands(call))] == subcommands(call)
    assert complete("help ") == subcommands(call)
    assert complete("runt") == ["runtimes"]
    assert complete("adapter ne") == ["new"]
    assert complete("runtimes ") == subcommands(call, "runtimes")


def test_options_and_their_values_are_offered(complete):
    assert "--repeat" in complete("run --") and complete("run --im") == ["--impl"]
    assert "--available" in complete("runtimes list --")
    assert "bun,deno" in complete("run --impl=bun,den")
    assert complete("run --format=") == ["text", "json"] and complete("run --format ") == ["text", "json"]
    assert complete("causes --format=") == ["text", "json", "markdown"]
    assert "deno" in complete("run --impl den") and "bun,deno" in complete("run x --impl bun,den")
    assert complete("adapter new x --lang ") == ["js", "python", "c"] == complete("show x --as=")
    assert complete("run --repeat ") == []
    assert "timers.deadline-order" in complete("run --clause=timers.")
    assert "timers.deadline-order" in complete("run --clause timers.d") == complete("show timers.d")
    assert "immediate-drain=" in complete("whatif imm")


# bash takes words apart at the @, so what follows it is the answer.
def test_versions_are_offered(complete):
    for line in ("explore x --profile=", "explore x --profile ", "run --as=", "run --as "):
        assert "node" in complete(line + "no"), line
        assert {"20.2.0", "20.3.0"} <= set(complete(line + "node@20")), line
    assert {"bun", "deno"} <= set(complete("runtimes install "))
    assert "24.21.0" in complete("runtimes install node@24") and complete("runtimes install x nod")
    assert "list" not in complete("runtimes install ")


def test_cases_and_files_are_offered(complete, tmp_path):
    assert "drain/between-timers" in complete("run drain/bet") and "drain/between-timers" in complete("bisect drain/b")
    (tmp_path / "own.yaml").touch()
    for line in ("run ", "run --output=", "run --output ", "gate --baseline ", "run --resume "):
        assert complete(line + "ow") == ["own.yaml"], line
    assert complete("run --output ") == ["own.yaml"]
    assert complete("help ow") == complete("runtimes install ow") == []


@pytest.mark.parametrize(
    "line, offered, other",
    [
        ("ex", "explore", None),
        ("help his", "history", None),
        ("run drain/between-tim", "drain/between-timers", None),
        ("run --impl=bun,den", "--impl=bun,deno", "own.yaml"),
        ("explore x --profile=node@24.2", "--profile=node@24.21.0", "own.yaml"),
        ("explore x --profile node@24.2", "node@24.21.0", "own.yaml"),
        ("run --as node@24.2", "node@24.21.0", "own.yaml"),
        ("runtimes install node@24.2", "node@24.21.0", "remove"),
        ("run --clause timers.dead", "timers.deadline-order", "own.yaml"),
        ("show timers.dead", "timers.deadline-order", None),
        ("adapter new x --lang pyt", "python", None),
        ("causes --format mar", "markdown", None),
        ("run --output ow", "own.yaml", "drain/between-timers"),
        ("run --output=ow", "--output=own.yaml", None),
        ("run --repe", "--repeat", None),
        ("whatif immediate-dr", "immediate-drain=", None),
    ],
)
def test_the_same_is_offered_by_zsh(complete_in_zsh, tmp_path, line, offered, other):
    (tmp_path / "own.yaml").touch()
    found = complete_in_zsh(line)
    assert offered in found, found
    assert other not in found, found


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


def test_what_a_file_is_called_is_not_run_by_zsh(complete_in_zsh, tmp_path):
    (tmp_path / "$(touch substituted)").touch()
    (tmp_path / "`touch backquoted`").touch()
    assert any("touch" in word for word in complete_in_zsh("merge "))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["$(touch substituted)", "`touch backquoted`"]


# Goal: TAB runs nothing of the line, which may have been pasted. Method: an option that ends a pattern of sed and has
# it run a command, a pattern that sed refuses, and one that fits everything.
PASTED = ["--a/b/;1etouch${IFS}ran;#", "--a[", "--.*"]


@pytest.mark.parametrize("option", PASTED)
def test_what_is_typed_is_not_run(complete, tmp_path, option):
    (tmp_path / "own.yaml").touch()
    assert complete(f"run {option}=") == []
    assert complete(f"run {option} own") == ["own.yaml"], "it has no value, as far as is known"
    assert [path.name for path in tmp_path.iterdir()] == ["own.yaml"]


def test_what_is_typed_is_not_run_by_zsh(complete_in_zsh, tmp_path):
    (tmp_path / "own.yaml").touch()
    complete_in_zsh("run '" + PASTED[0] + "' own")
    complete_in_zsh("run " + PASTED[0].replace("${IFS}", "\\$IFS").replace(";", "\\;") + "=")
    assert [path.name for path in tmp_path.iterdir()] == ["own.yaml"]


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
