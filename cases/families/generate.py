#!/usr/bin/env python3
"""Writes the cases of the families.

A family asks one question in many places: what is drained after a callback of each kind, say. Its table, `NAME.table`
beside this file, holds what differs from case to case; this program puts it together and writes one ordinary case file
for each row. README.md describes the tables.

    cases/families/generate.py            writes the cases
    cases/families/generate.py --check    writes nothing; says which files would change, with exit code 1
"""

import pathlib
import re
import sys
import textwrap

import yaml

import jobs

HERE = pathlib.Path(__file__).resolve().parent
CASES = HERE.parent
COLUMNS = 118


class Table(yaml.SafeLoader):
    """Every scalar is text, as in cases: `0`, `no` and `1.9` are what they look like."""


Table.yaml_implicit_resolvers = {}


def read(name):
    return yaml.load((HERE / f"{name}.table").read_text(encoding="utf-8"), Loader=Table)


def place(program, bodies):
    """The lines of a program, with the bodies in their places. `OP: $A` and a line `- $A` are such places."""
    lines = []
    for line in program.splitlines():
        found = re.fullmatch(r"( *)- (?:(.*): )?\$(\w+)", line)
        if not found:
            lines.append(line)
            continue
        spaces, step, name = found.groups()
        body = bodies.get(name) or []
        if step is not None:
            lines.append(f"{spaces}- {step}" + (":" if body else ""))
            spaces += "    "
        lines += [f"{spaces}- {one}" for one in body]
    return lines


def plain(text):
    """A scalar as a user would write it: in quotes only where YAML needs them."""
    return f"'{text}'" if text == "" or text[0] in "'\"&*!|>%@`[{#," or ": " in text or " #" in text else text


def case_text(source, case):
    lines = [f"# Written by cases/families/generate.py from {source}."]
    lines += [f"title: {plain(case['title'])}", f"clauses: [{', '.join(case['clauses'])}]"]
    if "tier" in case:
        lines.append(f"tier: {case['tier']}")
    lines += ["why: >", *textwrap.wrap(case["why"], COLUMNS, initial_indent="  ", subsequent_indent="  ")]
    if "issue" in case:
        lines.append(f"issue: [{', '.join(case['issue'])}]")
    lines += [f"{key}: {case[key]}" for key in ("entry", "pool") if key in case]
    lines += ["program:", *(f"  {line}" for line in case["program"])]
    lines += ["expect:", *(f"  {key}: {plain(order)}" for key, order in case["expect"].items())]
    return "\n".join(lines) + "\n"


def of_places(name):
    """A family that asks its question in callbacks of many kinds."""
    family = read(name)
    kinds = read("kinds")
    for row in family["rows"]:
        kind = kinds[row["kind"]]
        bodies = {key: row.get(key, family.get(key)) for key in "AB"}
        program = place(kind["program"], bodies)
        steps = [f"- {step}" for step in family.get("first", [])] + program
        steps += [f"- {step}" for step in row.get("last", family.get("last", []))]
        words = {"where": kind["where"], "two": kind.get("two", "")}
        clauses = row.get("clauses", family["clauses"])
        case = {
            "title": row.get("title", family["title"]).format(**words),
            "clauses": clauses + [one for one in kind.get("clauses", []) if one not in clauses],
            "why": row["why"],
            "program": steps,
            "expect": row.get("expect", family.get("expect")),
        }
        for given in (kind, family, row):
            case.update({key: given[key] for key in ("entry", "pool", "tier", "issue") if key in given})
        yield row["case"], case


def families():
    """Every case of every family, as a path below cases/ and the text of its file."""
    for file in sorted(HERE.glob("*.table")):
        name = file.stem
        if name == "kinds":
            continue
        found = jobs.cases(read(name)) if name == "jobs" else of_places(name)
        for path, case in found:
            yield f"{path}.yaml", case_text(file.name, case)


def main(arguments):
    check = arguments == ["--check"]
    if arguments and not check:
        sys.exit(__doc__)
    changed = []
    for path, text in families():
        file = CASES / path
        if file.exists() and file.read_text(encoding="utf-8") == text:
            continue
        changed.append(path)
        if not check:
            file.write_text(text, encoding="utf-8")
    for path in changed:
        print(f"{'would change' if check else 'written'}: cases/{path}")
    return 1 if check and changed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
