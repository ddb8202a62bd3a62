"""The files of a release: what runners/ci/release makes, tried without a network."""

import functools
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import threading

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.long


def program():
    return pathlib.Path(os.environ.get("CONFORM", ROOT / "build/release/runners/cli/conform"))


@pytest.fixture(scope="module", name="packages")
def fixture_packages(tmp_path_factory):
    """A folder with all of them, made from the build that holds the program under test."""
    build = next((folder for folder in program().parents if (folder / "CMakeCache.txt").exists()), None)
    assert build, f"{program()} lies in no build folder"
    folder = tmp_path_factory.mktemp("packages")
    made = subprocess.run(
        [ROOT / "runners/ci/release", f"--build={build}", folder], capture_output=True, encoding="utf-8", timeout=600
    )
    assert made.returncode == 0, made.stderr
    return folder


def alone(tmp_path):
    """The environment of a machine with Node and npm, and nothing else: no compiler, no registry."""
    tools = tmp_path / "tools"
    tools.mkdir(parents=True)
    for name in ("node", "npm", "npx", "sh", "env"):
        (tools / name).symlink_to(shutil.which(name))
    home = tmp_path / "home"
    home.mkdir()
    return {
        "PATH": str(tools),
        "HOME": str(home),
        "npm_config_offline": "true",
        "npm_config_cache": str(home / "npm"),
        "npm_config_registry": "http://127.0.0.1:1/",
        "npm_config_update_notifier": "false",
    }


def test_the_package_for_npm_has_a_scope_and_one_program(packages):
    (tarball,) = packages.glob("event-loop-conform-*.tgz")
    with tarfile.open(tarball) as archive:
        names = archive.getnames()
        manifest = json.load(archive.extractfile("package/package.json"))
    assert manifest["name"].startswith("@")
    assert manifest["bin"] == {"conform": "bin/conform"}
    assert "dependencies" not in manifest and "scripts" not in manifest
    assert "package/share/conform/cases/drain/between-timers.yaml" in names
    assert "package/share/conform/adapters/javascript/lift/recorder.cjs" in names
    assert "package/share/conform/spec/profiles/node.yaml" in names


def test_npx_runs_it_without_compiler_and_network(packages, tmp_path):
    (tarball,) = packages.glob("event-loop-conform-*.tgz")
    shutil.copy(tarball, tmp_path)
    npx = ["npx", "--yes", f"./{tarball.name}"]
    for arguments, answer in (
        (["run", "ticks/", "--impl=node"], "pass\n"),
        (["explore", "-e", "timeout A 0; immediate B"], "on time:  2 orders\n"),
    ):
        ended = subprocess.run(
            [*npx, *arguments], cwd=tmp_path, env=alone(tmp_path / arguments[0]), capture_output=True,
            encoding="utf-8", timeout=600,
        )  # fmt: skip
        assert ended.returncode == 0, ended.stdout + ended.stderr
        assert answer in ended.stdout


def test_the_archive_brings_its_libraries(packages, tmp_path):
    (archive,) = packages.glob("conform-*-linux-*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path)
    (folder,) = (path for path in tmp_path.iterdir() if path.is_dir())
    needed = subprocess.run(["ldd", folder / "bin/conform"], capture_output=True, encoding="utf-8", check=True).stdout
    for library in ("libyaml-cpp", "libfmt", "libstdc++"):
        (line,) = (line for line in needed.splitlines() if library in line)
        assert str(folder) in line
    assert list((folder / "lib/conform").glob("*.copyright"))


def test_it_says_which_c_library_it_needs(packages, tmp_path):
    """No symbol of a later version is asked for by the program or a library that comes with it."""
    (archive,) = packages.glob("conform-*-linux-*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path)
    (folder,) = (path for path in tmp_path.iterdir() if path.is_dir())
    said = re.search(r"with glibc (\d+)\.(\d+) or newer", (folder / "README.md").read_text())
    binaries = [folder / "bin/conform", *folder.glob("lib/conform/*.so*")]
    symbols = subprocess.run(["objdump", "-T", *binaries], capture_output=True, encoding="utf-8", check=True).stdout
    asked = {(int(major), int(minor)) for major, minor in re.findall(r"GLIBC_(\d+)\.(\d+)", symbols)}
    assert max(asked) == (int(said[1]), int(said[2]))


def test_what_an_earlier_release_left_is_removed(packages, tmp_path):
    build = next(folder for folder in program().parents if (folder / "CMakeCache.txt").exists())
    old = [tmp_path / name for name in ("conform-0.0.1-linux-x86_64.tar.gz", "conform_0.0.1_amd64.deb", "SHA256SUMS")]
    for file in [*old, tmp_path / "notes.txt"]:
        file.write_text("old")
    made = subprocess.run(
        [ROOT / "runners/ci/release", f"--build={build}", tmp_path], capture_output=True, encoding="utf-8", timeout=600
    )
    assert made.returncode == 0, made.stderr
    assert {file.name for file in tmp_path.iterdir()} == {file.name for file in packages.iterdir()} | {"notes.txt"}
    assert "notes.txt" not in (tmp_path / "SHA256SUMS").read_text()


def test_sums_are_those_of_the_files(packages):
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=packages, check=True)
    lines = (packages / "SHA256SUMS").read_text().splitlines()
    assert len(lines) == len(list(packages.iterdir())) - 1


def test_the_archive_is_downloaded_and_runs(packages, tmp_path):
    """As a job does it: over loopback, by its sum."""
    (archive,) = packages.glob("conform-*-linux-*.tar.gz")
    (line,) = (line for line in (packages / "SHA256SUMS").read_text().splitlines() if line.endswith(archive.name))
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=packages)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        script = (f'CONFORM=$("{ROOT}/runners/ci/download" http://127.0.0.1:{server.server_port}/{archive.name}'
                  f' {line.split()[0]}) "{ROOT}/runners/ci/check" --impl=node ticks/')
        environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
        done = subprocess.run(["bash", "-ec", script], cwd=tmp_path, env=environment, capture_output=True,
                              encoding="utf-8", timeout=300)
    finally:
        server.shutdown()
        server.server_close()
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "conform-results/results.jsonl").is_file()


def test_debian_packages_are_made_too(packages):
    assert len(list(packages.glob("*.deb"))) == 2
