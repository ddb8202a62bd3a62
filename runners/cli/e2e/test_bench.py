"""conform bench: the reference loop beside its peers."""

import json
import shutil
import subprocess


def test_each_row_has_its_peers_and_its_target(call, validate):
    ended = call("bench", "--quick", "--format=json")
    assert ended.returncode == 0, ended.stderr
    report = json.loads(ended.stdout)
    validate(report, "bench")
    peers = {}
    for row in report["rows"]:
        peers.setdefault(row["row"], set()).add(row.get("peer"))
        assert "peer" not in row or row["met"] == (row["ratio"] >= row["target"]), row
    for name in ("timer-insert/distinct/1k", "timer-cancel/equal/1k", "iteration/idle-and-check", "wakeup/same-thread"):
        assert peers.pop(name) == {"libev", "libuv"}, name
    assert peers.pop("ping/socket") == {"libuv"}
    assert peers.pop("harness/cpu-of-a-process") == {"node"}
    # The verifiers of spin take longer to be compiled than all of this.
    assert peers.pop("explore/six-callbacks-one-by-one/late") == {None}
    assert peers.pop("explore/callbacks-2/on-time") == {None}
    assert peers.pop("explore/chain-x2000/late") == {"x1000"}
    units = {row["row"]: row["unit"] for row in report["rows"]}
    assert peers.pop("memory/chain-x2000") == {"limit"} and units["memory/chain-x2000"] == "MB"
    assert peers.pop("runs/eight-files/late") == {"limit"} and units["runs/eight-files/late"] == "runs"


def test_rows_are_chosen_and_shown_with_their_spread(call):
    ended = call("bench", "--quick", "--rows=idle-and-check/(ref|libuv)")
    assert ended.returncode == 0, ended.stderr
    table = ended.stdout[ended.stdout.rindex("row ") :].splitlines()
    assert len(table) == 5 and table[2].startswith("iteration/idle-and-check") and "±" in table[2]
    assert table[2].endswith((" met", " MISSED")) and " of 1 targets missed." in table[3]


def test_without_the_benchmarks_it_says_how_to_build_them(conform, tmp_path):
    (tmp_path / "a/b").mkdir(parents=True)
    alone = shutil.copy(conform, tmp_path / "a/b/conform")
    ended = subprocess.run([alone, "bench"], capture_output=True, encoding="utf-8", check=False)
    assert ended.returncode == 3 and "-t conform_bench" in ended.stderr


def test_what_is_no_older_conform_is_refused_before_anything_is_measured(call, tmp_path):
    ended = call("bench", "--quick", f"--before={tmp_path / 'old'}")
    assert ended.returncode == 2 and not ended.stdout
    assert f"{tmp_path / 'old'}: --before is not a program" in ended.stderr
