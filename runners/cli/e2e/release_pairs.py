"""Are the causes right, where the truth is known? One release of Node.js judged as another, by results of real runs.

    python3 runners/cli/e2e/release_pairs.py RESULTS --pairs=30 --seed=1 [--conform=PROGRAM] [--output=FILE]

What differs between two releases is known from their profiles. A rule that differs is visible if a cause names it, or
if a loop of the one release with this value of the other gives only orders outside the late set in some case that the
other release ran. Rules that fit exactly as well, or that change the same cases in the same way, are one.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import itertools
import json
import os
import pathlib
import random
import re
import subprocess

import yaml

RELEASES = (
    "0.12.18 4.9.1 6.17.1 8.17.0 10.24.1 11.0.0 12.22.12 14.21.3 16.20.2 20.20.2 22.23.3 26.10.0".split()
)
AT_ONCE = 4
ROOT = pathlib.Path(__file__).resolve().parents[3]


def as_numbers(version):
    return tuple(int(part) for part in (version.split(".") + ["0", "0"])[:3])


def contains(versions, version):
    """Whether a range such as ">=4 <15 || =18.18.0" has the version."""
    meets = {
        ">=": lambda a, b: a >= b,
        "<=": lambda a, b: a <= b,
        "<": lambda a, b: a < b,
        ">": lambda a, b: a > b,
        "=": lambda a, b: a == b,
    }
    return any(
        all(
            meets[sign](as_numbers(version), as_numbers(bound))
            for sign, bound in re.findall(r"(>=|<=|<|>|=)\s*([\d.]+)", part)
        )
        for part in versions.split("||")
    )


class Study:
    """`call(*arguments)` runs conform and returns what `parsed` makes of it."""

    def __init__(self, call, results):
        self.call = call
        self.results = results
        self.known_effects = {}
        self.families = {one["name"]: one["rules"] for one in call("list", "profiles")["profiles"]}
        profile = yaml.safe_load((ROOT / "spec/profiles/node.yaml").read_text(encoding="utf-8"))
        self.bases = [(str(one["range"]), str(one["version"])) for one in profile["base-versions"]]
        self.ran = collections.defaultdict(set)  # the cases that a release has run
        for line in pathlib.Path(results).read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            if one["type"] == "result" and one["verdict"] != "unsupported":
                self.ran[one["implementation"]].add(one["case"])

    def rules(self, release):
        """The rules of a release of Node.js, and of the libuv in it."""
        found = {}
        base = next((version for versions, version in self.bases if contains(versions, release)), None)
        for family, version in [("libuv", base), ("node", release)]:
            for rule in self.families[family] if version else []:
                for span in rule["spans"]:
                    if contains(span["range"], version):
                        found[rule["name"]] = span["value"]
        return found

    def effects(self, change, release):
        """The cases that a release with a change orders otherwise; none for a step that only libuv's own model has."""
        if (change, release) not in self.known_effects:
            found = self.call("whatif", change, f"--profile=node@{release}", "--limit=1000", "--jobs=1")
            self.known_effects[change, release] = found["cases"] if found else []
        return self.known_effects[change, release]

    def unseen(self, ran, judged_as, differing):
        """Of rules that differ, [those that are visible, as groups that no case separates]."""
        groups = collections.defaultdict(set)
        for rule, value in differing.items():
            effects = self.effects(f"{rule}={value}", judged_as)
            seen = [one for one in effects if one["case"] in self.ran[f"node@{ran}"]]
            if any(one["effect"] == "fails" for one in seen):
                groups[json.dumps([[one["case"], one["after"]] for one in seen])].add(f"{rule}={value}")
        return [" or ".join(sorted(group)) for group in groups.values()]

    def pair(self, ran, judged_as):
        mine, theirs = self.rules(ran), self.rules(judged_as)
        differing = {rule: value for rule, value in mine.items() if rule in theirs and theirs[rule] != value}
        found = self.call(
            "causes", self.results, f"--impl=node@{ran}", f"--as=node@{judged_as}", "--limit=1000", "--jobs=1"
        )
        outcome = Outcome(ran, judged_as, len(differing), found["failing"], len(found["unexplained"]))
        named = set()
        for cause in found["causes"]:
            changes = [cause["change"], *cause["cannot_be_told_apart_from"]]
            rules = {change["rule"] for change in changes}
            named |= rules
            outcome.named += 1
            if not rules & set(differing):
                outcome.wrong.append([f"{cause['change']['rule']}={cause['change']['to']}", cause["explains"]])
            elif not any(differing.get(change["rule"]) == change["to"] for change in changes):
                outcome.other_value.append(f"{cause['change']['rule']}={cause['change']['to']}")
        left = {rule: value for rule, value in differing.items() if rule not in named}
        outcome.missed = self.unseen(ran, judged_as, left)
        outcome.visible = outcome.named - len(outcome.wrong) + len(outcome.missed)
        return outcome


@dataclasses.dataclass
class Outcome:
    ran: str
    judged_as: str
    differing: int
    failing: int
    unexplained: int
    named: int = 0
    visible: int = 0
    wrong: list = dataclasses.field(default_factory=list)  # [rule=value, the cases that it explains]
    other_value: list = dataclasses.field(default_factory=list)  # the rule differs, and has another value
    missed: list = dataclasses.field(default_factory=list)


def pairs(count, seed):
    """Ordered pairs of releases, drawn; all of them where there are no more."""
    everything = list(itertools.permutations(RELEASES, 2))
    return random.Random(seed).sample(everything, min(count, len(everything)))


def measure(study, chosen, each=lambda outcome: None):
    outcomes = []
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for done in concurrent.futures.as_completed([pool.submit(study.pair, *pair) for pair in chosen]):
            outcomes.append(done.result())
            each(outcomes[-1])
    return outcomes


def precision(outcomes):
    return 1 - sum(len(one.wrong) for one in outcomes) / sum(one.named for one in outcomes)


def recall(outcomes):
    return 1 - sum(len(one.missed) for one in outcomes) / sum(one.visible for one in outcomes)


def summary(outcomes):
    named, visible = sum(one.named for one in outcomes), sum(one.visible for one in outcomes)
    lines = [
        f"{len(outcomes)} pairs, {named} rules named, {visible} visible: "
        f"precision {precision(outcomes):.3f}, recall {recall(outcomes):.3f}",
        f"{sum(one.unexplained for one in outcomes)} of {sum(one.failing for one in outcomes)} failures unexplained, "
        f"{sum(len(one.other_value) for one in outcomes)} rules named with another value",
    ]
    for title, names in [
        ("wrong", [name for one in outcomes for name, _ in one.wrong]),
        ("another value", [name for one in outcomes for name in one.other_value]),
        ("missed", [name for one in outcomes for name in one.missed]),
    ]:
        lines += [f"{title} {count} times: {name}" for name, count in collections.Counter(names).most_common()]
    return "\n".join(lines)


def parsed(ended):
    """What an ended conform printed; nothing where it says that the model has no such value of a rule."""
    if ended.returncode == 2 and "is not a value of the rule" in ended.stderr:
        return None
    assert ended.returncode in (0, 1), ended.stderr
    return json.loads(ended.stdout)


def calling(program):
    def call(*arguments):
        words = [str(program), *map(str, arguments), "--format=json"]
        environment = {**os.environ, "CONFORM_HOME": str(ROOT)}
        return parsed(subprocess.run(words, capture_output=True, encoding="utf-8", env=environment, check=False))

    return call


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results")
    parser.add_argument("--pairs", type=int, default=len(RELEASES) * (len(RELEASES) - 1))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--conform", default=ROOT / "build/release/runners/cli/conform")
    parser.add_argument("--output", help="one line of JSON for each pair")
    options = parser.parse_args()
    output = open(options.output, "w", encoding="utf-8") if options.output else None

    def each(outcome):
        print(
            f"{outcome.ran} as {outcome.judged_as}: {outcome.named} named, wrong {outcome.wrong}; "
            f"{outcome.visible} visible, missed {outcome.missed}",
            flush=True,
        )
        if output:
            print(json.dumps(dataclasses.asdict(outcome)), file=output, flush=True)

    study = Study(calling(options.conform), options.results)
    print(summary(measure(study, pairs(options.pairs, options.seed), each)))


if __name__ == "__main__":
    main()
