"""A results file that is dropped on the page of a report, or chosen there. It may come from anywhere."""

import json
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import chromium  # noqa: E402
import firefox  # noqa: E402

CASE = "drain/between-timers"
HOSTILE = "<img src=x onerror=window.owned=1>"
EVIL = "evil@" + HOSTILE


def lines_of(file):
    return [json.loads(line) for line in file.read_text().splitlines()]


def write_lines(file, lines):
    """With the numbers of the last line as they have to be."""
    verdicts = [line["verdict"] for line in lines if line["type"] == "result"]
    lines[0]["planned"] = lines[-1]["results"] = len(verdicts)
    lines[-1]["totals"] = {verdict: verdicts.count(verdict) for verdict in verdicts}
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


@pytest.fixture(scope="module")
def made(call, tmp_path_factory):
    """folder/ and single.html, reports of the reference loop as Node 24; beside them files to be dropped."""
    top = tmp_path_factory.mktemp("dropped")
    for name, release in (("24", "node@24.21.0"), ("10", "node@10.24.1")):
        words = ("run", "drain", "immediates", "--impl=ref", f"--as={release}", f"--output={top / name}.jsonl")
        assert call(*words).returncode == 0
    for words in ([f"--html={top / 'folder'}"], [f"--html={top / 'single.html'}", "--single"]):
        assert call("report", top / "24.jsonl", *words).returncode == 0
    lines = lines_of(top / "10.jsonl")
    expected = {line["case"]: line["expected"] for line in lines_of(top / "24.jsonl") if line["type"] == "result"}
    for line in lines[1:-1]:
        line.update(implementation=EVIL, reason="</script>" + HOSTILE)
        if line["verdict"] == "pass" and line["expected"] != expected[line["case"]]:
            line.update(verdict="fail", expected=expected[line["case"]])
            line["tries"][0]["standing"] = "outside"
    lines[1:2] = [lines[1], {**lines[1], "case": "made/" + HOSTILE, "hash": "0" * 16}]
    lines[-2]["hash"] = "f" * 16  # another version of the case
    lines[0]["implementations"] = [{"name": EVIL, "version": HOSTILE, "details": {"__proto__": "x", "v8": HOSTILE}}]
    write_lines(top / "evil.jsonl", lines)
    return top


@pytest.fixture(scope="module")
def browser(need, tmp_path_factory):
    need(chromium.PACKAGE, chromium.PACKAGE)
    with chromium.Browser(tmp_path_factory.mktemp("browser")) as one:
        yield one


@pytest.fixture(params=["folder/index.html", "single.html"])
def page(browser, made, request):
    opened = browser.open((made / request.param).as_uri())
    opened.wait("document.querySelector('.choose')")
    yield opened
    assert opened.complaints == []
    inside = (made.as_uri(), "data:", "about:")
    assert [url for url in opened.requests if not url.startswith(inside)] == []
    assert opened.value("document.querySelectorAll('img, iframe, object').length") == 0
    assert opened.value("window.owned") is None
    opened.call("Page.close")


def drop(page, *files):
    """As a person does it, with the mouse."""
    data = {"items": [], "files": [str(file) for file in files], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        page.call("Input.dispatchDragEvent", type=kind, x=200, y=200, data=data)
    page.wait("document.querySelector('.dropped p')")


def said(page):
    return page.value("document.querySelector('.dropped p').textContent")


def heads(page):
    page.value("location.hash = '#matrix'")
    page.wait("document.querySelector('table.matrix')")
    return page.value("[...document.querySelectorAll('.matrix thead th')].filter((one) => one.offsetParent)"
                      ".map((one) => one.firstChild.textContent)")


def test_a_dropped_file_becomes_columns(page, made):
    assert heads(page) == ["Case", "ref"]
    rows = page.value("document.querySelectorAll('.matrix tbody tr:not(.group)').length")
    drop(page, made / "evil.jsonl")
    assert "evil.jsonl" in said(page) and "shown here" in said(page)
    assert heads(page) == ["Case", "ref", EVIL]
    assert page.value("document.querySelectorAll('.matrix tbody tr:not(.group)').length") == rows + 2
    assert "(version ffffffff)" in page.value("document.querySelector('.matrix').textContent")
    # What differs is found as between columns of the report, and a pass under the same expectation does not.
    page.value("location.hash = '#matrix?differs=ref'")
    page.wait("document.querySelector('.matrix td.differs')")
    differing = page.value("[...document.querySelectorAll('.matrix td.differs')].map((one) => one.textContent)")
    assert "fail" in differing and "pass" not in differing
    page.value("location.hash = '#start'")
    page.wait("document.querySelector('.start')")
    assert HOSTILE in page.value("document.querySelector('main').innerText")
    page.click(".dropped button")
    page.wait("!document.querySelector('.dropped p')")
    assert heads(page) == ["Case", "ref"]


def test_a_case_of_a_dropped_file_is_shown(page, made):
    drop(page, made / "evil.jsonl")
    page.value("location.hash = '#matrix?verdict=fail'")
    page.wait("document.querySelector('table.matrix')")
    page.value("[...document.querySelectorAll('.matrix td.v-fail')].find((one) =>"
               " one.parentElement.querySelector('a').textContent === 'between-timers').click()")
    page.wait("document.querySelector('article.case svg.timeline')")
    text = page.value("document.querySelector('main').innerText")
    assert CASE in text and "A B T P" in text and HOSTILE in text and "were dropped here" in text
    assert page.value("document.querySelectorAll('svg.timeline .panel').length") == 2
    assert page.value("document.querySelectorAll('.difference').length") == 2
    page.value("document.querySelector('.lead a').click()")
    page.wait("document.querySelector('#program-heading')")


def test_the_same_file_twice_is_told_apart(page, made):
    drop(page, made / "24.jsonl", made / "24.jsonl")
    assert heads(page) == ["Case", "ref", "ref (dropped)", "ref (dropped 2)"]
    page.value("location.hash = '#matrix?differs=ref'")
    page.wait("document.querySelector('.empty:not([hidden])')")


def test_a_file_is_chosen_by_keyboard(page, made):
    page.value("document.getElementById('choose-results').focus()")
    number = page.call("Runtime.evaluate", expression="document.getElementById('choose-results')")["result"]["objectId"]
    page.call("DOM.setFileInputFiles", files=[str(made / "evil.jsonl")], objectId=number)
    page.wait("document.querySelector('.dropped p')")
    assert page.value("document.querySelector('.dropped').getAttribute('role')") == "status"
    assert EVIL in heads(page)


RUN = {"type": "run", "format": 1, "conform": "1.0.0", "planned": 1}
RESULT = {"type": "result", "case": "a/b", "hash": "0", "implementation": "x", "profile": "node@24", "verdict": "pass",
          "tries": []}
END = {"type": "end", "results": 1, "totals": {"pass": 1}}
NOT_RESULTS = {
    "text": (b"hello\n", "is not a results file"),
    "nothing": (b"", "is not a results file"),
    "bytes": (bytes(range(256)) * 64, "is not a results file"),
    "deep": (b"[" * 1_000_000 + b"\n", "is not a results file"),
    "format": ([{**RUN, "format": 2}], "line 1: a format that this page does not know"),
    "planned": ([{**RUN, "planned": -1}], "line 1: not the first line"),
    "verdict": ([RUN, {**RESULT, "verdict": "__proto__"}, END], "line 2: a verdict that this page does not know"),
    "fields": ([RUN, {**RESULT, "case": 7}, END], "line 2: a result without 'case'"),
    "tries": ([RUN, {**RESULT, "tries": [{"standing": "constructor", "events": []}]}, END], "line 2: a try that"),
    "label": ([RUN, {**RESULT, "tries": [{"standing": "late", "events": [{"label": {}}]}]}, END], "line 2: a try that"),
    "twice": ([RUN, RESULT, RESULT, END], "line 3: a second result"),
    "totals": ([RUN, RESULT, {**END, "totals": {"fail": 1}}], "line 3: the numbers do not fit"),
    "behind": ([RUN, RESULT, END, RESULT], "line 4: there is something behind the end"),
    "columns": ([RUN, *({**RESULT, "implementation": f"x@{i}"} for i in range(101))], "more than 100"),
}


def test_what_is_no_results_file_is_refused_with_the_reason(page, made, tmp_path):
    for name, (content, reason) in NOT_RESULTS.items():
        file = tmp_path / f"{name}{HOSTILE.replace('/', '')}.jsonl"
        if isinstance(content, list):
            content = "".join(json.dumps(line) + "\n" for line in content).encode()
        file.write_bytes(content)
        page.value("document.querySelector('.dropped').replaceChildren()")
        drop(page, made / "evil.jsonl", file)
        assert file.name in said(page) and reason in said(page), (name, said(page))
    # Nothing of it was taken, and nothing of the good file beside it.
    assert heads(page) == ["Case", "ref"]


def test_what_is_too_large_is_refused_unread(page, tmp_path):
    file = tmp_path / "large.jsonl"
    with file.open("wb") as stream:
        stream.truncate(65 * 1024 * 1024)
    drop(page, file)
    assert "is larger than 64 MiB" in said(page)


def test_a_run_that_was_cut_short_says_so(page, made, tmp_path):
    text = (made / "10.jsonl").read_text()
    file = tmp_path / "cut.jsonl"
    file.write_text(text[: len(text) // 2])
    drop(page, file)
    page.wait("document.querySelector('.start .warning')")
    assert "planned results" in page.value("document.querySelector('.start .warning').textContent")


def test_a_case_page_says_where_to_drop_it(browser, made):
    opened = browser.open((made / "folder/cases/drain.between-timers.html").as_uri())
    drop(opened, made / "evil.jsonl")
    assert "overview" in said(opened) and opened.complaints == []
    opened.call("Page.close")


@pytest.mark.long
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 1400])
def test_axe_finds_nothing(browser, made, axe, width, dark):
    page = browser.open((made / "single.html").as_uri(), width=width, dark=dark)
    page.wait("document.querySelector('.choose')")
    drop(page, made / "evil.jsonl")
    for place in ("start", "matrix", f"dropped/{CASE}"):
        page.value(f"location.hash = '#{place}'")
        page.wait("document.querySelector('h1')")
        assert axe(page) == [], place
        assert page.value("document.documentElement.scrollWidth") <= width, place
    page.call("Page.close")


# Firefox has no way for tests to drop a file of the disk: the event is made, with the same text.
DROP = """
  const data = new DataTransfer();
  data.items.add(new File([%s], 'evil.jsonl'));
  document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
  while (!document.querySelector('.dropped p')) await new Promise((go) => setTimeout(go, 20));
  return document.querySelector('.dropped p').textContent;"""


@pytest.mark.long
def test_a_file_is_dropped_in_firefox(made, need, tmp_path):
    with firefox.Firefox(need(firefox.PROGRAM, firefox.PACKAGE), tmp_path) as one:
        one.call("WebDriver:Navigate", url=(made / "folder/index.html").as_uri())
        assert "shown here" in one.value(DROP % json.dumps((made / "evil.jsonl").read_text()))
        assert one.value("return window.owned === undefined && !document.querySelector('img');")
        assert one.complaints() == []
