"""spec/suites.md, which tests of other suites are asked by which cases, stays in step with the catalogue."""

import re

import pytest


@pytest.fixture(scope="module")
def page(root):
    return (root / "spec/suites.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def suites(page):
    """The rows of each suite by its heading: the test, the cases that ask it, and what is not asked."""
    found = {}
    for part in re.split(r"(?m)^## ", page)[1:]:
        rows = re.findall(r"(?m)^\| (?!test |---)([^|]+?) \|([^|]*)\|([^|]*)\|$", part)
        suite = part.split("\n", 1)[0]
        found[suite] = [(test, re.findall(r"`([^`]+)`", cases), why.strip()) for test, cases, why in rows]
    return found


def test_every_case_that_is_named_exists(suites, page, root):
    named = {case for rows in suites.values() for _, cases, _ in rows for case in cases}
    named |= set(re.findall(r"`([a-z]+/[a-z0-9-]+)`", page))
    assert len(named) > 150
    assert not [case for case in sorted(named) if not (root / f"cases/{case}.yaml").is_file()]


def test_every_test_is_listed_once_and_asked_or_explained(suites):
    for suite, rows in suites.items():
        tests = [test for test, *_ in rows]
        assert len(tests) == len(set(tests)), suite
        assert not [test for test, cases, why in rows if not cases and not why], suite


def test_the_numbers_at_the_top_are_those_of_the_tables(suites, page):
    said = re.findall(r"(?m)^\| \[([^\]]+)\]\(#\S+\) \| .+? \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", page)
    assert [name for name, *_ in said] == list(suites)
    for name, *numbers in said:
        rows = suites[name]
        asked = sum(bool(cases) and not why for _, cases, why in rows)
        partly = sum(bool(cases) and bool(why) for _, cases, why in rows)
        assert [int(number) for number in numbers] == [len(rows), asked, partly, len(rows) - asked - partly], name
