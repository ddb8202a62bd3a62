#!/usr/bin/env python3
"""Writes the man page: frame.1, with the help of every command in the place of @COMMANDS@.

    runners/cli/manual/make_manual.py CONFORM > runners/cli/manual/conform.1
"""

import pathlib
import re
import subprocess
import sys

FRAME = pathlib.Path(__file__).resolve().parent / "frame.1"


def help_of(program, *words):
    return subprocess.run([program, *words, "--help"], capture_output=True, encoding="utf-8", check=True).stdout


def roff(text):
    """Text that stands for itself: no command at the start of a line, and hyphens that can be copied."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "\\[u2026]")
    return "\\&" + text if text.startswith((".", "'")) else text


def entries(text, heading):
    """The pairs of a section of the help: what is typed, and what it means, as one line."""
    block = re.search(rf"^{heading}:\n(.*?)(?:\n\n|\Z)", text, re.DOTALL | re.MULTILINE)
    found = []
    for line in block.group(1).splitlines() if block else []:
        if re.match(r"  \S", line):
            typed, _, meaning = line[2:].partition("  ")
            found.append([typed.rstrip(), meaning.strip()])
        else:
            found[-1][1] = f"{found[-1][1]} {line.strip()}".strip()
    return found


def command(program, *words):
    text = help_of(program, *words)
    usage = re.search(r"^Usage: (.*)$", text, re.MULTILINE).group(1)
    name = " ".join(["conform", *words])
    yield from [f".SS {' '.join(words)}", f".B {roff(name)}", roff(usage[len(name) :].strip())]
    yield from [".PP", roff(text.splitlines()[0]) + "."]
    for heading in ("Positionals", "Options"):
        for typed, meaning in entries(text, heading):
            if "--help" not in typed:
                yield from [".TP", f".B {roff(typed.removesuffix(' REQUIRED'))}", roff(meaning)]
    for part, _ in entries(text, "Subcommands"):
        yield from command(program, *words, part)


def manual(program):
    lines = []
    for name, summary in entries(help_of(program), "Subcommands"):
        if name in ("help", "version"):  # the options of these names
            lines += [f".SS {name}", f".B conform {name}", ".PP", roff(summary) + "."]
        else:
            lines += command(program, name)
    return FRAME.read_text(encoding="utf-8").replace("@COMMANDS@\n", "\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.stdout.write(manual(sys.argv[1]))
