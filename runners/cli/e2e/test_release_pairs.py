"""The study that compares causes with what really differs between two releases of Node.js: release_pairs.py."""

import json
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import release_pairs  # noqa: E402


def run_as(call, folder, *releases):
    """What the releases do in some cases, by the reference loop; a file for each."""
    files = []
    for release in releases:
        files.append(folder / f"{release}.jsonl")
        folders = ["drain", "immediates", "ticks", "timers"]
        ended = call("run", *folders, "--impl=ref", f"--as={release}", f"--output={files[-1]}")
        assert ended.returncode == 0, ended.stdout + ended.stderr
        files[-1].write_text(files[-1].read_text().replace('"ref"', f'"{release}"'))
    return files


def test_pairs_are_ordered_drawn_by_seed_and_never_of_one_release():
    releases = ["node@10.24.1", "node@11.0.0", "node@12.22.12"]
    assert len(set(release_pairs.pairs(releases, None, 1))) == 6
    assert all(ran != judged_as for ran, judged_as in release_pairs.pairs(releases, None, 1))
    assert release_pairs.pairs(releases, 3, 7) == release_pairs.pairs(releases, 3, 7)


def test_wrong_and_missed_rules_lower_the_figures():
    sums = release_pairs.Sums()
    seen, missed = {"changes": ["a=b"], "cases": [], "named": True}, {"changes": ["c=d"], "cases": [], "named": False}
    truth = {"right": 3, "wrong": ["x=y"], "visible": [seen, seen, missed]}
    sums.add({"failing": 9, "unexplained": [], "truth": truth})
    assert (sums.precision(), round(sums.recall(), 3)) == (0.75, 0.667)
    assert "wrong 1 times: x=y" in str(sums) and "missed 1 times: c=d" in str(sums)


def test_the_truth_is_compared_with_the_causes(call, validate, tmp_path):
    old, new = run_as(call, tmp_path, "node@10.24.1", "node@24.21.0")
    words = [old, "--impl=node@10.24.1", "--as=node@24.21.0", "--truth=node@10.24.1", "--no-programs"]
    found = json.loads(call("causes", *words, "--format=json").stdout)
    validate(found, "causes")
    truth = found["truth"]
    assert truth["right"] == len(found["causes"]) > 0 and not truth["wrong"]
    assert any("immediate-drain=after-batch" in one["changes"] and one["named"] for one in truth["visible"])
    text = call("causes", *words).stdout
    assert "It follows node@10.24.1, where " in text and f"{truth['right']} of {truth['right']} causes right" in text
    # Held to what it is, it differs in nothing.
    words = [new, "--impl=node@24.21.0", "--as=node@24.21.0", "--truth=node@24.21.0", "--format=json"]
    assert json.loads(call("causes", *words).stdout)["truth"]["visible"] == []


def test_the_truth_is_of_the_same_family(call, tmp_path):
    old = run_as(call, tmp_path, "node@10.24.1")[0]
    ended = call("causes", old, "--impl=node@10.24.1", "--as=node@24", "--truth=libuv")
    assert ended.returncode == 2 and "--truth names another family than node@24.21.0" in ended.stderr


def test_what_was_answered_is_not_asked_again(call, conform, tmp_path):
    """The reference loop runs as two releases; the second call finds both pairs in the file, one of them cut off."""
    files = []
    for release in ["node@10.24.1", "node@24.21.0"]:
        files.append(tmp_path / f"{release}.jsonl")
        assert call("run", "drain", "--impl=ref", f"--as={release}", f"--output={files[-1]}").returncode == 0
    output = tmp_path / "pairs.jsonl"
    words = [sys.executable, release_pairs.__file__, *files, f"--conform={conform}", f"--output={output}", "--jobs=2"]
    first = subprocess.run([*words], capture_output=True, encoding="utf-8", check=True).stdout
    assert "\n2 pairs, " in first
    lines = output.read_text().splitlines(keepends=True)
    marked = lines[0].replace('"wrong": []', '"wrong": ["was=known"]')
    output.write_text(marked + lines[1][:-20])
    second = subprocess.run([*words], capture_output=True, encoding="utf-8", check=True).stdout
    assert "wrong 1 times: was=known" in second
    assert output.read_text() == marked + lines[1]


@pytest.mark.long
def test_causes_of_real_releases_are_right(call, conform, tmp_path):
    releases = ["node@10.24.1", "node@20.2.0", "node@26.10.0"]
    folders = ["drain", "errors", "immediates", "rejections", "ticks", "timers"]
    file = tmp_path / "real.jsonl"
    ended = call("run", *folders, f"--impl={','.join(releases)}", "--install", f"--output={file}", timeout=1500)
    if ended.returncode == 3:
        pytest.skip("no runtimes without a network")
    assert ended.returncode == 0, ended.stdout
    sums = release_pairs.Sums()
    for ran, judged_as in release_pairs.pairs(releases, None, 1):
        sums.add(release_pairs.ask(conform, release_pairs.by_release([file]), ran, judged_as))
    assert sums.visible > 20
    assert sums.precision() >= 0.97, str(sums)
    assert sums.recall() >= 0.6, str(sums)
