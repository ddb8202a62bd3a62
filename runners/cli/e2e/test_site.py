"""conform site: the whole as static files, opened from disk."""

import collections
import html
import json
import pathlib
import re
import subprocess
import sys
import urllib.parse

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import chromium  # noqa: E402
import firefox  # noqa: E402

# The part of a playground that the site changes; the page itself is made with emscripten, and tested elsewhere.
PLAYGROUND = ('<!doctype html><title>Playground</title><link rel="icon" href="data:,">'
              '<header><span class="brand">conform<span>playground</span></span></header>')
EVIL = "evil@<img src=x onerror=window.owned=1>"


@pytest.fixture(scope="module")
def results(call, tmp_path_factory):
    """What Node 10 does, said to be an implementation of Node 24: it fails, and its name is hostile."""
    folder = tmp_path_factory.mktemp("results")
    old, file = folder / "old.jsonl", folder / "results.jsonl"
    assert call("run", "drain", "immediates", "--impl=ref", "--as=node@10", f"--output={old}").returncode == 0
    assert call("run", "drain", "immediates", "--impl=ref", "--as=node@24", f"--output={file}").returncode == 0
    expected = {}
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    for line in lines:
        if line["type"] == "result":
            expected[line["case"]] = line.get("expected", "")
    made_up = [json.loads(line) for line in old.read_text().splitlines()]
    for line in made_up:
        if line["type"] == "result" and line["verdict"] == "pass" and line["expected"] != expected[line["case"]]:
            line.update(verdict="fail", expected=expected[line["case"]])
            line["tries"][0]["standing"] = "outside"
    made_up = [{**line, "implementation": EVIL, "profile": "node@24.21.0"}
               for line in made_up if line["type"] == "result"]
    lines[-1:-1] = made_up
    verdicts = [line["verdict"] for line in lines if line["type"] == "result"]
    lines[0]["planned"] = lines[-1]["results"] = len(verdicts)
    lines[-1]["totals"] = {verdict: verdicts.count(verdict) for verdict in verdicts}
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


@pytest.fixture(scope="module")
def site(call, results, tmp_path_factory):
    top = tmp_path_factory.mktemp("site")
    (top / "playground.html").write_text(PLAYGROUND)
    done = call("site", top / "made", results, f"--playground={top / 'playground.html'}")
    assert done.returncode == 0, done.stderr
    assert "internal links checked" in done.stdout
    assert sorted(one.name for one in top.iterdir()) == ["made", "playground.html"]  # nothing is left beside it
    return top / "made"


def test_has_every_part(site):
    for name in ("index", "playground", "spec/index", "spec/claims", "spec/03-timers", "catalogue", "rules",
                 "compatibility/index", "causes/index", "spec/history"):
        assert (site / f"{name}.html").exists(), name
    chapter = (site / "spec/09-ticks-microtasks.html").read_text()
    assert 'id="drain.after-each-callback"' in chapter
    assert 'href="../playground.html#steps=timeout+A+0' in chapter
    assert 'href="../playground.html#steps=' in (site / "spec/claims.html").read_text()
    assert 'href="index.html"' in (site / "playground.html").read_text()


def test_the_command_checks_links(call, results, home, tmp_path):
    (home / "spec/claims.md").write_text("# Claims\n\n[a](#gone)\n")
    made = tmp_path / "made"
    done = call("site", made, results, "--no-causes", home=home)
    assert done.returncode == 3, done.stderr
    assert "spec/claims.html" in done.stderr and "'#gone' leads nowhere" in done.stderr
    assert not made.exists()


def test_what_fails_leaves_the_old_site(call, results, site, tmp_path):
    before = (site / "index.html").read_bytes()
    broken = tmp_path / "broken.jsonl"
    broken.write_text(results.read_text().splitlines()[0] + "\nnonsense\n")
    done = call("site", site, broken)
    assert done.returncode == 2 and "broken.jsonl:2" in done.stderr
    assert (site / "index.html").read_bytes() == before
    assert [one.name for one in site.parent.iterdir() if one.name.startswith(".")] == []


def test_refuses_what_is_not_a_site(call, results, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.txt").write_text("x")
    done = call("site", tmp_path / "mine", results)
    assert done.returncode == 2 and "is not a site" in done.stderr
    assert (tmp_path / "mine/thesis.txt").exists()
    done = call("site", tmp_path / "new", results, f"--playground={results}")
    assert done.returncode == 2 and "is not a playground" in done.stderr


# A link to the playground from a claim or a clause names its case; one of the catalogue stands below it.
TRY = re.compile(r'<a class="try" href="[./]*playground\.html#([^"]*)" aria-label="try (\S+) in the playground">')
ENTRY = re.compile(r'<h3 id="[^"]*">(\S+)</h3>(?:(?!<h3).)*?<a href="[./]*playground\.html#([^"]*)"', re.DOTALL)


def test_every_link_to_the_playground_opens_the_case_that_it_names(site, conform, root):
    """On the release that it opens, its program has the orders of the case."""
    cases = collections.defaultdict(set)
    for page in site.rglob("*.html"):
        text = page.read_text()
        if page.name in ("playground.html", "index.html"):
            continue
        for address, case in TRY.findall(text) + [(address, case) for case, address in ENTRY.findall(text)]:
            cases[html.unescape(case)].add(html.unescape(address))
    assert len(cases) > 300 and all(len(addresses) == 1 for addresses in cases.values())
    requests = []
    for case, (address,) in cases.items():
        said = urllib.parse.parse_qs(address, strict_parsing=True)
        assert sorted(said) == ["on", "steps"], address
        (program,), (release,) = said["steps"], said["on"]
        file = (root / "cases" / f"{case}.yaml").read_text()
        requests += [{"ask": "sets", "case": file, "id": case, "profile": release},
                     {"ask": "sets", "program": program, "profile": release}]
    answer = conform.parents[2] / "reports/playground/playground_answer"
    done = subprocess.run([answer, root / "spec/profiles"], input="".join(json.dumps(one) + "\n" for one in requests),
                          capture_output=True, encoding="utf-8", check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    for case, wanted, opened in zip(cases, answers[::2], answers[1::2]):
        assert wanted.get("sets"), (case, wanted)
        assert opened.get("sets") == wanted["sets"], case


@pytest.fixture(scope="module")
def browser(need, tmp_path_factory):
    need(chromium.PACKAGE, chromium.PACKAGE)
    with chromium.Browser(tmp_path_factory.mktemp("browser")) as one:
        yield one


@pytest.fixture
def page(browser, site):
    opened = browser.open((site / "index.html").as_uri())
    yield opened
    assert opened.complaints == []
    assert [url for url in opened.requests if not url.startswith((site.as_uri(), "data:"))] == []
    assert opened.value("window.owned") is None
    opened.call("Page.close")


def follow(page, words):
    page.value("[...document.querySelectorAll('a')]"
               f".find((link) => link.textContent.includes({json.dumps(words)})).click()")


def test_from_why_it_differs_to_the_program_in_two_clicks(page):
    follow(page, f"Why does {EVIL} differ?")
    page.wait("/causes/.test(location.href) && document.readyState === 'complete'")
    assert "immediate-drain" in page.value("document.body.innerText")
    assert page.value("document.querySelectorAll('img').length") == 0
    follow(page, "Open the program in the playground")
    page.wait("/playground.html#steps=/.test(location.href) && document.readyState === 'complete'")


def test_every_link_that_is_drawn_leads_somewhere(page, site):
    """Those that a script makes, which the command does not see."""
    targets = set()
    cases = sorted((site / "compatibility/cases").iterdir())
    views = [f"index.html#{view}" for view in ("start", "matrix", "spec", "history")]
    for place in [*views, *(f"cases/{one.name}" for one in (cases[0], cases[-1]))]:
        page.go(f"{site.as_uri()}/compatibility/{place}")
        page.wait("document.querySelector('h1')")
        targets |= set(page.value("[...document.querySelectorAll('a[href]')].map((link) => link.href.split('#')[0])"))
    targets = {one for one in targets if one.startswith("file:")}
    assert len(targets) > len(cases)
    assert [one for one in targets if not pathlib.Path(one[len("file://"):]).exists()] == []


PAGES = ["index.html", "spec/09-ticks-microtasks.html", "spec/claims.html", "spec/history.html", "catalogue.html",
         "rules.html", "causes/index.html", "compatibility/index.html"]


@pytest.mark.long
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 1400])
def test_axe_finds_nothing(browser, site, axe, width, dark):
    causes = next(one for one in sorted((site / "causes").iterdir()) if one.name != "index.html")
    found = []
    for name in [*PAGES, f"causes/{causes.name}"]:
        opened = browser.open((site / name).as_uri(), width=width, dark=dark)
        opened.wait("document.querySelector('h1')")
        found += [[name, *one] for one in axe(opened)]
        opened.call("Page.close")
    assert found == []


def test_the_keyboard_skips_the_navigation(page):
    page.press("Tab")
    assert page.value("document.activeElement.textContent") == "Skip to the content"
    page.press("Enter")
    page.wait("document.activeElement.tagName === 'MAIN'")
    page.press("Tab")
    assert page.value("document.activeElement.closest('main') !== null")
    assert page.value("document.querySelector('nav [aria-current=page]').textContent") == "Start"


@pytest.mark.long
def test_opens_from_disk_in_firefox(site, need, tmp_path):
    cases = sorted((site / "compatibility/cases").iterdir())
    with firefox.Firefox(need(firefox.PROGRAM, firefox.PACKAGE), tmp_path) as one:
        for name in [*PAGES, f"compatibility/cases/{cases[0].name}"]:
            one.call("WebDriver:Navigate", url=(site / name).as_uri())
            assert one.value("return document.querySelectorAll('h1').length;") == 1, name
        assert one.value("return window.owned === undefined;")
        assert one.complaints() == []


def test_a_narrow_screen_has_rows_as_lists_and_the_whole_navigation(browser, site):
    opened = browser.open((site / "rules.html").as_uri(), width=360)
    assert opened.value("(({scrollWidth, clientWidth}) => scrollWidth <= clientWidth)(document.querySelector('nav'))")
    cells = "[...document.querySelector('tbody tr').cells]"
    lefts = opened.value(f"{cells}.map((cell) => cell.getBoundingClientRect().left)")
    assert len(lefts) == 5 and len(set(lefts)) == 1, lefts
    assert "versions" in opened.value(f"getComputedStyle({cells}[3], '::before').content")
    opened.size(1400, 900)
    lefts = opened.value(f"{cells}.map((cell) => cell.getBoundingClientRect().left)")
    assert lefts == sorted(set(lefts)), lefts
    opened.call("Page.close")


@pytest.mark.parametrize("width", [1400, 360])
def test_fits_the_screen(browser, site, width):
    for name in ("index.html", "spec/09-ticks-microtasks.html", "catalogue.html", "rules.html", "causes/index.html"):
        opened = browser.open((site / name).as_uri(), width=width)
        assert opened.value("document.documentElement.scrollWidth") <= width, name
        assert opened.value("document.querySelectorAll('h1').length") == 1, name
        opened.call("Page.close")
