"""What a CI would do: the script that jobs call, the step of the action, and the commands of the examples."""

import hashlib
import http.server
import io
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import threading
import xml.etree.ElementTree as ElementTree

import pytest
import yaml

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
CASE = "drain/between-timers"


@pytest.fixture
def job(tmp_path):
    """job("bash text", NAME="value"): a step of a job in an empty folder."""

    def run(script, **variables):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
        environment.setdefault("CONFORM", str(ROOT / "build/release/runners/cli/conform"))
        return subprocess.run(
            ["bash", "-e", "-c", script, "step"],
            cwd=tmp_path,
            env={**environment, **variables},
            capture_output=True,
            encoding="utf-8",
            timeout=300,
        )

    return run


def check(words):
    return f'"{FOLDER}/check" {words}'


def test_a_job_leaves_results_and_reports(job, tmp_path):
    done = job(check(f"--impl=ref {CASE} --output=out"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out/results.jsonl").is_file() and (tmp_path / "out/summary.md").is_file()
    names = [case.get("name") for case in ElementTree.parse(tmp_path / "out/junit.xml").iter("testcase")]
    assert any(CASE in name for name in names), names


def test_the_baseline_decides(job, tmp_path):
    (tmp_path / "wrong.yaml").write_text((ROOT / f"cases/{CASE}.yaml").read_text().replace("A T P B", "B T P A"))
    baseline = tmp_path / "baseline.yaml"
    assert job(check("--impl=ref ./wrong.yaml")).returncode == 1
    done = job(f'"$CONFORM" gate conform-results/results.jsonl --baseline={baseline} --update')
    assert done.returncode == 0, done.stdout + done.stderr
    job("rm -r conform-results")
    done = job(check(f"--impl=ref ./wrong.yaml {CASE} --baseline=baseline.yaml"))
    assert done.returncode == 0 and "gate is open" in done.stdout, done.stdout + done.stderr
    baseline.write_text(baseline.read_text().replace("verdict: fail", "verdict: suspect"))
    job("rm -r conform-results")
    done = job(check("--impl=ref ./wrong.yaml --baseline=baseline.yaml"))
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 case would close the gate; running ten times more" in done.stderr
    assert "the same in 2 results" in done.stdout and done.stdout.count("The gate is") == 1
    assert "The gate is closed by wrong." in done.stdout
    assert "run these cases again" not in done.stdout, "this was done"
    assert "--learn=5" in done.stderr.splitlines()[-1]
    assert "fail  wrong" not in done.stdout and "fail  wrong" in (tmp_path / "conform-results/run.txt").read_text()


# Goal: what is there is run, reported and gated. Method: adapters that need packages which no machine has.
def test_a_missing_implementation_does_not_hide_the_others(job, tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "adapter.yaml").write_text(
            f"name: {name}\ntitle: x\ncommand: [no-such-{name}]\ninstall: lib{name}-dev\n"
        )
    (tmp_path / "wrong.yaml").write_text((ROOT / f"cases/{CASE}.yaml").read_text().replace("A T P B", "B T P A"))
    for words in ("", "./wrong.yaml"):
        done = job(check(f"--impl=ref,adapter=one,adapter=two {CASE} {words} --output=out"))
        assert done.returncode == 3, done.stdout + done.stderr
        assert "libone-dev libtwo-dev" in done.stderr, done.stderr
        assert "could be run" in done.stderr.splitlines()[-1]
        names = [case.get("name") for case in ElementTree.parse(tmp_path / "out/junit.xml").iter("testcase")]
        assert any(CASE in name for name in names) and (tmp_path / "out/summary.md").is_file()
        job("rm -r out")
    learnt = job(check("--impl=ref,adapter=one ./wrong.yaml --baseline=known.yaml --learn=2 --output=out"))
    assert learnt.returncode == 3 and "wrong" in (tmp_path / "known.yaml").read_text(), learnt.stderr
    gated = job(check(f"--impl=ref,adapter=one ./wrong.yaml {CASE} --baseline=known.yaml --output=out"))
    assert gated.returncode == 3 and "gate is open" in gated.stdout, gated.stdout + gated.stderr
    nothing = job(check(f"--impl=adapter=one {CASE} --output=none"))
    assert nothing.returncode in (2, 3) and not (tmp_path / "none/junit.xml").exists(), nothing.stderr


def test_options_are_passed_on(job, tmp_path):
    done = job(check(f"--impl=ref {CASE} --as=node@10 --repeat=3 --strict"))
    assert done.returncode == 0, done.stderr
    command = (tmp_path / "conform-results/results.jsonl").read_text().splitlines()[0]
    assert all(f'"{word}"' in command for word in ("--as=node@10", "--repeat=3", "--strict")), command
    learnt = job(check(f"--impl=ref {CASE} --as=node@10 --baseline=known.yaml --learn=1 --output=out"))
    assert learnt.returncode == 0, learnt.stderr
    gated = check(f"--impl=ref {CASE} --as=node@10 --baseline=known.yaml --allow-improvements --output=more")
    assert job(gated).returncode == 0


def test_learning_writes_the_baseline_of_later_runs(job):
    learnt = job(check(f"--impl=ref {CASE} --baseline=known.yaml --learn=2 --output=out"))
    assert learnt.returncode == 0 and "run 2 of 2 is done" in learnt.stderr, learnt.stderr
    assert "commit known.yaml" in learnt.stderr
    done = job(check(f"--impl=ref {CASE} --baseline=known.yaml --output=out"))
    assert done.returncode == 0 and "The gate is open." in done.stdout, done.stdout + done.stderr
    assert job(check("--impl=ref --learn=2")).returncode == 2
    assert job(check("--impl=ref --baseline=known.yaml --learn=none")).returncode == 2


def test_the_gate_is_tried(job, tmp_path):
    for name, order in {"one": "B T P A", "two": "T A P B"}.items():
        text = (ROOT / f"cases/{CASE}.yaml").read_text().replace("A T P B", order)
        (tmp_path / f"{name}.yaml").write_text(text)
    words = f"--impl=ref --as=node@24 {CASE} ./one.yaml ./two.yaml --learn=2 --runs=2 --comparisons=0"
    done = job(f'"{FOLDER}/gate-trial" {words} --changes=3')
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"learned from 2 runs: 2 entries, 0 of them vary\nunchanged: 0 of 2 runs red;", done.stdout)
    assert "changed: 3 of 3 changes red, naming the case" in done.stdout, done.stdout
    few = job(f'"{FOLDER}/gate-trial" {words} --changes=9')
    assert few.returncode == 1 and "changed: 3 of 3" in few.stdout, "there are not as many to make"


def test_bad_words_are_usage_errors(job):
    assert job(check("--imp=ref")).returncode == 2
    done = job(check(CASE))
    assert done.returncode == 2 and "--impl" in done.stderr
    assert job(check("--impl=nodx")).returncode == 2


def step_of_action(given, summary):
    """The script of the action, and its variables with these inputs."""
    action = yaml.safe_load((FOLDER / "action.yml").read_text())
    step = action["runs"]["steps"][-1]
    inputs = {name: value.get("default", "") for name, value in action["inputs"].items()}
    assert set(given) <= set(inputs)
    inputs.update(given)
    variables = {}
    for name, value in step["env"].items():
        assert value.startswith("${{ inputs.") and value.endswith(" }}")  # never inside of the script
        variables[name] = inputs[value[len("${{ inputs.") : -len(" }}")]]
    variables.update(GITHUB_ACTION_PATH=str(FOLDER), GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(summary))
    assert "${{" not in step["run"]
    return step["run"], variables


def test_the_step_of_the_action_runs(job, tmp_path):
    summary = tmp_path / "summary"
    inputs = {"impl": "ref", "cases": f"{CASE} main/", "as": "node@24", "strict": "true", "repeat": "2"}
    script, variables = step_of_action({**inputs, "allow-improvements": "true"}, summary)
    done = job(script, **variables)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "conform" in summary.read_text()
    assert '"node@10' not in (tmp_path / "conform-results/results.jsonl").read_text()


# Goal: another conform never gets what this one built, wherever it is. Method: a clone, and a folder of a repository.
def test_the_cache_of_the_action_belongs_to_what_conform_is(job, tmp_path):
    steps = yaml.safe_load((FOLDER / "action.yml").read_text())["runs"]["steps"]
    (where,) = [step for step in steps if step.get("id") == "conform"]
    (cache,) = [step for step in steps if "cache" in step.get("uses", "")]
    for name in ("build", "tree"):
        assert f"${{{{ steps.conform.outputs.{name} }}}}" in cache["with"]["path" if name == "build" else "key"]
    found = []
    for name in ("a", "b/vendor"):
        top = tmp_path / name.split("/")[0]
        (tmp_path / name / "runners/ci").mkdir(parents=True)
        (tmp_path / name / "runners/ci/check").write_text("x")
        (tmp_path / f"out-{top.name}").touch()
        job(f"git init -q {top}; cd {top}; git add .; git -c user.name=n -c user.email=e commit -qm x")
        done = job(where["run"], GITHUB_ACTION_PATH=f"{tmp_path / name}/runners/ci", GITHUB_OUTPUT=f"out-{top.name}")
        assert done.returncode == 0, done.stderr
        found.append(dict(line.split("=") for line in (tmp_path / f"out-{top.name}").read_text().splitlines()))
    assert [one["build"] for one in found] == [f"{tmp_path}/a/build", f"{tmp_path}/b/vendor/build"]
    assert found[0]["tree"] == found[1]["tree"] and len(found[0]["tree"]) == 40


@pytest.fixture
def served(tmp_path):
    """served("name", bytes): the address of a file, over loopback; served.asked lists what was asked for."""
    folder = tmp_path / "served"
    folder.mkdir()

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=folder)

        def log_message(self, *_):
            serve.asked.append(self.path)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()

    def serve(name, content):
        (folder / name).write_bytes(content)
        return f"http://127.0.0.1:{server.server_port}/{name}"

    serve.asked = []
    yield serve
    server.shutdown()
    thread.join()
    server.server_close()


def archive_of(program):
    """An archive as a release has it, with this program."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as archive:
        entry = tarfile.TarInfo("conform-1-linux-x/bin/conform")
        entry.mode, entry.size = 0o755, len(program)
        archive.addfile(entry, io.BytesIO(program))
    return content.getvalue()


def test_the_action_downloads_in_place_of_building(job, served, tmp_path):
    """What is in the archive is what runs: it calls the program under test, and leaves a mark."""
    program = f'#!/bin/sh\ntouch {tmp_path}/called\nexec "$TESTED" "$@"\n'.encode()
    content = archive_of(program)
    address, sha256 = served("conform.tar.gz", content), hashlib.sha256(content).hexdigest()
    given = {"impl": "ref", "cases": CASE, "archive": address, "sha256": sha256}
    script, variables = step_of_action(given, tmp_path / "summary")
    tested = os.environ.get("CONFORM", str(ROOT / "build/release/runners/cli/conform"))
    variables.update(TESTED=tested, CONFORM="", HOME=str(tmp_path / "home"), XDG_CACHE_HOME=str(tmp_path / "cache"))
    for _ in range(2):
        done = job(f"rm -rf {tmp_path}/called conform-results; {script}", **variables)
        assert done.returncode == 0, done.stdout + done.stderr
        assert (tmp_path / "called").exists() and (tmp_path / "conform-results/results.jsonl").is_file()
    assert served.asked == ["/conform.tar.gz"]  # once


def test_only_what_was_asked_for_is_unpacked(job, served, tmp_path):
    def download(address, sha256):
        done = job(f'"{FOLDER}/download" "{address}" "{sha256}"', XDG_CACHE_HOME=str(tmp_path / "cache"))
        assert done.stdout == ""
        return done.returncode, done.stderr

    good, other = archive_of(b"#!/bin/sh\n"), b"no archive"
    address = served("conform.tar.gz", good)
    status, said = download(address, "0" * 64)
    assert status == 3 and "is not the expected archive" in said
    status, said = download(served("other", other), hashlib.sha256(other).hexdigest())
    assert status == 3 and "is not an archive of conform" in said
    status, said = download(address + ".gone", "0" * 64)
    assert status == 3 and "could not be downloaded" in said
    assert list((tmp_path / "cache/conform/archives").iterdir()) == []
    assert download(address, "")[0] == 2 and download("file:///etc/passwd", "0" * 64)[0] == 2


def test_fresh_knows_the_steps_of_the_container_file():
    """It carries them out by itself, line by line."""
    lines = (FOLDER / "Containerfile").read_text().splitlines()
    steps = [line.split()[0] for line in lines if line and not line.startswith("#")]
    trial = (FOLDER / "fresh").read_text().partition("try_container() {")[2].partition("\n}\n")[0]
    assert steps[0] == "FROM" and "ENTRYPOINT" in steps
    assert [step for step in steps if not re.search(rf"\b{step}\)", trial)] == []
    assert not any(line.endswith("\\") for line in lines)


def test_the_examples_use_inputs_and_options_that_exist(job):
    action = yaml.safe_load((FOLDER / "action.yml").read_text())
    workflow = yaml.safe_load((FOLDER / "github-workflow.yml").read_text())
    steps = [step for one in workflow["jobs"].values() for step in one["steps"]]
    used = [step for step in steps if step.get("uses") == "./conform/runners/ci"]
    assert used and all(set(step["with"]) <= set(action["inputs"]) for step in used)
    gitlab = yaml.safe_load((FOLDER / "gitlab-ci.yml").read_text())
    commands = [step["run"] for step in steps if "run" in step]
    lists = [one.get(key, []) for one in gitlab.values() if isinstance(one, dict) for key in ("script", "after_script")]
    commands += [line for one in lists for line in one]
    # Nothing judges or shows results without what is known of them.
    assert all("--baseline=" in line for line in commands), commands
    assert all("baseline" in step["with"] for step in used)
    assert not any(" gate " in line for line in commands), "check does, once it has run again what would close it"
    for command in commands:
        words = command.split()
        if words[0] == "conform/runners/ci/check":
            text = (FOLDER / "check").read_text()
        else:
            assert words[0] == "conform/conform", command
            text = job(f'"$CONFORM" {words[1]} --help').stdout
        for word in words[1:]:
            if word.startswith("--"):
                assert word.split("=")[0] in text, f"{word} of: {command}"


# Goal: several jobs decide as one does: what closes the gate is run again, and what is known is not red. Method: the
# words of the examples, on a case that deviates.
def test_parts_are_merged_and_gated(job, tmp_path):
    (tmp_path / "wrong.yaml").write_text((ROOT / f"cases/{CASE}.yaml").read_text().replace("A T P B", "B T P A"))
    cases = "./wrong.yaml drain/ --as=node@24"
    learnt = job(check(f"--impl=ref {cases} --baseline=known.yaml --learn=1 --output=learnt"))
    assert learnt.returncode == 0, learnt.stderr
    for part in (1, 2):
        done = job(check(f"--impl=ref {cases} --shard={part}/2 --output=parts/{part} --baseline=known.yaml"))
        assert done.returncode in (0, 1), done.stderr
    for folder in ("parts", "."):  # its own results are none of the parts
        done = job(check(f"--impl=ref ./wrong.yaml --as=node@24 --merge={folder} --baseline=known.yaml"))
        assert done.returncode == 0 and "The gate is open." in done.stdout, done.stdout + done.stderr
    junit = ElementTree.parse(tmp_path / "conform-results/junit.xml")
    assert [case.get("name") for case in junit.iter("testcase") if case.find("skipped") is not None]
    assert not list(junit.iter("failure"))
    known = (tmp_path / "known.yaml").read_text()
    (tmp_path / "known.yaml").write_text(known.replace("verdict: fail", "verdict: suspect"))
    merge = check("--impl=ref ./wrong.yaml --as=node@24 --merge=parts --baseline=known.yaml")
    done = job(merge)
    assert done.returncode == 1 and "running ten times more" in done.stderr, done.stdout + done.stderr
    (tmp_path / "parts/2/results.jsonl").unlink()
    missing = job(merge)
    assert missing.returncode == 2 and "the part 2/2 is missing" in missing.stderr, missing.stderr
    assert job(check("--impl=ref --merge=none --baseline=known.yaml")).returncode == 2
    assert job(check("--impl=ref --merge=parts")).returncode == 2


@pytest.fixture
def fresh(tmp_path):
    """fresh("--help"): the trial of fresh machines, by somebody who is not root."""
    for name in ["runners/ci/fresh", "runners/cli/launch/setup.sh"]:
        (tmp_path / name).parent.mkdir(parents=True)
        shutil.copy(ROOT / name, tmp_path / name)
    # All that are between the folder of temporary files and this one; pytest keeps them to their owner.
    for folder in [tmp_path, *tmp_path.parents]:
        if folder == pathlib.Path(tempfile.gettempdir()):
            break
        folder.chmod(0o711)

    def call(*words):
        user = {"user": "nobody"} if os.geteuid() == 0 else {}
        words = [tmp_path / "runners/ci/fresh", *words]
        return subprocess.run(words, capture_output=True, encoding="utf-8", timeout=60, **user)

    return call


def test_a_fresh_machine_takes_root(fresh):
    done = fresh()
    assert done.returncode == 3 and done.stdout == "" and "takes root" in done.stderr


def test_trials_of_a_fresh_machine_are_listed(fresh):
    done = fresh("--help")
    assert done.returncode == 0 and "interrupted" in done.stdout
    done = fresh("tset")
    assert done.returncode == 2 and "unknown word 'tset'" in done.stderr
