"""What `cmake --install` leaves: a program that needs nothing of the sources, and a library to build on."""

import os
import shutil
import subprocess

import pytest

CONSUMER_PROJECT = """\
cmake_minimum_required(VERSION 3.25)
project(consumer CXX)
find_package(conform REQUIRED)
add_executable(consumer main.cc)
target_link_libraries(consumer PRIVATE conform::reference)
"""

# A timer of the reference loop, for real and through the installed headers alone.
CONSUMER = """\
#include <cstdio>

#include "reference-impl/loop/loop.h"
#include "reference-impl/platform/epoll_platform.h"
#include "reference-impl/platform/system_clock.h"

int main() {
  conform::reference::SystemClock clock;
  conform::reference::EpollPlatform platform(clock);
  conform::reference::LoopRules rules;
  rules.timer_base = conform::reference::LoopRules::TimerBase::kFreshTime;
  conform::reference::Loop loop(platform, rules);
  conform::reference::TimerHandle timer;
  timer.callback = [](conform::reference::TimerHandle*) { std::puts("A"); };
  loop.StartTimer(&timer, 1, 0);
  loop.Run(conform::reference::RunMode::kDefault);
  std::puts("end");
}
"""


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module", name="prefix")
def fixture_prefix(conform, tmp_path_factory):
    """A folder into which the build that holds the program under test was installed."""
    prefix = tmp_path_factory.mktemp("an installed") / "pre fix"
    build = next((folder for folder in conform.parents if (folder / "CMakeCache.txt").exists()), None)
    assert build, f"{conform} lies in no build folder"
    run("cmake", "--install", build, "--prefix", prefix)
    return prefix


def test_the_program_needs_nothing_of_the_sources(prefix, root, tmp_path):
    """The sources are covered by an empty folder where that is possible; elsewhere the program merely runs apart."""
    program = [str(prefix / "bin/conform"), "list", "cases"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CONFORM")}
    hide = ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"', str(root)]
    tried = shutil.which("unshare") and subprocess.run([*hide, "true"], capture_output=True, check=False)
    hidden = tried and tried.returncode == 0
    cases = run(*(hide if hidden else []), *program, cwd=tmp_path, env=environment)
    assert "timers/" in cases


def test_everything_it_reads_is_installed(prefix, root):
    for folder in ["cases", "spec", "adapters"]:
        for file in (root / folder).rglob("*"):
            if file.is_file() and file.name != "CMakeLists.txt" and "__pycache__" not in file.parts:
                assert (prefix / "share/conform" / file.relative_to(root)).is_file(), file


def test_the_reference_loop_can_be_used_as_a_library(prefix, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(CONSUMER_PROJECT)
    (tmp_path / "main.cc").write_text(CONSUMER)
    # Whoever uses the loop needs none of these: rules are plain structs.
    without = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ["fmt", "nlohmann_json", "yaml-cpp"]]
    run("cmake", "-G", "Ninja", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}", *without)
    run("cmake", "--build", tmp_path / "build")
    assert run(tmp_path / "build/consumer") == "A\nend\n"


def test_the_exported_targets_name_no_folder_of_the_build(prefix, root):
    for file in prefix.rglob("*.cmake"):
        assert str(root) not in file.read_text(encoding="utf-8"), file


@pytest.mark.long
def test_the_debian_package_holds_a_program_that_runs(conform, tmp_path, need):
    need("dpkg-shlibdeps", "dpkg-dev")
    build = next((folder for folder in conform.parents if (folder / "CPackConfig.cmake").exists()), None)
    assert build, f"{conform} lies in no build folder"
    quick = ["-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip"]  # xz would take most of the time
    run("cpack", "--config", build / "CPackConfig.cmake", *quick, "-B", tmp_path / "packages", cwd=tmp_path)
    package = next((tmp_path / "packages").glob("conform_*.deb"))
    depends = run("dpkg-deb", "-f", package, "Depends")
    assert all(library in depends for library in ["libuv1", "libyaml-cpp", "libfmt"]), depends
    run("dpkg-deb", "-x", package, tmp_path / "root")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CONFORM")}
    words = ["run", "drain/between-timers", "--impl=ref"]
    printed = run(tmp_path / "root/usr/bin/conform", *words, env=environment, cwd=tmp_path)
    assert printed.rstrip().endswith(" pass"), printed
    assert (tmp_path / "root/usr/share/conform/runners/pytest/conform_pytest.py").is_file()
    run("dpkg-deb", "-x", next((tmp_path / "packages").glob("conform-dev_*.deb")), tmp_path / "root")
    for name in ["conform", "conform-dev"]:
        copyright_file = tmp_path / "root/usr/share/doc" / name / "copyright"
        assert copyright_file.read_text(encoding="utf-8").startswith("MIT License")
