"""The rules of the sources that a machine can check. Each test prints every place that breaks its rule."""

import functools
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
SKIPPED_FOLDERS = {".git", "build", "node_modules", "third-party", "__pycache__", ".pytest_cache"}
CPP = {".cc", ".h"}
CODE = CPP | {".c", ".cjs", ".js", ".mjs", ".py", ".sh"}
TEXT = CODE | {".cmake", ".css", ".html", ".in", ".json", ".md", ".txt", ".yaml"}
TESTING = ("_test", "_testing")  # sources that are not part of the product
LAUNCHERS = {"conform", "test", ".ci/run"}

# Which folders the sources of a folder may include from; itself is always among them. A folder that has a row of its
# own is named by itself, and a top folder without one stands for all below it.
MAY_USE = {
    "runners/base": [],
    "runners/model": ["runners/base"],
    "runners/judge": ["runners/base", "runners/model"],
    "runners/export": ["runners/base", "runners/model"],
    "runners/harness": ["runners/base", "runners/model", "runners/judge"],
    "runners/runtimes": ["runners/base", "runners/model", "runners/harness"],
    "runners/lift": ["runners/base", "runners/model", "runners/harness", "runners/runtimes"],
    "runners/fuzz": ["runners/base", "runners/model", "runners/harness", "runners/runtimes", "runners/lift"]
    + ["runners/study", "runners/cli", "reports", "reports/playground", "reports/site"],
    "runners/study": ["runners/base", "runners/model", "runners/judge", "runners/harness", "runners/runtimes"]
    + ["runners/export", "runners/lift", "reference-impl/explore"],
    "runners/cli": ["runners", "reference-impl", "reports", "reports/html", "reports/site", "reports/terminal"],
    "reference-impl/platform": ["runners/base"],
    "reference-impl/loop": ["runners/base", "reference-impl/platform"],
    "reference-impl/host": ["runners/base", "runners/model", "reference-impl/platform", "reference-impl/loop"],
    "reference-impl/explore": ["runners/base", "runners/model", "reference-impl"],
    "reference-impl/second-model": ["runners/base", "runners/model", "reference-impl/explore"],
    "reference-impl/bench": ["runners/base", "runners/model", "reference-impl"],
    "reports/terminal": ["runners/base", "runners/model", "runners/harness", "runners/runtimes", "runners/lift"]
    + ["runners/study", "reference-impl/explore", "reports"],
    "reports/html": ["runners/base", "runners/model", "runners/export", "reports"],
    "reports/playground": ["runners/base", "runners/model", "reference-impl"],
    "reports/site": ["runners/base", "runners/model", "runners/study", "reports", "reports/html", "reports/terminal"],
    "reports": ["runners/base", "runners/model"],
    "adapters": [],
}

# What may occur in one place alone, and where that is; adapters and benchmarks are separate programs and stay
# apart. The harness and the reference loop may not use each other: each has its place for the clock. The guard ends
# what is left when all else is gone, so that it cannot be a process like others.
ONE_PLACE = {
    "the system clock": (
        r"\b(clock_gettime|gettimeofday|timespec_get|uv_hrtime)\s*\(|_clock::now\b|\bstd::time\s*\(",
        ["reference-impl/platform/system_clock.cc", "runners/harness/process.cc"],
    ),
    "epoll": (r"\bepoll_(create1?|ctl|p?wait2?)\s*\(", ["reference-impl/platform/epoll_platform.cc"]),
    "spawning a process": (
        r"\b(uv_spawn|posix_spawnp?|fork|vfork|exec[lv]p?e?|popen|std::system)\s*\(",
        ["runners/harness/spawn.cc", "runners/harness/process_guard.cc"],
    ),
}

# Headers that hold JSON, or read it.
HEADERS_WITH_JSON = ["reports/html/input.h", "reports/html/traces.h", "runners/runtimes/json_text.h"]

# Where a runtime or a source is compared by its name, which is also that of a family.
NAMES_OF_OTHERS = {
    "runners/cli/mutants_command.cc": "whose source is mutated",
    "runners/study/source_hunt.cc": "whose source is mutated",
    "reports/terminal/source_mutants_report.cc": "whose source is mutated",
    "runners/lift/lift.cc": "the runtime that runs a script",
}

# Clauses that no code of the reference loop carries out: the models of their cases are of the library above it.
WITHOUT_A_MODEL = {"poll.writes", "events.listeners-at-once", "events.target-errors"} | {
    "streams.order",
    "sockets.order",
    "workers.order",
    "children.order",
}


@functools.cache
def files():
    """Every file of the project, as a path from its top."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(set(folders) - SKIPPED_FOLDERS)
        found += [(pathlib.Path(folder) / name).relative_to(ROOT) for name in sorted(names)]
    return found


def having(endings):
    return [file for file in files() if file.suffix in endings or (str(file) in LAUNCHERS and ".sh" in endings)]


@functools.cache
def text(file):
    return (ROOT / file).read_text(encoding="utf-8")


def bare(file):
    """A C++ file without comments and strings: prose and printed programs may name what code must not use."""
    raw, string, comment = r'R"(\w*)\(.*?\)\1"', r'"(?:[^"\\\n]|\\.)*"', r"//[^\n]*|/\*.*?\*/"
    return re.sub(f"{raw}|{string}|{comment}", " ", text(file), flags=re.DOTALL)


def places(endings, pattern):
    """file:line of every match."""
    return [
        f"{file}:{number}: {line.strip()}"
        for file in having(endings)
        for number, line in enumerate(text(file).split("\n"), 1)
        if re.search(pattern, line)
    ]


def none(found):
    assert not found, "\n" + "\n".join(found)


def folder_of(file):
    return next((folder for folder in MAY_USE if str(file).startswith(folder + "/")), None)


def names_of(file):
    """What a C++ file defines or declares in its namespaces: (namespace, is it in an anonymous one, kind, name)."""
    code = re.sub(r"^ *#.*$|'(?:[^'\\\n]|\\.)'", " ", bare(file), flags=re.MULTILINE)
    found, scopes, head = [], [], ""
    for token in re.findall(r"[{};]|[^{};]+", code):
        if token == "{":
            space = re.search(r"^\s*(?:inline\s+)?namespace\b\s*([\w:]*)\s*$", head)
            if all(scope is not None for scope in scopes) and not space:
                found += name_in(head, scopes, has_body=True)
            scopes.append(space[1] or "anonymous" if space else None)
        elif token == "}":
            scopes.pop()
        elif token == ";" and all(scope is not None for scope in scopes):
            found += name_in(head, scopes, has_body=False)
        head = token if token not in "{};" else ""
    return found


def name_in(head, scopes, has_body):
    spaces = "::".join(scope for scope in scopes if scope != "anonymous")
    is_hidden = "anonymous" in scopes or re.match(r"\s*static\b", head) is not None
    before, word = r"(?:template\s*<[^()]*>\s*)?", r"(?:class|struct|union|enum(?:\s+class)?)"
    if has_body and (defined := re.match(rf"\s*{before}{word}\s+(?:\[\[\w+\]\]\s+)?(\w+)(?!\w|::)[^()]*$", head)):
        return [(spaces, is_hidden, "type", defined[1])]
    if function := re.search(r"^[^=(]*[\s&*>](\w+)\s*\(", head):
        return [(spaces, is_hidden, "function", function[1])]
    return []


def one_program():
    """The sources that are linked with each other; every adapter is a separate program."""
    return [file for file in having(CPP) if folder_of(file) not in (None, "adapters")]


def adapter_programs():
    """The same for each adapter that has sources in C++: with those that adapters share."""
    sources = [file for file in having(CPP) if folder_of(file) == "adapters"]
    shared = [file for file in sources if file.parts[1] == "shared"]
    names = sorted({file.parts[1] for file in sources} - {"shared", "templates"})
    return {name: shared + [file for file in sources if file.parts[1] == name] for name in names}


def types_defined(sources):
    definitions = {}
    for file in sources:
        for space, is_hidden, kind, name in names_of(file):
            if kind == "type" and not is_hidden:
                definitions.setdefault(f"{space}::{name}", []).append(str(file))
    return definitions


def test_no_type_is_defined_twice():
    # Two types of one name in one namespace are undefined behaviour wherever they meet in a program, and no linker
    # says so. What only one file knows belongs into an anonymous namespace.
    programs = {"conform": one_program(), **adapter_programs()}
    assert len(programs) > 5, "the adapters are no longer found"
    found = {name: types_defined(sources) for name, sources in programs.items()}
    assert len(found["conform"]) > 200 and all(len(types) > 5 for types in found.values()), "sources are misunderstood"
    none(
        [
            f"{program}: {name}: {', '.join(places)}"
            for program, types in found.items()
            for name, places in sorted(types.items())
            if len(places) > 1
        ]
    )


def test_no_helper_of_a_file_hides_a_function_of_a_header():
    # Some presets compile all files of a library as one: there, a call in another file may mean the helper.
    declared = {}
    for file in one_program():
        if file.suffix == ".h":
            for space, _, kind, name in names_of(file):
                if kind == "function":
                    declared.setdefault((space, name), file)
    assert len(declared) > 200, "the sources are no longer understood"
    none(
        [
            f"{file}: {name} is also a function of {declared[space, name]}"
            for file in one_program()
            if file.suffix == ".cc" and not file.stem.endswith(TESTING)
            for space, is_hidden, kind, name in names_of(file)
            if kind == "function" and is_hidden and (space, name) in declared
        ]
    )


def test_includes_follow_the_folder_table():
    found = []
    for file in having(CPP):
        folder = folder_of(file)
        if folder is None:
            found.append(f"{file}: its folder is not in the table of {pathlib.Path(__file__).name}")
            continue
        for included in re.findall(r'^#include "([^"]+)"', text(file), re.MULTILINE):
            allowed = [folder] + MAY_USE[folder]
            is_allowed = folder_of(included) in allowed or included.split("/")[0] in {*allowed} - {*MAY_USE}
            if folder != "adapters" and not is_allowed:
                found.append(f"{file}: may not include {included}")
            if folder == "adapters" and re.match(r"(runners|reference-impl|reports)/", included):
                found.append(f"{file}: an adapter knows the protocol alone, not {included}")
    none(found)


def test_the_table_for_contributors_is_the_one_that_is_checked():
    found, before = [], []
    rows = re.findall(r"^\| `([\w/-]+)` \| .* \| (.*) \|$", text(pathlib.Path("CONTRIBUTING.md")), re.MULTILINE)
    written = {}
    for folder, cell in rows:
        if folder in MAY_USE:
            used = before if cell.startswith("the same") else []
            before = written[folder] = used + re.findall(r"`([\w/-]+)`", cell)
            if cell == "everything":
                written[folder] = MAY_USE["runners/cli"]
    for folder, allowed in MAY_USE.items():
        exists = any(str(file).startswith(folder + "/") for file in having(CPP))
        if exists and sorted(written.get(folder, ["no row"])) != sorted(allowed):
            found.append(f"{folder}: CONTRIBUTING.md says {written.get(folder)}, not {allowed}")
    none(found)


def test_every_clause_with_a_model_is_cited_where_it_is_carried_out():
    loop = [file for file in having(CPP) if str(file).startswith("reference-impl/")]
    code = " ".join(text(file) for file in loop if not file.stem.endswith(TESTING))
    id = r"[a-z]+\.[a-z-]+"
    marks = re.findall(rf"spec: ({id}(?:, {id})*)", re.sub(r"\n\s*// ", " ", code))
    words = {word for mark in marks for word in mark.split(", ")}
    chapters = [file for file in having({".md"}) if re.match(r"spec/\d\d-", str(file))]
    clauses = {id for file in chapters for id in re.findall(r"^### (\S+)$", text(file), re.MULTILINE)}
    assert len(clauses) > 150, "the chapters are no longer understood"
    none([f"{id}: no code cites it" for id in sorted(clauses - words - WITHOUT_A_MODEL)])
    none([f"{id}: is cited, and listed as without a model" for id in sorted(WITHOUT_A_MODEL & words)])
    none([f"{id}: is not a clause" for id in sorted(WITHOUT_A_MODEL - clauses)])


def test_every_include_of_the_project_exists():
    none(
        [
            f"{file}: {included} does not exist"
            for file in having(CPP)
            for included in re.findall(r'^#include "([^"]+/[^"]+)"', text(file), re.MULTILINE)
            if folder_of(file) != "adapters" and not (ROOT / included).exists()
        ]
    )


def test_families_are_looked_up_and_not_compared_by_name():
    # What holds for one family is in its profile, or in a column of explore/families.cc or export/languages.cc: a new
    # family is a row there.
    families = "|".join(file.stem for file in having({".yaml"}) if file.parts[:2] == ("spec", "profiles"))
    pattern = re.compile(rf'[!=]= "({families})"|"({families})" [!=]=|starts_with\("({families})"\)')
    found = [
        f"{file}:{number}: {line.strip()}"
        for file in having(CPP)
        if folder_of(file) not in (None, "adapters") and not file.stem.endswith(TESTING)
        for number, line in enumerate(text(file).split("\n"), 1)
        if pattern.search(line) and str(file) not in NAMES_OF_OTHERS
    ]
    none(found)
    none([f"{file}: compares no such name" for file in NAMES_OF_OTHERS if not pattern.search(text(pathlib.Path(file)))])


def test_headers_that_only_declare_json_do_not_include_all_of_it():
    users = [str(file) for file in having({".h"}) if "<nlohmann/json.hpp>" in text(file)]
    none([f"{file}: include <nlohmann/json_fwd.hpp>" for file in users if file not in HEADERS_WITH_JSON])
    none([f"{file}: does not include it" for file in HEADERS_WITH_JSON if file not in users])


@pytest.mark.parametrize("what", ONE_PLACE)
def test_occurs_in_one_place(what):
    pattern, allowed = ONE_PLACE[what]
    apart = ("adapters/", "reference-impl/bench/")
    product = [file for file in having(CPP) if not file.stem.endswith(TESTING) and not str(file).startswith(apart)]
    users = [str(file) for file in product if re.search(pattern, bare(file))]
    none([f"{file}: {what} belongs to {' and '.join(allowed)}" for file in users if file not in allowed])


def test_files_are_short():
    none([f"{file}: {length} lines" for file in having(CODE) if (length := text(file).count("\n")) > 600])


def test_lines_are_short():
    none(places({".py", ".sh"}, r"^.{121}"))  # clang-format sees to those of C++


def test_no_marks_are_left_over():
    marks = "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"])
    # In TAP the first of them is a directive: a test that is known to fail.
    tap = ("reports/tap.cc", "reports/writers", "runners/cli/e2e/test_reports.py", "spec/gate.md")
    none([place for place in places(TEXT, rf"\b({marks})\b") if not place.startswith(tap)])


def test_no_tabs_and_no_blanks_at_the_end_of_a_line():
    none(places(TEXT - {".md"}, r"\t|[ \t]$") + places({".md"}, r"\t"))


def test_every_text_ends_with_one_newline():
    none([str(file) for file in having(TEXT) if text(file) and not re.search(r"[^\n]\n\Z", text(file))])


def test_no_host_of_a_package_registry_is_named():
    # In two halves, so that this file passes.
    hosts = [("registry.npm", "js"), ("registry.yarn", "pkg"), ("pypi.", "org"), ("crates.", "io"), ("deb.deb", "ian")]
    none(places(TEXT, "|".join(re.escape(left + right) for left, right in hosts)))


def test_no_path_of_one_machine_is_named():
    none(places(TEXT, r"(?<![\w.$}])/(home|root|work|Users)/\w"))


def test_every_source_is_listed_by_name():
    found = []
    for file in having({".cc", ".c"}):
        lists = [parent / "CMakeLists.txt" for parent in file.parents if (ROOT / parent / "CMakeLists.txt").exists()]
        names = [str(file.relative_to(one.parent)) for one in lists]
        if not any(re.search(rf"(?<![\w/.-]){re.escape(n)}(?![\w.-])", text(one)) for n, one in zip(names, lists)):
            if folder_of(file) != "adapters":
                found.append(f"{file}: in no CMakeLists.txt")
    none(found)


def test_no_sources_are_globbed():
    lists = [file for file in files() if file.name == "CMakeLists.txt" or file.suffix == ".cmake"]
    none([str(file) for file in lists if re.search(r"file\s*\(\s*GLOB", text(file))])


def test_guards_are_named_after_their_files():
    found = []
    for file in having({".h"}):
        guard = "CONFORM_" + re.sub(r"[^A-Z0-9]", "_", str(file).upper()) + "_"
        if folder_of(file) != "adapters" and f"#ifndef {guard}\n#define {guard}\n" not in text(file):
            found.append(f"{file}: the guard is not {guard}")
    none(found)


def test_every_header_opens_with_what_it_is_for():
    none([str(file) for file in having({".h"}) if not text(file).startswith(("// ", "/* "))])


def test_sources_are_formatted():
    assert shutil.which("clang-format"), "it needs: apt install clang-format; ./test does that"
    sources = [str(file) for file in having(CPP)]
    done = subprocess.run(
        ["clang-format", "--dry-run", "--Werror", *sources], cwd=ROOT, capture_output=True, text=True, check=False
    )
    none(sorted(set(re.findall(r"^(\S+?):\d+:\d+: error", done.stderr, re.MULTILINE))))


def test_the_version_is_the_same_wherever_it_has_to_stand():
    (version,) = re.findall(r"^project\(conform VERSION (\S+)", text(pathlib.Path("CMakeLists.txt")), re.MULTILINE)
    assert f'\nversion = "{version}"\n' in text(pathlib.Path("runners/pytest/pyproject.toml"))
    assert re.search(r"^## (\S+)", text(pathlib.Path("CHANGELOG.md")), re.MULTILINE)[1] == version
