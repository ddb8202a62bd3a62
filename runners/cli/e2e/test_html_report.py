"""The HTML report in a real browser, from disk. Skipped where Debian's chromium is not installed.

The results are of a real run of the reference loop, and beside them of an implementation that was made up: it fails,
and every text that it chose is hostile.
"""

import json
import pathlib
import re
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import chromium  # noqa: E402

CASE = "drain/between-timers"
OTHER = "drain/between-immediates"
NOT_MODELLED = "poll/missing-child-is-a-tick"
HOSTILE = "<img src=x onerror=window.owned=1>"
EVIL = "evil@" + HOSTILE


def evil(case_id, content_hash, labels, verdict, expected="A T P B"):
    events = [{"label": label, "t_ns": 0} for label in labels]
    return {
        "type": "result",
        "case": case_id,
        "hash": content_hash,
        "implementation": EVIL,
        "profile": "node@24.21.0",
        "verdict": verdict,
        "reason": "</script>" + HOSTILE,
        "expected": expected,
        "tries": [{"standing": "outside" if verdict == "fail" else "on-time", "events": events}],
        "reproduce": "conform run " + HOSTILE,
    }


@pytest.fixture(scope="module")
def reports(call, tmp_path_factory):
    """The folder, and the one file."""
    top = tmp_path_factory.mktemp("html")
    releases = ",".join(f"node@{version}" for version in ("10.24.1", "24.21.0"))
    real = top / "real.jsonl"
    done = call("run", CASE, OTHER, NOT_MODELLED, "--impl=ref", f"--as={releases}", f"--output={real}")
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in real.read_text().splitlines()]
    # The two profiles become two releases, so that there is a history.
    for line in lines:
        if line["type"] == "result":
            line["implementation"] = line["profile"]
    # The newest comes first: pages sort by version themselves.
    lines[1:-1] = sorted(lines[1:-1], key=lambda line: line["profile"], reverse=True)
    hashes = {line["case"]: line["hash"] for line in lines if line["type"] == "result"}
    made_up = [
        evil(CASE, hashes[CASE], ["A", HOSTILE, "P", "B"], "fail"),
        evil(NOT_MODELLED, hashes[NOT_MODELLED], ["S", "T", "K", "I"], "fail", expected="S K T I"),
        evil("<b>made</b>/up", "0123456789abcdef", ["A"], "pass"),
    ]
    lines[-1:-1] = made_up
    lines[0]["planned"] = lines[-1]["results"] = len(lines) - 2
    verdicts = [line["verdict"] for line in lines if line["type"] == "result"]
    lines[-1]["totals"] = {verdict: verdicts.count(verdict) for verdict in verdicts}
    results = top / "results.jsonl"
    results.write_text("".join(json.dumps(line) + "\n" for line in lines))
    survey = top / "survey.json"
    loops = [HOSTILE, *(f"loop@{number}" for number in range(30))]
    answers = {loop: {"state": "answered", "answer": loop, "orders": []} for loop in loops[:-1]}
    rule = {"rule": "drain", "question": HOSTILE, "why": "", "cases": [CASE, HOSTILE], "answers": answers}
    survey.write_text(json.dumps({"repeat": 1, "loops": loops, "missing": [], "rules": [rule]}))
    causes = top / "causes.json"
    change = {"rule": "drain", "from": "never", "to": HOSTILE, "clause": "drain.after-each-callback"}
    change = {**change, "summary": HOSTILE, "words": "as in " + HOSTILE}
    program = {"from": CASE, "steps": [HOSTILE] * 3, "expected": ["A"], "given": [HOSTILE], "script": HOSTILE * 9}
    cause = {"change": change, "cannot_be_told_apart_from": [change], "explains": [CASE, HOSTILE], "mends": [CASE]}
    cause = {**cause, "program": program, "confirmation": {"runs": 20, "as_predicted": 20}}
    cause["reports"] = [{"report": "javascript:alert(1)", "about": HOSTILE}]
    counts = {"failing": 2, "explained": 2, "passing": 7, "contradicted": []}
    found = {"implementation": HOSTILE, "profile": "node@24.21.0", **counts, "causes": [cause]}
    causes.write_text(json.dumps({**found, "unexplained": [{"case": CASE, "order": ["A"]}]}))
    for arguments in ([f"--html={top / 'folder'}"], [f"--html={top / 'single.html'}", "--single"]):
        done = call("report", results, *arguments, f"--survey={survey}", f"--causes={causes}",
                    "--playground=playground.html")
        assert done.returncode == 0, done.stderr
    return top


@pytest.fixture(scope="module")
def browser(tmp_path_factory, need):
    need(chromium.PACKAGE, chromium.PACKAGE)
    with chromium.Browser(tmp_path_factory.mktemp("browser")) as one:
        one.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        yield one


@pytest.fixture(params=["folder/index.html", "single.html"])
def page(browser, reports, request):
    """The report as it opens. Whatever a test did to it, it complained of nothing and asked the network for nothing."""
    opened = browser.open((reports / request.param).as_uri() + "#matrix")
    opened.wait("document.querySelector('table.matrix')")
    yield opened
    assert opened.complaints == []
    inside = (reports.as_uri(), "data:", "about:")
    assert [url for url in opened.requests if not url.startswith(inside)] == []
    assert opened.value("document.querySelectorAll('img, iframe, object, form[action]').length") == 0
    assert opened.value("window.owned") is None
    opened.call("Page.close")


def shown(page):
    """The ids of the rows that can be seen."""
    return page.value(
        "[...document.querySelectorAll('.matrix tbody tr:not(.group)')].filter((row) => row.offsetParent)"
        ".map((row) => row.querySelector('a').textContent)"
    )


def heads(page):
    """What is above the columns that can be seen."""
    return page.value("[...document.querySelectorAll('.matrix thead th')].filter((one) => one.offsetParent)"
                      ".map((one) => one.firstChild.textContent)")


def choose(page, field, value):
    page.value(
        f"(() => {{ const field = document.getElementById({json.dumps(field)}); field.value = {json.dumps(value)};"
        " field.dispatchEvent(new Event('change')); })()"
    )


def open_case(page, case_id):
    page.value(
        "[...document.querySelectorAll('.matrix th a')]"
        f".find((link) => link.textContent === {json.dumps(case_id)}).click()"
    )
    page.wait("document.querySelector('article.case')")


def test_filters(page):
    everything = shown(page)
    assert everything == ["up", "between-immediates", "between-timers", "missing-child-is-a-tick"]
    page.press("/")
    page.type("Due  timers")
    assert shown(page) == ["between-timers"]
    assert "1 case of 4" in page.value("document.querySelector('.result').textContent")
    page.click(".clear")
    assert shown(page) == everything
    page.click(".chip.v-fail")
    assert shown(page) == everything[2:]
    # The address is the filter: opened again, it shows the same.
    page.go(page.value("location.href"))
    page.wait("document.querySelector('table.matrix')")
    assert shown(page) == everything[2:]
    page.click(".clear")
    choose(page, "filter-clause", "drain.after-each-callback")
    assert shown(page) == everything[1:3]
    page.click(".clear")
    choose(page, "filter-differs", "node@10.24.1")
    assert shown(page) == everything[1:]
    assert page.value("document.querySelectorAll('.matrix td.differs').length") == 4
    page.click(".columns summary")
    page.click(".columns label:nth-of-type(2) input")
    assert heads(page) == ["Case", "node@10.24.1", EVIL]
    page.press("/")
    page.type("no such case")
    assert shown(page) == [] and "No case matches" in page.value("document.querySelector('.empty').textContent")


def test_the_start_page_says_how_each_did_and_what_differs_most(page):
    page.value("location.hash = ''")
    page.wait("document.querySelector('.start')")
    text = page.value("document.querySelector('main').innerText")
    for part in ("4 cases on 3 implementations", "3 pass", "2 fail", "What differs most", "drain.after-each-callback",
                 "an allowed order", "1 of 2 cases"):
        assert part in text, part
    assert re.search(r"clauses, \d{4}-\d{2}-\d{2}", text)
    assert page.value("document.querySelector('.start .name').textContent") == EVIL  # it deviates most
    page.click(".start .totals .v-fail a")
    page.wait("document.querySelector('table.matrix')")
    # The address is short, and what is shown is what failed, on what failed.
    assert "only=evil" in page.value("location.hash") and "hide" not in page.value("location.hash")
    assert shown(page) == ["between-timers", "missing-child-is-a-tick"] and heads(page) == ["Case", EVIL]


def test_columns_without_results_are_not_shown(page):
    page.press("/")
    page.type("made")
    assert shown(page) == ["up"] and heads(page) == ["Case", EVIL]


def test_cases_are_found_by_api_names_and_reasons(page):
    page.press("/")
    page.type("process.nextTick setTimeout")
    assert shown(page) == ["between-timers"]
    page.click(".clear")
    page.type("separate macrotask")
    assert shown(page) == ["between-timers"]


def test_two_implementations_stand_side_by_side(page):
    open_case(page, "between-timers")
    choose(page, "timeline-of", "0")
    choose(page, "timeline-beside", "1")
    titles = page.value("[...document.querySelectorAll('.panel-title')].map((one) => one.textContent)")
    assert titles == ["Observed on node@24.21.0", "Observed on node@10.24.1"]
    assert "First difference: label 2." in page.value("document.querySelector('figcaption').textContent")


def test_the_spec_has_contents_and_can_show_failures_alone(page):
    page.value("location.hash = '#spec?failing=1'")
    page.wait("document.querySelector('.spec')")
    seen = "[...document.querySelectorAll('.clause')].filter((one) => one.offsetParent).map((one) => one.id)"
    assert "clause-drain.after-each-callback" in page.value(seen)
    failing = len(page.value(seen))
    page.click(".spec label.check input")
    assert len(page.value(seen)) > 5 * failing
    page.click(".contents li:nth-child(3) a")
    assert page.value("document.activeElement.id") == "chapter-2"


# Goal: no arrow is drawn through a box. Method: points along every arrow, and every box of its picture.
def test_arrows_go_around_boxes(page):
    open_case(page, "between-timers")
    hits = page.value("""[...document.querySelectorAll('.panel')].flatMap((panel) => {
      const boxes = [...panel.querySelectorAll('.box > rect:last-of-type')].map((one) => one.getBBox());
      return [...panel.querySelectorAll('.arrow')].flatMap((arrow) => {
        const length = arrow.getTotalLength();
        const points = [...Array(200).keys()].map((i) => arrow.getPointAtLength((length * i) / 199));
        return points.filter(({x, y}) => boxes.some((box) =>
          x > box.x + 1 && x < box.x + box.width - 1 && y > box.y + 1 && y < box.y + box.height - 1));
      });
    }).length""")
    assert hits == 0


def test_keyboard_leads_to_a_case_and_its_timeline(page):
    page.value("document.querySelector('.matrix [tabindex=\"0\"]').focus()")
    for key in ("ArrowDown", "ArrowDown", "End"):
        page.press(key)
    assert page.value("document.activeElement.textContent") == "fail"
    page.press("Enter")
    page.wait("document.querySelector('article.case svg.timeline')")
    assert page.value("document.querySelector('.case-id').textContent") == CASE
    assert page.value("document.querySelectorAll('svg.timeline .panel').length") == 2
    boxes = "[...document.querySelectorAll('.panel-%s .box > text')].map((one) => one.textContent)"
    assert page.value(boxes % "expected") == ["A", "T", "P", "B"]
    assert page.value(boxes % "observed") == ["A", HOSTILE[:23] + "…", "P", "B"]
    assert page.value("document.querySelectorAll('.difference').length") == 2
    assert page.value("document.querySelector('.panel-expected .box.differs text').textContent") == "T"
    words = page.value("document.querySelector('svg.timeline desc').textContent")
    assert "The first difference is at label 2: expected T" in words and "T (ticks)" in words
    assert page.value("document.querySelectorAll('.panel-expected .arrow').length") == 2


def test_a_case_tells_everything(page):
    open_case(page, "between-timers")
    text = page.value("document.querySelector('main').innerText")
    for part in ("Ticks and microtasks run between", "Since Node 11 each timer callback", "drain.after-each-callback",
                 "node >=11", "A T P B", "A B T P", "setTimeout(", "History by release", "held to node@24.21.0"):
        assert part in text, part
    assert page.value("document.querySelector('mark').textContent") == HOSTILE
    # The history: two releases, two behaviours.
    strip = page.value("[...document.querySelectorAll('.strip .range')].map((one) => one.textContent)")
    assert strip == ["10.24.1", "24.21.0"]
    choose(page, "timeline-of", "0")
    assert page.value("document.querySelectorAll('.difference').length") == 0


# Goal: letters follow time, and what they stand for can be read. Method: results in which the newest release is first.
def test_the_history_begins_with_a_and_shows_the_orders(page):
    page.value("location.hash = '#history'")
    page.wait("document.querySelector('.history .strip')")
    segments = ("[...[...document.querySelectorAll('.strips > li')]"
                f".find((one) => one.textContent.startsWith({json.dumps(CASE)})).querySelectorAll('.segment')]")
    assert page.value(f"{segments}.map((one) => one.querySelector('.letter').textContent)") == ["a", "b"]
    order = f"{segments}[0].querySelector('.order')"
    assert page.value(f"{order}.textContent") == "A B T P"
    assert page.value(f"{order}.getBoundingClientRect().width") > 20
    page.value("location.hash = '#matrix'")
    page.wait("document.querySelector('table.matrix')")
    open_case(page, CASE.split("/")[1])
    assert page.value("[...document.querySelectorAll('.behaviours dt')].map((one) => one.textContent)") == ["a", "b"]


def test_a_case_of_a_child_is_compared_with_its_model(page):
    open_case(page, "missing-child-is-a-tick")
    words = page.value("document.querySelector('svg.timeline desc').textContent")
    assert "S (main), K (ticks), T (ticks), I (check)" in words
    assert "The first difference is at label 2: expected K, observed T" in words
    assert page.value("document.querySelector('mark').textContent") == "T"


def test_copies_the_program_that_stands_alone(page, call):
    open_case(page, "between-timers")
    # JavaScript comes first: the calls alone, and what is copied runs by itself.
    text = page.value("document.querySelector('#tab-panel-0 pre').textContent")
    assert text.startswith("setTimeout(function () {")
    page.click("#tab-panel-0 .copy")
    page.wait("document.querySelector('#tab-panel-0 .said').textContent === 'Copied'")
    assert page.value("navigator.clipboard.readText()") == call("show", CASE, "--as=js").stdout
    page.press("Tab")
    page.value("document.getElementById('tab-0').focus()")
    page.press("ArrowRight")
    assert page.value("document.activeElement.id") == "tab-1"
    assert "libuv has no tick" in page.value("document.getElementById('tab-panel-1').innerText")


def test_hostile_text_stays_text(page):
    assert HOSTILE in page.value("document.querySelector('.matrix thead').textContent")
    assert "<b>made</b>" in page.value("document.querySelector('.matrix').textContent")
    for view in ("start", "causes", "survey", "history", "spec"):
        page.value(f"location.hash = '#{view}'")
        page.wait(f"document.querySelector('nav [data-view={view}]').getAttribute('aria-current')")
        assert view in ("history", "spec") or HOSTILE in page.value("document.querySelector('main').textContent")
    assert page.value("document.querySelector('#clause-drain\\\\.after-each-callback .standing').textContent") == (
        f"1 of 2 cases with a failure · 1 on {EVIL}"
    )
    page.value("location.hash = '#matrix'")
    page.wait("document.querySelector('table.matrix')")
    open_case(page, "up")
    assert page.value("document.querySelector('h1').textContent") == "<b>made</b>/up"
    assert "only the results are known" in page.value("document.querySelector('.warning').textContent")


def test_is_named_for_those_who_do_not_see_it(page):
    def names(role):
        nodes = page.call("Accessibility.getFullAXTree")["nodes"]
        return [node.get("name", {}).get("value", "") for node in nodes if node.get("role", {}).get("value") == role]

    assert names("grid") == ["Verdicts by case and implementation"]
    assert names("gridcell").count("fail") == 2 and names("gridcell").count("pass") == 7
    assert names("searchbox") == ["Find"]
    assert set(names("combobox")) == {"Clause", "Differs from"}
    open_case(page, "between-timers")
    assert [name for name in names("image") if name] == [f"Timeline of {CASE} on {EVIL}"]
    assert names("tab") == ["JavaScript", "C", "Python", "Case language"]
    assert page.value("document.querySelectorAll('h1').length") == 1
    assert page.value("[...document.querySelectorAll('[id]')].map((one) => one.id).sort()"
                      ".filter((id, i, all) => id === all[i - 1])") == []


@pytest.mark.parametrize("width", [360, 800, 1440])
def test_nothing_is_wider_than_the_screen(page, width):
    page.size(width, 700)
    for view in ("start", "matrix", "spec", "causes", "survey", "history"):
        page.value(f"location.hash = '#{view}'")
        page.wait(f"document.querySelector('nav [data-view={view}]').getAttribute('aria-current')")
        assert page.value("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), view
    page.value("location.hash = '#matrix'")
    page.wait("document.querySelector('table.matrix')")
    open_case(page, "between-timers")
    assert page.value("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.long
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 1400])
def test_axe_finds_nothing(browser, reports, axe, width, dark):
    found = []
    pages = [f"single.html#{view}" for view in ("start", "matrix", "spec", "causes", "survey", "history")]
    for address in [*pages, "folder/cases/drain.between-timers.html"]:
        page = browser.open(f"{reports.as_uri()}/{address}", width=width, dark=dark)
        page.wait("document.querySelector('h1')")
        found += [[address, *one] for one in axe(page)]
        page.call("Page.close")
    assert found == []


def test_the_policy_lets_nothing_in(page):
    """A page that did turn text into HTML, or ran text, would still do nothing."""
    page.value(f"document.body.append(document.createRange().createContextualFragment({json.dumps(HOSTILE)}))")
    script = "Object.assign(document.createElement('script'), {textContent: 'window.owned = 1'})"
    page.value(f"document.body.append({script})")
    page.wait("document.querySelector('img').complete")
    assert page.value("window.owned") is None
    page.value("document.querySelector('img').remove()")
    assert any(re.search("Content Security Policy", text) for text in page.complaints)
    page.complaints.clear()
    page.requests[:] = [url for url in page.requests if not url.endswith("/x")]


def test_failures_in_files_for_other_tools_name_their_clause(call, reports):
    for option in ("--junit=-", "--tap=-", "--github"):
        written = call("report", reports / "results.jsonl", option).stdout
        assert "drain.after-each-callback: After each callback that the loop runs" in written, option
    assert "drain.after-each-callback" in call("report", reports / "results.jsonl", "--markdown=-").stdout


def test_refuses_what_is_no_report(call, tmp_path, reports):
    (tmp_path / "thesis.txt").write_text("x")
    done = call("report", reports / "results.jsonl", f"--html={tmp_path}")
    assert done.returncode == 2 and "thesis.txt" in done.stderr
    broken = tmp_path / "survey.json"
    broken.write_text("[]")
    done = call("report", reports / "results.jsonl", f"--html={tmp_path / 'new'}", f"--survey={broken}")
    assert done.returncode == 2 and "survey.json" in done.stderr
    done = call("report", reports / "results.jsonl", f"--html={tmp_path / 'new'}", f"--causes={broken}")
    assert done.returncode == 2 and "is not what 'conform causes --format=json' prints" in done.stderr


def test_same_results_same_bytes(call, tmp_path, reports):
    again = tmp_path / "again.html"
    survey = f"--rules={reports / 'survey.json'}"  # what the option was called before
    causes = f"--causes={reports / 'causes.json'}"
    options = (f"--html={again}", "--single", survey, causes, "--playground=playground.html")
    done = call("report", reports / "results.jsonl", *options)
    assert done.returncode == 0, done.stderr
    assert again.read_bytes() == (reports / "single.html").read_bytes()


def test_a_case_links_to_the_playground(page):
    open_case(page, "between-timers")
    link = page.value("document.querySelector('.playground a').getAttribute('href')")
    assert re.fullmatch(r"(\.\./)?playground\.html#steps=timeout\+A\+0.*&on=node", link)
    assert "%5Btick+T%2C+then+P%5D" in link
