"""The launchers ./conform and ./test, on a small project of the same shape: the set-up, the build and the sums."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import pytest
import yaml

PROJECT = """\
cmake_minimum_required(VERSION 3.25)
project(stub CXX)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/runners/cli)
add_compile_options(-O0)
if(CONFORM_SANITIZE)
  add_compile_options(-fsanitize=${CONFORM_SANITIZE})
  add_link_options(-fsanitize=${CONFORM_SANITIZE})
endif()
add_executable(conform runners/cli/main.cc)
if(CONFORM_FUZZ)
  add_executable(parsers_fuzz runners/cli/main.cc)
endif()
if(CONFORM_TESTS)
  enable_testing()
  add_executable(good_tests runners/good.cc)
  add_executable(bad_tests runners/bad.cc)
  add_executable(crashing_tests runners/crashing.cc)
  foreach(name good_tests bad_tests crashing_tests)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES LABELS unit)
  endforeach()
  add_custom_target(unit_tests DEPENDS good_tests bad_tests crashing_tests)
  add_custom_target(threaded_tests DEPENDS good_tests)
  set_tests_properties(good_tests PROPERTIES LABELS "unit;threads")
endif()
"""

MAIN = """\
#include <stdio.h>
int main(int argc, char** argv) {
  printf("WORD\\n");
  for (int i = 1; i < argc; ++i) printf("[%s]\\n", argv[i]);
  return argc - 1;
}
"""

# As a test binary does: the results in a file of the binary's name, in the folder that the environment names.
UNIT_TEST = """\
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
int main() {
  if (CRASHES) abort();
  const char* folder = getenv("GTEST_OUTPUT") + 4;
  mkdir(folder, 0777);
  if (chdir(folder) != 0) return 99;
  FILE* out = fopen("NAME.xml", "w");
  fputs("<testsuites><testsuite>BODY</testsuite></testsuites>", out);
  fclose(out);
  return CODE;
}
"""
PASS = "<testcase name='a' status='run'/>"
FAIL = "<testcase name='b' status='run'><failure/></testcase>"
SKIP = "<testcase name='c' status='notrun'/>"


def unit_test(name, body="", code=0, crashes=False):
    text = UNIT_TEST.replace("NAME", name).replace("BODY", body)
    return text.replace("CODE", str(code)).replace("CRASHES", "true" if crashes else "false")


class Tree:
    """A copy of the launchers over the small project, in a folder with a space in its name."""

    def __init__(self, root, folder):
        self.folder = folder
        for name in ["conform", "test", "CMakePresets.json", "runners/cli/launch"]:
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if (root / name).is_dir() else shutil.copy)(root / name, target)
        for name in ["reference-impl", "reports", "adapters"]:
            (folder / name).mkdir(parents=True)
        for name in ["ci", "cli/e2e", "fuzz", "pytest"]:
            (folder / "runners" / name).mkdir(parents=True)
        self.write("CMakeLists.txt", PROJECT)
        self.write("runners/cli/main.cc", MAIN)
        self.write("runners/good.cc", unit_test("good_tests", PASS * 3 + SKIP))
        self.write("runners/bad.cc", unit_test("bad_tests", PASS + FAIL, code=1))
        self.write("runners/crashing.cc", unit_test("crashing_tests", crashes=True))
        self.write("runners/cli/e2e/test_tidy.py", "def test_a(): pass\n")
        self.write("runners/fuzz/test_parsers.py", "def test_a(): pass\n")
        self.write("runners/cli/e2e/test_e2e.py", "def test_a(): pass\ndef test_b(): assert False\n")

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def run(self, *command, path=None, **options):
        command = [path or self.folder / command[0], *command[1:]]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, **options)


@pytest.fixture(name="tree")
def fixture_tree(root, tmp_path):
    return Tree(root, tmp_path / "a project")


def test_the_first_launch_builds_and_hands_everything_through(tree):
    done = tree.run("conform", "one", "two words", "", cwd="/")
    assert done.stdout == "WORD\n[one]\n[two words]\n[]\n"
    assert done.returncode == 3
    assert re.fullmatch(r"conform: building, about \d+ minutes? the first time\n", done.stderr)


def test_a_launch_configures_no_tests_and_leaves_those_that_are_there(tree):
    cache, ninja = tree.folder / "build/release/CMakeCache.txt", tree.folder / "build/release/build.ninja"
    tree.run("conform")
    assert "CONFORM_TESTS:UNINITIALIZED=OFF" in cache.read_text() and "good_tests" not in ninja.read_text()
    tree.run("test", "unit")
    assert "CONFORM_TESTS:UNINITIALIZED=ON" in cache.read_text()
    assert "conform.dir" not in (tree.folder / "build/release.log").read_text()  # it is not compiled again
    tree.write("runners/cli/main.cc", MAIN.replace("WORD", "CHANGED"))
    assert tree.run("conform").stdout == "CHANGED\n"
    assert "good_tests" in ninja.read_text()


def test_away_from_a_terminal_progress_is_reported_in_lines(tree):
    lines = "[1/9] a\nwarning: b\n[2/9] c\nSetting up cmake (3.25.1-1) ...\nGet:7 a place\n"
    script = 'source runners/cli/launch/setup.sh; kProgressIntervalS=0; show_progress building "$1"'
    done = subprocess.run(
        ["bash", "-c", script, "bash", "log"], cwd=tree.folder, input=lines, capture_output=True, text=True, check=True
    )
    told = ["1 of 9", "2 of 9", "Setting up cmake", "file 7 was fetched"]
    assert done.stderr.splitlines() == [f"conform: building: {one}" for one in told]
    assert (tree.folder / "log").read_text() == lines


def test_a_launch_without_a_change_builds_nothing(tree):
    tree.run("conform")
    log = tree.folder / "build/release.log"
    log.write_text("untouched")
    assert tree.run("conform").stdout == "WORD\n"
    assert log.read_text() == "untouched"


def test_a_change_is_built_before_the_next_launch(tree):
    tree.run("conform")
    tree.write("runners/cli/main.cc", MAIN.replace("WORD", "CHANGED"))
    assert tree.run("conform").stdout == "CHANGED\n"
    tree.write("CMakeLists.txt", PROJECT + "target_compile_options(conform PRIVATE -DWORD=1)\n")
    assert tree.run("conform").stdout == "CHANGED\n"
    assert "conform.dir" in (tree.folder / "build/release.log").read_text()


def make_all_new(tree):
    """As a fresh clone beside a build folder that a cache brought back."""
    for path in tree.folder.rglob("*"):
        if path.is_file() and "build" not in path.relative_to(tree.folder).parts:
            path.touch()


# Goal: a job of a CI builds what differs and nothing else. Method: every source is newer than what was built.
def test_sources_that_hold_the_same_as_before_are_not_built_again(tree):
    tree.run("conform")
    make_all_new(tree)
    assert tree.run("conform").stdout == "WORD\n"
    assert "ninja: no work to do." in (tree.folder / "build/release.log").read_text()
    tree.write("runners/cli/main.cc", MAIN.replace("WORD", "CHANGED"))
    make_all_new(tree)
    assert tree.run("conform").stdout == "CHANGED\n"
    assert "conform.dir" in (tree.folder / "build/release.log").read_text()


# Goal: no object of other sources is taken for current. Method: the sources are again as they were, but something else
# was built between, by hand or in a build that failed.
@pytest.mark.parametrize("by_hand", [True, False])
def test_what_was_built_in_between_is_built_again(tree, by_hand):
    program = "add_executable(conform runners/cli/main.cc"
    tree.write("CMakeLists.txt", PROJECT.replace(program, program + " x.cc"))
    tree.write("x.cc", "")
    tree.run("conform")
    tree.write("runners/cli/main.cc", MAIN.replace("WORD", "CHANGED"))
    if by_hand:
        subprocess.run(["cmake", "--build", tree.folder / "build/release"], check=True, capture_output=True)
    else:
        tree.write("x.cc", "#error\n")
        assert tree.run("conform").returncode == 3
        tree.write("x.cc", "")
    tree.write("runners/cli/main.cc", MAIN)
    assert tree.run("conform").stdout == "WORD\n"


def test_it_can_be_launched_through_links(tree, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/inner").symlink_to("../a project/conform")
    (tmp_path / "outer").symlink_to(tmp_path / "bin/inner")
    done = tree.run("conform", "x", path=tmp_path / "outer", cwd="/")
    assert done.stdout == "WORD\n[x]\n"


def test_a_tree_that_was_moved_is_built_anew(tree, tmp_path):
    tree.run("conform")
    tree.folder = tree.folder.rename(tmp_path / "elsewhere")
    tree.write("runners/cli/main.cc", MAIN.replace("WORD", "MOVED"))
    assert tree.run("conform").stdout == "MOVED\n"


def test_several_launches_at_once_build_once(tree):
    launches = [
        subprocess.Popen([tree.folder / "conform", str(i)], stdout=subprocess.PIPE, text=True) for i in range(4)
    ]
    for i, launch in enumerate(launches):
        assert launch.communicate(timeout=300)[0] == f"WORD\n[{i}]\n"


def test_a_build_that_fails_prints_why_and_exits_with_3(tree):
    tree.write("runners/cli/main.cc", MAIN.replace("return", "retrun"))
    done = tree.run("conform")
    assert done.returncode == 3
    assert done.stdout == ""
    assert "retrun" in done.stderr
    tree.write("runners/cli/main.cc", MAIN)
    assert tree.run("conform").stdout == "WORD\n"


def test_a_configuration_that_fails_prints_why_and_exits_with_3(tree):
    tree.write("CMakeLists.txt", PROJECT + "find_package(NoSuchThing REQUIRED)\n")
    done = tree.run("conform")
    assert done.returncode == 3
    assert "NoSuchThing" in done.stderr


@pytest.fixture(name="bare_machine")
def fixture_bare_machine(tmp_path):
    """An environment in which packages named as in MISSING are missing; `installed` notes what apt-get installs."""
    tools = tmp_path / "tools"
    tools.mkdir()
    scripts = {
        "dpkg-query": 'case " $MISSING " in *" $3 "*) [ -e "$NOTE" ] || exec echo $STATE;; esac; echo installed',
        "apt-get": 'echo "$@" >>"$NOTE"; [ -z "$APT_FAILS" ] || { echo "E: $APT_FAILS"; exit 100; }',
        "dpkg": "exit 1",
        "sudo": 'shift; [ -z "$NO_SUDO" ] && exec "$@"',
    }
    for name, body in scripts.items():
        (tools / name).write_text(f"#!/bin/sh\n{body}\n")
        (tools / name).chmod(0o755)
    return {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "NOTE": str(tmp_path / "installed"),
            "MISSING": "libfmt-dev libuv1-dev"}


def test_missing_packages_are_installed(tree, bare_machine, tmp_path):
    done = tree.run("conform", env=bare_machine)
    assert done.stdout == "WORD\n"
    assert done.stderr.splitlines()[1:] == ["conform: installing libfmt-dev libuv1-dev"]
    assert (tmp_path / "installed").read_text().split()[-2:] == ["libfmt-dev", "libuv1-dev"]


def test_a_tool_whose_installation_was_cut_off_is_missing(tree, bare_machine, tmp_path):
    machine = {**bare_machine, "MISSING": "cmake"}
    assert tree.run("conform", env=machine).stdout == "WORD\n" and not (tmp_path / "installed").exists()
    shutil.rmtree(tree.folder / "build")
    assert tree.run("conform", env={**machine, "STATE": "unpacked"}).stdout == "WORD\n"
    assert (tmp_path / "installed").read_text().split()[-1] == "cmake"


def test_packages_that_cannot_be_installed_are_named(tree, bare_machine):
    done = tree.run("conform", env={**bare_machine, "APT_FAILS": "no such place"})
    assert done.returncode == 3
    assert "E: no such place" in done.stderr.splitlines()
    assert done.stderr.splitlines()[-1] == "conform: please install these Debian packages: libfmt-dev libuv1-dev"


def test_another_apt_is_waited_for(tree, bare_machine, tmp_path):
    tree.run("conform", env=bare_machine)
    assert re.search(r"-o DPkg::Lock::Timeout=[1-9]", (tmp_path / "installed").read_text())


def test_nothing_that_only_tests_need_is_installed_for_a_launch(tree, bare_machine, tmp_path):
    done = tree.run("conform", env={**bare_machine, "MISSING": "libgtest-dev libgmock-dev libbenchmark-dev npm"})
    assert done.stdout == "WORD\n" and not (tmp_path / "installed").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="becoming nobody takes root")
def test_without_root_and_sudo_the_packages_are_named(tree, bare_machine, tmp_path):
    # All that are between the folder of temporary files and this one; pytest keeps them to their owner.
    for folder in [tmp_path, *tmp_path.parents]:
        if folder == pathlib.Path(tempfile.gettempdir()):
            break
        folder.chmod(0o711)
    done = tree.run("conform", env={**bare_machine, "NO_SUDO": "1"}, user="nobody")
    assert done.returncode == 3
    assert done.stderr == "conform: please install these Debian packages: libfmt-dev libuv1-dev\n"


ADAPTER = """\
name: some
implementations:
  small-one:
    command: [a]
    install: small-dev make
  large-one:
    command: [a]
    install: large-dev make
    large: true
"""


def test_the_packages_of_adapters_are_installed_and_large_ones_on_request(tree, bare_machine, tmp_path):
    (tree.folder / "adapters/some").mkdir()
    tree.write("adapters/some/adapter.yaml", ADAPTER)
    marked = "import pytest\ndef test_a(): pass\n@pytest.mark.long\ndef test_b(): pass\n"
    tree.write("runners/cli/e2e/test_tidy.py", marked)
    environment = {**bare_machine, "MISSING": "small-dev large-dev"}
    done = tree.run("test", "tidy", env=environment)
    assert "left out" in done.stderr and "large-one" in done.stderr and "small-one" not in done.stderr
    assert (tmp_path / "installed").read_text().split()[-1] == "small-dev"
    assert last_line(done) == "1 passed, 0 failed" and "1 left out" in done.stdout
    (tmp_path / "installed").unlink()
    done = tree.run("test", "--long", "tidy", env=environment)
    assert (tmp_path / "installed").read_text().split()[-2:] == ["large-dev", "small-dev"]
    assert last_line(done) == "2 passed, 0 failed" and "nothing is left out" in done.stderr


def test_the_packages_that_are_installed_are_those_that_the_adapters_name(root):
    wanted = {"small": [], "large": []}
    for file in sorted((root / "adapters").glob("*/adapter.yaml")):
        adapter = yaml.safe_load(file.read_text(encoding="utf-8"))
        for name, one in adapter.get("implementations", {adapter["name"]: adapter}).items():
            if "install" in one:
                wanted["large" if one.get("large") else "small"].append(f"{name} {one['install']}")
    assert len(wanted["small"]) > 5 and wanted["large"]
    for size, lines in wanted.items():
        script = 'root=$PWD; source runners/cli/launch/setup.sh; adapter_needs "$1"'
        printed = subprocess.check_output(["bash", "-c", script, "bash", size], cwd=root, text=True)
        assert printed.splitlines() == lines


def last_line(done):
    return done.stdout.splitlines()[-1]


def test_all_parts_are_added_up_although_some_fail(tree):
    skipped = "import pytest\ndef test_a(): pass\ndef test_b(): pytest.skip('no network')\n"
    tree.write("runners/cli/e2e/test_real_runtimes.py", skipped)
    done = tree.run("test", cwd="/")
    # unit and asan: 4 passed, 1 failed, 1 crashed, 1 skipped each; tsan: 3 passed, 1 skipped, because only one binary
    # has threads; tidy and fuzz: 1 passed each; e2e: 1 passed, 1 failed; runtimes: 1 passed, 1 skipped, and why
    assert last_line(done) == "15 passed, 5 failed, 4 skipped", done.stdout + done.stderr
    assert "test_real_runtimes.test_b: no network" in done.stdout
    started = [line.split()[0] for line in done.stdout.splitlines() if line.endswith(" starts")]
    lanes = [["unit", "tidy", "e2e", "runtimes"], ["asan", "tsan", "fuzz"]]
    assert [[part for part in started if part in lane] for lane in lanes] == lanes
    assert done.returncode == 1
    assert "failed in: unit e2e asan (" in done.stdout


def test_a_part_can_be_run_alone(tree):
    done = tree.run("test", "tidy")
    assert (last_line(done), done.returncode) == ("1 passed, 0 failed", 0)
    done = tree.run("test", "e2e", "tidy")
    assert (last_line(done), done.returncode) == ("2 passed, 1 failed", 1)
    assert "assert False" in done.stdout


def test_a_test_may_launch_conform_itself(tree):
    launch = "import subprocess\ndef test_a(): assert subprocess.check_output(['TREE/conform']) == b'CHANGED\\n'\n"
    tree.run("conform")
    tree.write("runners/cli/main.cc", MAIN.replace("WORD", "CHANGED"))
    tree.write("runners/cli/e2e/test_tidy.py", launch.replace("TREE", str(tree.folder)))
    done = tree.run("test", "tidy")
    assert last_line(done) == "1 passed, 0 failed", done.stdout


def test_conform_finds_what_the_tests_have_built(tree):
    tree.run("test", "unit")
    log = tree.folder / "build/release.log"
    log.write_text("untouched")
    assert tree.run("conform").stdout == "WORD\n"
    assert log.read_text() == "untouched"


def test_fast_leaves_the_sanitizers_out(tree):
    done = tree.run("test", "--fast")
    assert last_line(done) == "5 passed, 3 failed, 1 skipped"
    assert not (tree.folder / "build/asan").exists()


def test_a_part_that_does_not_build_fails_and_the_next_one_runs(tree):
    tree.write("runners/good.cc", "no program\n")
    done = tree.run("test", "unit", "tidy")
    assert last_line(done) == "1 passed, 1 failed"
    assert re.search(r"good\.cc.*error", done.stderr)


def test_a_part_without_a_result_has_failed(tree):
    tree.write("runners/cli/e2e/test_tidy.py", "")
    done = tree.run("test", "tidy")
    assert (last_line(done), done.returncode) == ("0 passed, 1 failed", 1)


def test_an_unknown_part_is_refused(tree):
    done = tree.run("test", "unti")
    assert done.returncode == 2
    assert "unknown part 'unti'" in done.stderr
