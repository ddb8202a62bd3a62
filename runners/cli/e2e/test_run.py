"""conform run"""

import json
import re
import subprocess
import time

RACE = "program:\n  - timeout A 0\n  - immediate B\nexpect:\n  node: A B | B A\n"


def lines(file):
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def results(file):
    return [line for line in lines(file) if line["type"] == "result"]


def test_the_whole_catalogue_passes_on_the_reference_loop_and_is_counted(call):
    ended = call("run", "--impl=ref")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    summary = r"^(\d+) cases on ref, (\d+) profiles, (\d+) clauses: (\d+) results$"
    counts = re.search(summary, ended.stdout, re.MULTILINE)
    assert counts, ended.stdout
    cases, profiles, clauses, all_results = map(int, counts.groups())
    assert cases > 200 and profiles > 50 and clauses > 80 and all_results > cases
    assert re.search(r"^  \d+ pass", ended.stdout, re.MULTILINE)
    assert "fail" not in ended.stdout


def test_the_totals_are_one_verdict_for_each_plan(call, tmp_path):
    file = tmp_path / "results.jsonl"
    assert call("run", "main/", f"--output={file}").returncode == 0
    first, last = lines(file)[0], lines(file)[-1]
    assert first["planned"] == last["results"] == sum(last["totals"].values()) == len(results(file))


def test_the_reference_loop_passes_for_real(call):
    ended = call("run", "main/", "drain/", "--impl=ref:real", "--as=node@24,node@10", "--repeat=3", "--jobs=2")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "fail" not in ended.stdout and "timeout" not in ended.stdout


def test_signals_may_be_asked_about_by_many_threads(call, write):
    program = "program:\n  - signal S\n  - raise S\n  - timeout A 5:\n      - clear S\n"
    file = write("s.yaml", program + "expect:\n  node: S A\n")
    ended = call("run", file, "--impl=ref:real", "--repeat=3", "--jobs=8")
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_a_wrong_expectation_fails_and_says_how_to_see_it_again(call, write):
    file = write("x.yaml", RACE.replace("A B | B A", "B A"))
    ended = call("run", file, "--impl=ref", "--as=node@10")
    assert ended.returncode == 1
    assert "expected: `B A`" in ended.stdout and "observed: `A B`" in ended.stdout
    command = re.search(r"^    conform (run .* --as=node@10\S*)$", ended.stdout, re.MULTILINE)
    again = call(*command.group(1).split())
    assert again.returncode == 1 and "observed: `A B`" in again.stdout
    explore = re.search(r"^    conform (explore .* --profile=node@10\S*)$", ended.stdout, re.MULTILINE)
    assert call(*explore.group(1).split()).returncode == 0


def test_a_failure_at_a_later_seed_is_reproduced_by_its_seed(call, write):
    file = write("x.yaml", RACE.replace("A B | B A", "A B"))
    ended = call("run", file, "--as=node@24", "--repeat=30")
    assert ended.returncode == 1
    seed = re.search(r"--seed=(\d+)$", ended.stdout, re.MULTILINE)
    assert seed and int(seed.group(1)) > 0
    assert call("run", file, "--as=node@24", f"--seed={seed.group(1)}").returncode == 1
    assert call("run", file, "--as=node@24").returncode == 0


def test_several_orders_are_a_histogram(call, write):
    ended = call("run", write("x.yaml", RACE), "--as=node@24", "--repeat=50")
    assert ended.returncode == 0
    counts = [int(count) for count in re.findall(r"^ +(\d+) × [AB] [AB]$", ended.stdout, re.MULTILINE)]
    assert len(counts) == 2 and sum(counts) == 50 and counts == sorted(counts, reverse=True)


def test_same_seed_same_results(call, tmp_path):
    files = [tmp_path / "1.jsonl", tmp_path / "2.jsonl"]
    for file, jobs in zip(files, (1, 8)):
        assert call("run", "main/", "--seed=7", "--repeat=3", f"--jobs={jobs}", f"--output={file}").returncode == 0
    assert results(files[0]) == results(files[1])


def test_every_line_of_the_results_file_is_as_the_schema_says(call, validate, tmp_path):
    file = tmp_path / "results.jsonl"
    words = ["main/", "main/phase-tour"]  # what is named is asked of every profile
    ended = call("run", *words, "--impl=ref,ref:real", "--as=node@24,libuv", "--repeat=2", f"--output={file}")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    for line in lines(file):
        validate(line, "results")
    assert {line["verdict"] for line in results(file)} >= {"pass", "unsupported"}
    assert {line["implementation"] for line in results(file)} == {"ref", "ref:real"}


def test_the_results_file_of_a_run_that_was_killed_holds_whole_lines(conform, validate, write, tmp_path):
    file = tmp_path / "results.jsonl"
    # The last case cannot have ended when the first results are there: a timer is never early.
    last = write("last.yaml", "program:\n  - timeout A 600000\nexpect: A\n")
    process = subprocess.Popen(
        [str(conform), "run", "main/", str(last), "--impl=ref:real", "--as=node@24", f"--output={file}"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while not file.exists() or file.read_bytes().count(b"\n") < 3:
            assert process.poll() is None
            time.sleep(0.01)
    finally:
        process.kill()
        process.wait()
    assert file.read_text(encoding="utf-8").endswith("}\n")
    for line in lines(file):
        validate(line, "results")
    assert lines(file)[-1]["type"] == "result"


def test_json_is_as_the_schema_says(call, validate):
    ended = call("run", "main/", "--as=node@24", "--format=json")
    assert ended.returncode == 0
    report = json.loads(ended.stdout)
    validate(report, "run")
    assert report["cases"] == len(report["results"]) == sum(report["totals"].values())
    assert report["totals"]["pass"] == len([one for one in report["results"] if one["verdict"] == "pass"]) > 0


def test_a_version_that_no_range_covers_is_recorded_and_not_judged(call, write):
    file = write("x.yaml", "program:\n  - timeout A 0\nexpect:\n  node >=20: A\n")
    ended = call("run", file, "--as=node@10")
    assert ended.returncode == 0
    assert "1 unspecified" in ended.stdout and "observed: `A`" in ended.stdout


def test_what_a_profile_has_not_is_unsupported_by_name(call, write):
    ended = call("run", write("x.yaml", "program:\n  - tick T\nexpect: T\n"), "--as=libuv@1.44.2")
    assert ended.returncode == 0
    assert "1 unsupported" in ended.stdout and "libuv@1.44.2 has no tick" in ended.stdout


def test_shards_are_disjoint_and_together_the_whole(call, tmp_path):
    def planned(*options):
        file = tmp_path / "results.jsonl"
        assert call("run", "main/", f"--output={file}", *options).returncode == 0
        return [(line["case"], line["implementation"], line["profile"]) for line in results(file)]

    whole = planned()
    parts = [planned(f"--shard={part}/3") for part in (1, 2, 3)]
    assert sorted(sum(parts, [])) == sorted(whole)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_a_loop_that_blocks_for_ever_ends_as_exit_never(call, write):
    file = write("x.yaml", "program:\n  - listen L\nexpect:\n  node: exit=never\n")
    assert call("run", file, "--impl=ref,ref:real", "--as=node@24", timeout=60).returncode == 0


def test_a_run_without_an_end_is_a_timeout_for_real_and_inconclusive_in_virtual_time(call, write):
    file = write("x.yaml", "program:\n  - interval A 1\nexpect:\n  node: A*\n")
    real = call("run", file, "--impl=ref:real", "--as=node@24", timeout=120)
    assert real.returncode == 1 and "1 timeout" in real.stdout
    virtual = call("run", file, "--impl=ref", "--as=node@24", timeout=120)
    assert virtual.returncode == 0 and "1 inconclusive" in virtual.stdout
    assert call("run", file, "--impl=ref", "--as=node@24", "--strict", timeout=120).returncode == 1


def test_a_chain_of_a_million_is_ended_by_a_limit(call, write):
    for op in ("tick T", "immediate T", "then T"):
        file = write("x.yaml", f"program:\n  - {op} x1000000\nexpect:\n  node: T*\n")
        ended = call("run", file, "--impl=ref", "--as=node@24", timeout=120)
        assert ended.returncode == 0 and "the limit on callbacks" in ended.stdout, ended.stdout


def test_a_typed_program_is_run_without_being_judged(call):
    ended = call("run", "-e", "tick A; then B", "--as=node@24")
    assert ended.returncode == 0, ended.stderr
    assert "1 × A B" in ended.stdout and "1 unspecified" in ended.stdout
    held_to_nothing = call("run", "-e", "tick A; then B")
    assert held_to_nothing.returncode == 2 and "--as=node" in held_to_nothing.stderr


def test_cases_are_chosen_by_what_they_are_about(call):
    ended = call("run", "--clause=timers.deadline-order", "--as=node@24", "--format=json")
    assert ended.returncode == 0, ended.stderr
    ids = {result["case"] for result in json.loads(ended.stdout)["results"]}
    assert ids == {id for id in ids if "timers.deadline-order" in call("show", id).stdout} and len(ids) > 1
    chapter = call("run", "--clause=close", "--as=node@24", "--format=json")
    assert len(json.loads(chapter.stdout)["results"]) > 5
    unknown = call("run", "--clause=timers.deadline-oder")
    assert unknown.returncode == 2 and "did you mean 'timers.deadline-order'?" in unknown.stderr


def test_what_failed_is_run_again_and_a_run_ends_at_the_first_failure(call, write, tmp_path):
    good, bad, worse = (
        write(f"{name}.yaml", f"program:\n  - tick A\n  - then B\nexpect: {pattern}\n")
        for name, pattern in [("good", "A B"), ("bad", "B A"), ("worse", "B A")]
    )
    file, first = tmp_path / "all.jsonl", tmp_path / "first.jsonl"
    run = ["run", good, bad, worse, "--as=node@24", "--jobs=1"]
    assert call(*run, f"--output={file}").returncode == 1
    again = call(*run, f"--failed={file}", "--format=json")
    assert [result["case"] for result in json.loads(again.stdout)["results"]] == ["bad", "worse"]
    ended = call(*run, "-x", f"--output={first}")
    assert ended.returncode == 1 and "1 pass, 1 fail" in ended.stdout, ended.stdout + ended.stderr
    none = call("run", good, "--as=node@24", f"--output={tmp_path / 'none.jsonl'}")
    assert none.returncode == 0
    nothing = call(*run, f"--failed={tmp_path / 'none.jsonl'}")
    assert nothing.returncode == 2 and "no judgement" in nothing.stderr
