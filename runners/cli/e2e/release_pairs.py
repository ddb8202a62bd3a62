"""Are the causes right, where the truth is known? One release of Node.js judged as another, by results of real runs.

    python3 runners/cli/e2e/release_pairs.py RESULTS… [--pairs=30 --seed=1] [--conform=PROGRAM] [--output=FILE]

RESULTS: of the whole catalogue, one file or several, with any number of releases. All ordered pairs are asked about, or
as many as --pairs says, drawn by the seed. `causes --truth` compares with the rules of the release that ran.
"""

import argparse
import collections
import itertools
import json
import os
import pathlib
import random
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]


def by_release(files):
    """The files by the releases that they have results of."""
    found = {}
    for file in files:
        with open(file, encoding="utf-8") as lines:
            for line in lines:
                one = json.loads(line)
                if one["type"] == "run":
                    found |= {implementation["name"]: file for implementation in one["implementations"]}
    return found


def pairs(releases, count, seed):
    """Ordered pairs, drawn; all of them where there are no more."""
    everything = list(itertools.permutations(releases, 2))
    if count is None or count >= len(everything):
        return everything
    return random.Random(seed).sample(everything, count)


def ask(program, files, ran, judged_as):
    """What `causes` says of one pair, and how right it is."""
    words = [program, "causes", files[ran], f"--impl={ran}", f"--as={judged_as}", f"--truth={ran}", "--format=json"]
    words += ["--no-programs", "--jobs=1"]
    environment = {**os.environ, "CONFORM_HOME": str(ROOT)}
    ended = subprocess.run(
        [str(word) for word in words], capture_output=True, encoding="utf-8", env=environment, check=False
    )
    assert ended.returncode in (0, 1), ended.stderr
    return json.loads(ended.stdout)


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
        return self.right / (self.right + self.wrong.total())

    def recall(self):
        return self.named / self.visible

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
    parser.add_argument("--conform", default=ROOT / "build/release/runners/cli/conform")
    parser.add_argument("--output", help="what causes says of each pair, a line each")
    options = parser.parse_args()
    files, sums = by_release(options.results), Sums()
    output = open(options.output, "w", encoding="utf-8") if options.output else None
    for ran, judged_as in pairs(sorted(files), options.pairs, options.seed):
        found = ask(options.conform, files, ran, judged_as)
        sums.add(found)
        missed = [one["changes"] for one in found["truth"]["visible"] if not one["named"]]
        print(f"{ran} as {judged_as}: wrong {found['truth']['wrong']}, missed {missed}", flush=True)
        if output:
            print(json.dumps(found), file=output, flush=True)
    print(sums)


if __name__ == "__main__":
    main()
