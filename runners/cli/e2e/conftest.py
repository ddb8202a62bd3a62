"""What the end-to-end tests share."""

import json
import os
import pathlib
import resource
import shutil
import subprocess

import jsonschema
import pytest


@pytest.fixture(scope="session")
def root():
    """The top of the sources."""
    return pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def conform(root):
    """The program under test: CONFORM, or the release build."""
    program = pathlib.Path(os.environ.get("CONFORM", root / "build/release/runners/cli/conform"))
    assert program.exists(), f"{program} is not built"
    return program


@pytest.fixture(scope="session")
def call(conform, tmp_path_factory):
    """call("run", …): runs conform away from a terminal, and returns its exit code, stdout and stderr as text."""
    folder = tmp_path_factory.mktemp("cwd")

    def run(*arguments, home=None, cwd=folder, timeout=600, **variables):
        environment = {name: value for name, value in os.environ.items() if name not in ("CONFORM_HOME", "NO_COLOR")}
        environment.update(variables)
        if home is not None:
            environment["CONFORM_HOME"] = str(home)
        return subprocess.run(
            [str(conform), *map(str, arguments)],
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=timeout,
        )

    return run


@pytest.fixture(scope="session")
def validate(root):
    """validate(value, "run"): the value is as spec/schemas/run.schema.json says; "protocol/run" is another one."""
    folder = root / "spec/schemas"
    base = "file:///schemas/"  # with its own absolute address, a schema can be referred to from any other
    store = {}
    for file in sorted(folder.rglob("*.json")):
        schema = json.loads(file.read_text())
        assert schema["$id"] == str(file.relative_to(folder))
        schema["$id"] = base + schema["$id"]
        store[schema["$id"]] = schema

    def check(value, name):
        schema = store[f"{base}{name}.schema.json"]
        resolver = jsonschema.RefResolver(schema["$id"], schema, store=store)
        jsonschema.Draft202012Validator(schema, resolver=resolver).validate(value)

    return check


@pytest.fixture(scope="session")
def need():
    """need("zsh", "zsh"): the path of the program, which is in that package."""

    def find(program, package):
        path = shutil.which(program)
        assert path, f"there is no {program}: apt install {package}; ./test does that"
        return path

    return find


@pytest.fixture(scope="session")
def axe(tmp_path_factory, need):
    """axe(page): what keeps people from using the page, as axe-core finds it: [[rule, the first element], …]."""
    folder = tmp_path_factory.mktemp("axe")
    words = [need("npm", "npm"), "install", "--silent", "--no-audit", "--prefix", str(folder), "axe-core"]
    subprocess.run(words, check=True, timeout=300)
    source = (folder / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")

    def look(page):
        page.value(f"{source};0")
        return page.value("axe.run().then(({violations}) => violations.map(({id, nodes}) => [id, nodes[0].html]))")

    return look


@pytest.fixture
def home(root, tmp_path):
    """A copy of the spec and of a few cases, to be changed."""
    shutil.copytree(root / "spec", tmp_path / "home/spec")
    (tmp_path / "home/spec/renamed.yaml").unlink()  # it names cases that are not copied
    for name in ("main", "drain"):
        shutil.copytree(root / "cases" / name, tmp_path / "home/cases" / name)
    return tmp_path / "home"


@pytest.fixture
def results(call, write, tmp_path):
    """A results file with one case, which passes."""
    case = write("a.yaml", "program:\n  - timeout A 0\n  - timeout B 50\nexpect: A B\n")
    assert call("run", case, "--as=node@24", f"--output={tmp_path / 'results.jsonl'}").returncode == 0
    return tmp_path / "results.jsonl"


@pytest.fixture(scope="session")
def limited(conform):
    """limited(resource.RLIMIT_…, 8, words): conform where the kernel gives it no more than that."""

    def run(which, number, words, as_nobody=False):
        def set_limit():
            resource.setrlimit(which, (number, number))
            if as_nobody:
                os.setgid(65534)
                os.setuid(65534)

        return subprocess.run(
            [str(conform), *words], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=600,
            preexec_fn=set_limit,
        )  # fmt: skip

    return run


@pytest.fixture
def write(tmp_path):
    """write("x.yaml", text): the path of a new file."""

    def create(name, text):
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        return file

    return create
