"""The family of job counts: how many turns of the microtask queue pass until a promise that is given a value calls its
reactions. `jobs.table` says how many for each way of giving and each kind of value, by release.

Every case races its question against a chain of reactions P1, P2, P3, ... that runs one link in each job. So the place
among them is the number of jobs.
"""

ORDINALS = ["", "first", "second", "third", "fourth", "fifth"]
LINKS_BEHIND = 1  # links of the chain behind the last place that matters


def order_of(events, links):
    """The labels in the order of their jobs. Within a job, what was scheduled before the chain comes first."""
    queued = events + [(f"P{number}", number) for number in range(1, links + 1)]
    return " ".join(label for label, job in sorted(queued, key=lambda event: event[1]))


def case_of(way, value, cell):
    counts = {versions: int(count) for versions, count in cell["jobs"].items()}
    start = int(way["start"])
    links = start + max(counts.values()) + LINKS_BEHIND
    expect = {}
    for versions, count in counts.items():
        events = [(label, start) for label in way.get("emits", [])]
        if "emits" in value:
            events.append((value["emits"], start + 1))
        expect[versions] = order_of(events + [(way["asks"], start + count)], links)
    words = {"$VALUE": value["name"], "$REACTION": value["reaction"]}
    program = [f"- {step}" for step in value["makes"]] + way["program"].splitlines()
    for word, meaning in words.items():
        program = [line.replace(word, meaning) for line in program]
    program += ["- then P1"] + [f"- then P{n} of P{n - 1}" for n in range(2, links + 1)]
    return {
        "title": way["title"].format(value=value["is"], nth=ORDINALS[next(iter(counts.values()))]),
        "clauses": way["clauses"] + [one for one in value.get("clauses", []) if one not in way["clauses"]],
        "why": cell["why"],
        "program": program,
        "expect": expect,
    }


def cases(table):
    for way in table["ways"]:
        for name, cell in way["values"].items():
            yield cell["case"], case_of(way, table["values"][name], cell)
