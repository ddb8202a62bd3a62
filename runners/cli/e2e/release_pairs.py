"""Are the causes right, where the truth is known? One release of Node.js judged as another, by results of real runs.

    python3 runners/cli/e2e/release_pairs.py RESULTS… [--pairs=30 --seed=1] [--jobs=2] [--conform=PROGRAM]
                                             [--output=FILE]

RESULTS: of the whole catalogue, one file or several, with any number of releases; or of `--impl=ref --as=RELEASE`, one
file for each. All ordered pairs are asked about, or as many as --pairs says, drawn by the seed. `causes --truth`
compares with the rules of the release that ran. With --output, what is already in FILE is not asked again.
"""

import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import random
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
REFERENCE = "ref"


class Ran:
    """Where the results of a release are."""

    def __init__(self, file, implementation):
        self.file = file
        self.implementation = implementation


def by_release(files):
    """The results by the releases that ran, or that the reference loop ran as."""
    found = {}
    for file in files:
        with open(file, encoding="utf-8") as lines:
            for line in lines:
                one = json.loads(line)
                if one["type"] == "result":
                    name = one["implementation"]
                    found.setdefault(one["profile"] if name == REFERENCE else name, Ran(file, name))
    return found


def pairs(releases, count, seed):
    """Ordered pairs, drawn; all of them where there are no more."""
    everything = list(itertools.permutations(releases, 2))
    if count is None or count >= len(everything):
        return everything
    return random.Random(seed).sample(everything, count)


def ask(program, releases, ran, judged_as):
    """What `causes` says of one pair, and how right it is."""
    results = releases[ran]
    words = [program, "causes", results.file, f"--impl={results.implementation}", f"--as={judged_as}"]
    words += [f"--truth={ran}", "--format=json", "--no-programs", "--jobs=1"]
    environment = {**os.environ, "CONFORM_HOME": str(ROOT)}
    ended = subprocess.run(
        [str(word) for word in words], capture_output=True, encoding="utf-8", env=environment, check=False
    )
    assert ended.returncode in (0, 1), ended.stderr
    return json.loads(ended.stdout)


def answered(file):
    """By pair: what an earlier call has written. Its last line may be cut off."""
    known = {}
    if file and os.path.exists(file):
        for line in pathlib.Path(file).read_text(encoding="utf-8").splitlines(keepends=True):
            if line.endswith("\n"):
                found = json.loads(line)
                known[found["truth"]["follows"], found["profile"]] = found
    return known


class Sums:
    """Of all pairs together: each cause and each visible difference counts as one."""

    def __init__(self):
        self.pairs = self.right = self.named = self.visible = self.failing = self.unexplained = 0
        self.wrong, self.missed = collections.Counter(), collections.Counter()

    def add(self, found):
        truth = found["truth"]
        self.pairs += 1
        self.failing += found["failing"]
        self.unexplained += len(found["unexplained"])
        self.right += truth["right"]
        self.wrong.update(truth["wrong"])
        self.visible += len(truth["visible"])
        self.named += sum(one["named"] for one in truth["visible"])
        self.missed.update(" or ".join(one["changes"]) for one in truth["visible"] if not one["named"])

    def precision(self):
        causes = self.right + self.wrong.total()
        return self.right / causes if causes else 1

    def recall(self):
        return self.named / self.visible if self.visible else 1

    def __str__(self):
        lines = [
            f"{self.pairs} pairs, {self.failing} failures, {self.unexplained} unexplained",
            f"{self.right} of {self.right + self.wrong.total()} causes right: precision {self.precision():.3f}",
            f"{self.named} of {self.visible} visible differences named: recall {self.recall():.3f}",
        ]
        for title, names in [("wrong", self.wrong), ("missed", self.missed)]:
            lines += [f"{title} {count} times: {name}" for name, count in names.most_common()]
        return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+")
    parser.add_argument("--pairs", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--conform", default=ROOT / "build/release/runners/cli/conform")
    parser.add_argument("--output", help="what causes says of each pair, a line each")
    options = parser.parse_args()
    releases, sums, known = by_release(options.results), Sums(), answered(options.output)
    if options.output:
        lines = [json.dumps(found) + "\n" for found in known.values()]
        pathlib.Path(options.output).write_text("".join(lines), encoding="utf-8")

    def find(pair):
        return known.get(pair) or ask(options.conform, releases, *pair)

    asked = pairs(sorted(releases), options.pairs, options.seed)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for pair, found in zip(asked, pool.map(find, asked), strict=True):
            sums.add(found)
            missed = [one["changes"] for one in found["truth"]["visible"] if not one["named"]]
            print(f"{pair[0]} as {pair[1]}: wrong {found['truth']['wrong']}, missed {missed}", flush=True)
            if options.output and pair not in known:
                with open(options.output, "a", encoding="utf-8") as output:
                    print(json.dumps(found), file=output)
    print(sums)


if __name__ == "__main__":
    main()
