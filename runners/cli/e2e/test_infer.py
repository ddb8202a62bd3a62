"""conform infer: the rules that an implementation follows."""

import json

# Enough of the catalogue to decide some rules, and to leave others open.
FEW = ["--case=drain", "--case=immediates", "--case=ticks", "--programs=5"]


def rules(call, *arguments):
    """From the name of each rule to its value, by another way: the profile itself."""
    ended = call("infer", "--impl=ref", *arguments, "--format=json")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return json.loads(ended.stdout)


def test_the_rules_of_an_older_release_are_found_without_having_been_named(call, validate):
    found = rules(call, "--as=node@10", *FEW)
    validate(found, "infer")
    decided = {one["rule"]: one["value"] for one in found["decided"]}
    assert decided["immediate-drain"] == "after-batch"
    assert decided["timer-store"] == "handle-per-list"
    assert not found["unexplained"]
    # Another release differs in what was decided.
    newer = {one["rule"]: one["value"] for one in rules(call, "--as=node@24", *FEW)["decided"]}
    assert newer["immediate-drain"] == "between"
    for one in found["open"]:
        assert one["value"] not in one["others"] and one["reason"]


def test_the_profile_can_be_used(call, tmp_path):
    file = tmp_path / "found.yaml"
    ended = call("infer", "--impl=ref", "--as=node@10", *FEW, f"--output={file}")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "not decided:\n" in ended.stdout
    assert file.read_text().startswith("# What ref does, found by running it: ")
    shown = call("explore", "-e", "immediate A: [tick T]; immediate B", f"--profile={file}", "--format=json")
    assert shown.returncode == 0, shown.stderr
    assert [run["order"] for run in json.loads(shown.stdout)["runs"]] == [["A", "B", "T"]]


def test_errors_name_what_is_wrong(call):
    ended = call("infer", "--impl=ref")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "ref has no profile of its own (choose one with --as)" in ended.stderr
    ended = call("infer", "--impl=ref", "--as=glib")
    assert ended.returncode == 2 and "glib has promises, and no rules that could be inferred" in ended.stderr
    assert call("infer", "--impl=ref,ref:real", "--as=node").returncode == 2
