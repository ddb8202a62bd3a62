"""conform on libuv: the catalogue holds on what is installed here. The adapter is built into conform's cache, once."""

import json
import shutil


def verdicts(result):
    assert result.returncode == 0, result.stdout + result.stderr
    return {entry["verdict"] for entry in json.loads(result.stdout)["results"]}


def test_the_catalogue_holds_on_the_systems_libuv(call):
    result = call("run", "--impl=libuv", "--format=json")
    assert verdicts(result) <= {"pass", "inconclusive", "unspecified"}
    assert json.loads(result.stdout)["implementations"][0].startswith("libuv@1.")


def test_the_catalogue_holds_on_the_libuv_inside_of_node(call, need):
    need("node", "nodejs")
    result = call("run", "libuv", "--impl=libuv@node", "--format=json")
    assert verdicts(result) <= {"pass", "inconclusive", "unspecified"}
    assert json.loads(result.stdout)["implementations"][0] == "libuv@node"


def test_a_version_that_is_none_is_told_what_there_is(call):
    result = call("run", "--impl=libuv@1.44.2")
    assert result.returncode == 2
    assert "libuv@node-VERSION" in result.stderr


def test_a_library_that_is_no_libuv_is_not_judged(call, tmp_path):
    library = tmp_path / "libuv.so"
    assert call("run", f"--impl=libuv={library}").returncode == 2
    library.write_text("")
    result = call("run", "libuv", f"--impl=libuv={library}")
    assert result.returncode != 0
    assert "is not libuv" in result.stderr


def test_a_build_that_fails_names_the_packages(call, root, tmp_path):
    folder = tmp_path / "broken"
    shutil.copytree(root / "adapters/libuv", folder)
    shutil.copytree(root / "adapters/shared", tmp_path / "shared")
    (folder / "main.cc").write_text("#include <no_such_header.h>\n")
    result = call("run", f"--impl=adapter={folder}", CONFORM_CACHE=str(tmp_path / "cache"))
    assert result.returncode != 0
    assert "no_such_header.h" in result.stderr and "libuv1-dev" in result.stderr
