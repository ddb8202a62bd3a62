"""From a case to JavaScript and back: what the round trip of test_lift.py is made of."""

import collections
import json
import pathlib
import re

TEXT = r"'(?:\\.|[^'\\\n])*'"
MOST_ORDERS = 200

# How exported programs keep their labels. A script that people write prints them.
LOGS = [
    r"var order = \[\];\nfunction log\(label\) \{ order\.push\(label\); \}\nprocess\.on\('exit'[^\n]*\n",
    r"var order = \[\];\nvar ended = false;\nfunction log\(label\) \{.*?\n\}\nprocess\.on\('exit'.*?\n\}\);\n",
    r"function log\(label\) \{ write\(label \+ ' '\); \}\n",
]
PRINTS = "function log(label) { console.log(label); }\n"


def without_comments(source):
    parts = re.findall(rf"{TEXT}|//[^\n]*|[\s\S]", source)
    return "".join(part for part in parts if not part.startswith("//"))


def with_other_names(source):
    names = set(re.findall(r"\b(?:var|function|let|const)\s+([A-Za-z_$][\w$]*)", source))
    for parameters in re.findall(r"function\s*\w*\s*\(([^)]*)\)", source):
        names |= {name.strip() for name in parameters.split(",") if name.strip()}
    others = {name: f"v{number}" for number, name in enumerate(sorted(names))}
    return re.sub(rf"{TEXT}|(?<![\w.$])[A-Za-z_$][\w$]*\b(?!:)", lambda word: others.get(word[0], word[0]), source)


def as_people_write_it(source):
    """An exported program that prints its labels, without comments, and with other identifiers."""
    for log in LOGS:
        source = re.sub(log, PRINTS, source, flags=re.S)
    source = re.sub(r"\nvar files = .*?\nfunction write\(text\) \{.*?\n\}\n", "\n", source, flags=re.S)
    return with_other_names(without_comments(source))


def orders(call, case, profile, labels, made_up):
    """The first orders of a case, late and on time, or nothing where the profile cannot run it."""
    ended = call("explore", case, f"--profile={profile}", "--late", f"--limit={MOST_ORDERS}", "--format=json")
    if not ended.stdout:
        return None
    value = json.loads(ended.stdout)

    def told(order):
        return tuple(labels.get(label, label) for label in order if label.split("=")[0] not in made_up)

    late = {told(run["order"]) for run in value["runs"]}
    return late, {told(run["order"]) for run in value["runs"] if run["on_time"]}


Outcome = collections.namedtuple("Outcome", "case same said why")


def round_trip(call, case, folder, profiles):
    """Outcome: are the sets of what was lifted those of the case, and was anything said?"""
    exported = call("show", case, "--as=js")
    if exported.returncode != 0:
        return None
    is_module = "entry: esm" in (pathlib.Path(call.root) / "cases" / f"{case}.yaml").read_text()
    script = folder / (case.replace("/", "-") + (".mjs" if is_module else ".js"))
    script.write_text(as_people_write_it(exported.stdout))
    ended = call("lift", script, "--runs=2", "--timeout=20", "--format=json")
    if ended.returncode == 2:
        return Outcome(case, False, True, ended.stderr)
    value = json.loads(ended.stdout)
    lifted = script.with_suffix(".yaml")
    pool = re.search(r"^pool: .*\n", (pathlib.Path(call.root) / "cases" / f"{case}.yaml").read_text(), re.M)
    lifted.write_text(value["program"] + "expect:\n  node: ...\n" + (pool[0] if pool else ""))
    unknown = {label for label, place in value["made_up"].items() if place.get("is_unknown")}
    named = set(value["made_up"]) - unknown
    said = ended.returncode == 3
    differs = []
    for profile in profiles:
        before = orders(call, case, profile, {}, {})
        if before is None:
            continue
        after = orders(call, lifted, profile, value["labels"], named)
        if after is None:
            differs.append(f"{profile}: the model does not run it")
            continue
        said = said or any(label in unknown for order in after[0] for label in order)
        if before != tuple({tuple(label for label in order if label not in unknown) for order in one} for one in after):
            differs.append(f"{profile}: {before} became {after}")
    return Outcome(case, not differs, said, "\n".join([*differs, value["program"], json.dumps(value["notes"])]))
