"""The study that compares causes with what really differs between two releases of Node.js: release_pairs.py."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import release_pairs  # noqa: E402


def test_ranges_are_read_as_profiles_mean_them():
    assert release_pairs.contains(">=4 <15 || =18.18.0", "4.0.0")
    assert release_pairs.contains(">=4 <15 || =18.18.0", "18.18.0")
    assert not release_pairs.contains(">=4 <15 || =18.18.0", "15.0.0")
    assert release_pairs.contains("", "0.12.18")


def test_pairs_are_ordered_drawn_by_seed_and_never_of_one_release():
    everything = release_pairs.pairs(1000, 1)
    assert len(set(everything)) == len(everything) == 132
    assert all(ran != judged_as for ran, judged_as in everything)
    assert release_pairs.pairs(5, 7) == release_pairs.pairs(5, 7) != release_pairs.pairs(5, 8)


def test_wrong_and_missed_rules_lower_the_figures():
    one = release_pairs.Outcome("4.9.1", "6.17.1", 5, 9, 0, named=4, visible=5)
    assert release_pairs.precision([one]) == release_pairs.recall([one]) == 1
    one.wrong.append(["a=b", ["timers/x"]])
    one.missed.append("c=d")
    assert release_pairs.precision([one]) == 0.75
    assert release_pairs.recall([one]) == 0.8
    assert "wrong 1 times: a=b" in release_pairs.summary([one])


def test_a_value_that_the_model_of_node_lacks_has_no_effect(call):
    def asked(change):
        return release_pairs.parsed(call("whatif", change, "--profile=node@4.9.1", "--case=ticks", "--format=json"))

    assert asked("write-callbacks=snapshot") is None
    assert asked("tick-order=newest-first")["cases"]
    with pytest.raises(AssertionError, match="has no rule"):
        asked("no-such-rule=1")
