"""spec/claims.md and the cases that it names stay in step."""

import re

import pytest
import yaml

VERDICT = re.compile(r"(Holds|Holds in part|Wrong|Holds since|Held until)(?: (node|libuv) ([\d.]+))?")
NO_ORDER = "Not a question of order"
LEAST_CHARACTERS = 40  # of what is said about a claim


class Case(yaml.SafeLoader):
    """Every scalar is text."""


Case.yaml_implicit_resolvers = {}


def claims_of(text):
    """Number, verdict, the cases behind the verdict, and what is said, for each claim."""
    for part in re.split(r"(?m)^### ", text)[1:]:
        number = int(re.match(r"(\d+)\. ", part).group(1))
        found = re.search(r"(?m)^\*\*(.+?)\*\*(?: · (.*))?$", part)
        assert found, f"claim {number} has no verdict"
        yield number, found.group(1), re.findall(r"`([^`]+)`", found.group(2) or ""), part[found.end():].strip()


@pytest.fixture(scope="module")
def page(root):
    return (root / "spec/claims.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def claims(page):
    return list(claims_of(page))


@pytest.fixture(scope="module")
def expectations(root):
    """expectations("drain/between-timers"): the ranges for which the case expects something, by family."""

    def read(case):
        expect = yaml.load((root / f"cases/{case}.yaml").read_text(encoding="utf-8"), Loader=Case)["expect"]
        ranges = {}
        for key in expect if isinstance(expect, dict) else []:
            family, _, versions = key.partition(" ")
            ranges.setdefault(family, []).append(versions)
        return ranges

    return read


def test_every_claim_is_settled_and_has_a_reason(claims):
    assert [number for number, *_ in claims] == list(range(1, 39))
    for number, verdict, cases, said in claims:
        assert len(re.sub(r"(?m)^##.*", "", said)) > LEAST_CHARACTERS, f"claim {number}: nothing is said about it"
        if verdict == NO_ORDER:
            assert not cases, f"claim {number}: what is no question of order cannot be shown by cases"
        else:
            assert VERDICT.fullmatch(verdict), f"claim {number}: there is no verdict '{verdict}'"
            assert cases, f"claim {number}: no case shows it"


def test_every_case_on_the_page_exists(page, root):
    named = set(re.findall(r"`([a-z]+/[a-z0-9-]+)`", page))
    assert len(named) > 50
    assert sorted(case for case in named if not (root / f"cases/{case}.yaml").exists()) == []


def test_the_version_of_a_verdict_is_a_boundary_in_one_of_its_cases(claims, expectations):
    for number, verdict, cases, _ in claims:
        found = VERDICT.fullmatch(verdict)
        family, version = found.groups()[1:] if found else (None, None)
        assert (version is not None) == verdict.startswith(("Holds since", "Held until")), f"claim {number}"
        if version is None:
            continue
        ranges = [one for case in cases for one in expectations(case).get(family, [])]
        boundary = re.compile(rf"(>=|<){re.escape(version)}(?![\d.])")
        assert any(boundary.search(one) for one in ranges), f"claim {number}: no case changes at {family} {version}"


def test_what_holds_or_is_wrong_everywhere_has_a_case_that_is_the_same_everywhere(claims, expectations):
    """A case with one range alone, for every release that has what the case needs."""
    for number, verdict, cases, _ in claims:
        if verdict not in ("Holds", "Wrong"):
            continue
        ranges = [versions for case in cases for versions in expectations(case).values()]
        assert any(len(versions) == 1 and "<" not in versions[0] for versions in ranges), f"claim {number}"
