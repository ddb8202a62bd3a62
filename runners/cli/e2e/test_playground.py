"""The playground: what it makes of JavaScript, and what it answers. With --long also the page itself, in browsers."""

import collections
import json
import pathlib
import re
import statistics
import subprocess
import sys
import time
import urllib.parse

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import chromium  # noqa: E402
import firefox  # noqa: E402
import round_trip  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "reports/playground"
SCRIPTS = sorted((pathlib.Path(__file__).parent / "scripts").glob("*.js"))
PROFILES = ["node@24", "node@10"]
# How exported programs wait. People read a clock.
BUSY = r"function busy\(ms\) \{.*?\n\}\n"
WAITS = "function busy(ms) {\n  var start = Date.now();\n  while (Date.now() - start < ms);\n}\n"


def lines_of(command, requests):
    done = subprocess.run([str(word) for word in command], input="".join(json.dumps(one) + "\n" for one in requests),
                          capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


@pytest.fixture(scope="session")
def answers(conform, root):
    """answers([request, …]): what the entry of the page says, built for this machine."""
    program = conform.parents[2] / "reports/playground/playground_answer"
    return lambda requests: [json.loads(line) for line in lines_of([program, root / "spec/profiles"], requests)]


@pytest.fixture(scope="session")
def translations(need):
    node = need("node", "nodejs")

    def translate(sources, modules=()):
        modules = modules or [False] * len(sources)
        requests = [{"source": source, "module": module} for source, module in zip(sources, modules)]
        return [json.loads(line) for line in lines_of([node, FOLDER / "translations.cjs"], requests)]

    return translate


def sure(translation):
    return not translation.get("error") and all(note["isRemark"] for note in translation["notes"])


def printed(translation, order):
    """The order as the script prints it, without labels that were made up."""
    texts, made_up = translation["labels"], set(translation["madeUp"])
    parts = [label.partition("=") for label in order]
    return tuple(texts.get(name, name) + sign + value for name, sign, value in parts if name not in made_up)


@pytest.mark.parametrize("program", ["timeout A 0; immediate B", "read A: [tick T]\nread B: [then P]\nimmediate J",
                                     "async F: [log A, pause B]; tick T; then P of F"])
def test_gives_the_orders_that_explore_gives(call, answers, program):
    (answer,) = answers([{"ask": "orders", "program": program, "profile": "node@24", "limit": 50}])
    explored = json.loads(call("explore", program, "--profile=node@24", "--late", "--limit=50", "--format=json").stdout)
    orders = {(tuple(run["order"]), run["on_time"]) for run in answer["runs"]}
    assert orders == {(tuple(run["order"]), run["on_time"]) for run in explored["runs"]}
    assert answer["on_time"]["orders"] == explored["on_time"]["orders"]
    for run in answer["runs"]:
        assert [moment[2] for moment in run["moments"] if moment[0] == "prints"] == run["order"]


TRANSLATED = {
    "setTimeout(() => console.log('A b'), 0); setImmediate(console.log, 1);": "timeout A-b 0\nimmediate n1",
    "const t = setTimeout(() => console.log('A'), 5);\nclearTimeout(t);": "timeout timer.1 5\nclear timer.1",
    "new Promise((r) => setTimeout(r, 3, 'v')).then(console.log);":
        "promise promise.1\ntimeout 3: [resolve promise.1]\nthen v of promise.1",
    "(async () => { try { await Promise.reject(1); } catch { console.log('C'); } })();":
        "async: [promise promise.1, reject of promise.1, try: [pause of promise.1], log C]",
    "for (var i = 0; i < 2; i++) process.nextTick(() => console.log(i));": "tick n2\ntick n2",
    "for (let i = 0; i < 2; i++) process.nextTick(() => console.log(i));": "tick n0\ntick n1",
    "let n = 0; const t = setInterval(() => { if (++n === 2) clearInterval(t); console.log('I'); }, 9);":
        "interval timer.1 9: [only 1: [log I], only 2: [clear timer.1, log I]]",
    "Promise.all([1, Promise.resolve()]).then(() => console.log('A'));":
        "promise promise.1\nresolve promise.1\npromise promise.1.2\nresolve promise.1.2\n"
        "combine A of promise.1.2 with promise.1",
    "const b = Date.now() + 7; while (Date.now() < b); console.log('A');": "busy 7\nlog A",
    "require('fs').stat('x', (e) => { if (e) throw e; console.log('S'); });": "file S",
    "const s = require('net').createServer(() => console.log('S')).listen(0, () => console.log('L'));\ns.close();":
        "listen server.1\non listening L of server.1\naccept of server.1\nclose of server.1",
    "const o = {go() { setTimeout(() => this.say(), 0); }, say() { console.log('S'); }}; o.go();": "timeout S 0",
    "setTimeout(console.log.bind(console, 'A')); require('fs').writeSync(1, 'B\\n');": "timeout A none\nlog B",
    "console.log(`${[1, 2]}`, [1, 2], 10n, -0); console.log('a\\nb');": "log n1-2-1-2-10n-0\nlog a\nlog b",
    "let a = 1, b = 2; (() => { [a, b] = [b, a]; })(); const [h, ...r] = [3, 4, 5]; console.log(a, b, r.length);":
        "log n2-1-2",
    "let x = 1; x ||= setTimeout(() => 1); null?.[setTimeout(() => 1)]; ({}).x?.(setTimeout(() => 1)); log('A');":
        "log A",
    "const b = Date.now(); while (Date.now() - b < 5); while (Date.now() - b < 8); log('A');": "busy 5\nbusy 3\nlog A",
    "process.once('beforeExit', () => { console.log('B'); setTimeout(() => console.log('T')); });":
        "on beforeExit: [only 1: [log B, timeout T none]]",
    "Promise.reject(1).finally(() => Promise.resolve()).catch(() => console.log('C'));":
        "promise promise.1\nreject of promise.1\nfinally promise.1.2 of promise.1: [promise promise.1.3, "
        "resolve promise.1.3, return of promise.1.3]\ncatch C of promise.1.2",
    "(async () => { await Promise.any([Promise.reject(1), 2]); console.log('A'); })();":
        "async: [promise promise.1, reject of promise.1, promise promise.1.2, catch of promise.1, "
        "then: [resolve promise.1.2], pause A of promise.1.2]",
    "const c = require('net').connect(1); c.destroy(); c.on('close', () => console.log('C'));":
        "refused promise.1\nclose C of promise.1",
    "export default setTimeout(() => console.log('A'));": "timeout A none",
}


def test_javascript_becomes_steps(translations):
    found = dict(zip(TRANSLATED, translations(list(TRANSLATED))))
    for source, wanted in TRANSLATED.items():
        assert found[source]["program"] == wanted, source
        assert sure(found[source]), (source, found[source]["notes"])


UNDERSTOOD_NOT = {
    "fetch('x').then(() => console.log('A'));": "'fetch' is not known here",
    "if (Math.random() < 0.5) console.log('A');": "which way it goes is not known; both are left out",
    "let x = 0; setTimeout(() => { x = 1; }, 1); setImmediate(() => console.log(x));":
        "its value depends on which callback runs first; one of them was assumed",
    "function again() { setImmediate(again); }\nagain();":
        "does not end, or not within 40 callbacks, one inside the other: cut here",
    "setInterval(() => console.log('A'), 1);": "it does not end within 40 runs, and nothing else ends it",
    "class A {}": "class declaration: not understood, and left out",
    "function f() { this.x(); }\nf();": "what 'this.x()' calls is not known; it is left out",
    "const a = []; setTimeout(() => a.push(1)); setImmediate(() => { a.push(2); console.log(a.join()); });":
        "its value depends on which callback runs first; one of them was assumed",
    "let x = 0; const p = [1, 2].map((i) => new Promise((r) => setTimeout(() => { x = i; r(); }, i)));\n"
    "Promise.all(p).then(() => console.log(x));":
        "its value depends on which callback runs first; one of them was assumed",
    "const b = Date.now(); while (Date.now() - b < 5) console.log('A');": "what it does while it waits is left out",
    "const b = Date.now(); setTimeout(() => { while (Date.now() - b < 50); });":
        "how often it repeats is not known; it is left out",
    "Math.random() && setTimeout(() => 1);": "which way it goes is not known; what comes behind it is left out",
    "const x = Math.random() ? setTimeout(() => 1) : 2;": "which way it goes is not known; both are left out",
    "if (process.env.X) console.log('A');": "which way it goes is not known; both are left out",
    "console.log('%s', 'A');": "what it prints is not known; it is called line-1",
    "console.table([1]);": "console.table has no step, and is left out",
    "process.exitCode = 1;": "'process.exitCode' is set, which is left out",
    "process.emit('x');": "process.emit has no step, and is left out",
    "import 'fs';\nrequire('fs');": "a module has no 'require'",
    "export * as x from './x.js';\nexport {y} from './y.js';": "the module './y.js' is not followed",
    "require('net').connect(1).on('close', () => console.log('A'));":
        "nothing here closes it; what is called when it is closed is left out",
    "Promise.resolve({then(go) { go(); }});": "an object with a then method is not understood",
}


def test_what_is_not_understood_has_its_reason_and_place(translations):
    for (source, wanted), said in zip(UNDERSTOOD_NOT.items(), translations(list(UNDERSTOOD_NOT))):
        assert wanted in [note["what"] for note in said["notes"]], (source, said)
        assert all(0 <= note["from"] < note["to"] <= len(source) for note in said["notes"])


def test_no_source_is_executed_or_runs_away(translations):
    evil = ["while (true) {}", "for (;;) {}", "[".ljust(20000, "["), "(" * 9000, "a" * 20000, "let f = () => f(); f();",
            "globalThis.constructor.constructor('throw 1')()", "this.constructor.constructor('process.exit(9)')()",
            "'x'.repeat(1e9)", "'x'.padEnd(999999999)", "[].push.constructor('throw 1')()", "\u2028", "import('x')",
            "const a = []; a[4294967294] = 1; a.forEach(() => 1); console.log(a)", "`${{toString() { throw 1; }}}`",
            "label: for (;;) { continue label; }", "console.log(__proto__)", "({__proto__: 1}).x()"]
    begin = time.monotonic()
    said = translations(evil)
    assert len(said) == len(evil)
    assert time.monotonic() - begin < 60


def test_what_node_prints_is_among_the_orders(need, answers, translations):
    """Each run of Node gives an order of the late set of its release, whatever the machine does meanwhile."""
    node = need("node", "nodejs")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout.strip()[1:]
    read = translations([script.read_text() for script in SCRIPTS])
    sets = answers([{"ask": "sets", "program": one["program"], "profile": f"node@{version}"} for one in read])
    looked_at = 0
    for script, one, said in zip(SCRIPTS, read, sets):
        if not sure(one):
            continue
        assert "sets" in said, said
        allowed = {" ".join(printed(one, order)) for order in said["sets"][0]["late"]["orders"]}
        for _ in range(3):
            ran = subprocess.run([node, script], capture_output=True, text=True, check=False).stdout
            assert " ".join(ran.splitlines()) in allowed, script
        looked_at += 1
    assert looked_at >= 7


def trips(call, root, answers, translations, cases):
    """A case as JavaScript and back: (are the sets the same, was anything said) with the cases of each."""
    exported = {}
    for case in cases:
        done = call("show", case, "--as=js")
        if done.returncode == 0:
            exported[case] = round_trip.as_people_write_it(re.sub(BUSY, WAITS, done.stdout, flags=re.DOTALL))
    files = {case: (root / "cases" / f"{case}.yaml").read_text() for case in exported}
    read = translations(list(exported.values()), ["entry: esm" in files[case] for case in exported])
    requests = []
    for case, one in zip(exported, read):
        pool = re.search(r"^pool: (\d+)", files[case], re.MULTILINE)
        for profile in PROFILES:
            requests.append({"ask": "sets", "case": files[case], "id": case, "profile": profile})
            requests.append({"ask": "sets", "program": one.get("program") or "", "entry": one.get("entry") or "script",
                             "pool": int(pool[1]) if pool else 4, "profile": profile})
    said = iter(answers(requests))
    found = collections.defaultdict(list)
    for case, one in zip(exported, read):
        is_same, is_modelled = True, False
        for _ in PROFILES:
            before, after = next(said).get("sets"), next(said).get("sets")
            if not before:
                continue
            is_modelled = True
            for name in ("on_time", "late"):
                if before[0][name]["count"] <= 200:
                    orders = {printed(one, order) for order in after[0][name]["orders"]} if after else None
                    is_same = is_same and orders == {tuple(order) for order in before[0][name]["orders"]}
        if is_modelled:
            found[is_same, not sure(one)].append(case)
    return found


def all_cases(root):
    return [str(file.relative_to(root / "cases"))[:-5] for file in sorted((root / "cases").rglob("*.yaml"))]


def test_a_case_comes_back_from_javascript(call, root, answers, translations):
    found = trips(call, root, answers, translations, all_cases(root)[::12])
    assert found[False, False] == []
    assert len(found[True, False]) >= 10


@pytest.mark.long
def test_every_case_comes_back_from_javascript_or_says_why_not(call, root, answers, translations, capsys):
    found = trips(call, root, answers, translations, all_cases(root))
    with capsys.disabled():
        print({("same" if same else "different", "said" if said else "not said"): len(cases)
               for (same, said), cases in found.items()})
    assert found[False, False] == []
    assert len(found[True, False]) + len(found[True, True]) >= 260


def test_without_emscripten_it_says_what_to_install(tmp_path):
    done = subprocess.run([sys.executable, FOLDER / "make", tmp_path / "page.html"], capture_output=True, text=True,
                          check=False, env={"PATH": str(tmp_path)})
    assert done.returncode == 3
    assert "apt-get install emscripten" in done.stderr
    assert not (tmp_path / "page.html").exists()


# --- The page ---


@pytest.fixture(scope="session")
def page_file(need, tmp_path_factory):
    need("emcc", "emscripten")
    made = tmp_path_factory.mktemp("playground") / "playground.html"
    done = subprocess.run([FOLDER / "make", made], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(re.search(r"([\d,]+) compressed", done.stdout)[1].replace(",", "")) < 1_500_000
    return made


@pytest.fixture(scope="session")
def browser(need, tmp_path_factory):
    need(chromium.PACKAGE, chromium.PACKAGE)
    with chromium.Browser(tmp_path_factory.mktemp("browser")) as one:
        yield one


@pytest.fixture
def opened(page_file, browser):
    """opened("js=…"): the page with this address. It asks the network for nothing, and complains of nothing."""
    pages = []

    def open_page(address="", **options):
        page = browser.open(page_file.as_uri() + ("#" + address if address else ""), **options)
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        assert page.complaints == []
        inside = (page_file.as_uri(), "blob:", "data:", "about:")
        assert [url for url in page.requests if not url.startswith(inside)] == []
        page.call("Page.close")


def status(page):
    return page.value("document.getElementById('status').textContent")


def shown_orders(page):
    return page.value("[...document.querySelectorAll('.order .labels')].map((one) => one.innerText.trim())")


@pytest.mark.long
def test_the_module_gives_the_same_sets_for_every_case(page_file, root, conform, capsys):
    module = root / "build/playground"
    native = conform.parents[2] / "reports/playground/playground_answer"
    files = [root / "cases" / f"{case}.yaml" for case in all_cases(root)]
    requests = [{"ask": "sets", "case": file.read_text(), "id": file.stem} for file in files]
    expected = lines_of([native, root / "spec/profiles"], requests)
    found = lines_of(["node", FOLDER / "answers.cjs", module, root / "spec/profiles"], requests)
    assert found == expected
    counts = [len(json.loads(line)["sets"]) for line in expected]
    with capsys.disabled():
        print(f"\n{sum(count > 0 for count in counts)} cases with a model, {2 * sum(counts)} sets: the same")
    assert sum(count > 0 for count in counts) > 700


@pytest.mark.long
def test_answers_steps_and_compares(opened):
    source = "setTimeout(() => console.log('A b'));\nsetImmediate(() => log('I'));"
    page = opened(urllib.parse.urlencode({"js": source}))
    page.wait("document.querySelector('.order')")
    assert shown_orders(page) == ["A b I", "I A b"]
    page.click("li:nth-child(2) .order")
    page.wait("document.querySelector('#detail-title').textContent.startsWith('Order 2')")
    assert "check.immediates-after-poll" in page.value("document.getElementById('detail').textContent")
    page.value("document.getElementById('moment').focus()")
    for _ in range(3):
        page.press("ArrowRight")
    assert page.value("document.querySelector('.moment').textContent").startswith("3 of 6")
    assert page.value("document.querySelectorAll('.queue li').length") > 0
    page.value("(() => { const field = document.getElementById('beside'); field.value = 'node@10.24.1';"
               " field.dispatchEvent(new Event('change')); })()")
    page.wait("document.querySelectorAll('.mark').length === 4")
    assert "with=node%4010.24.1" in page.value("location.hash")


@pytest.mark.long
def test_what_is_not_understood_is_underlined(opened):
    page = opened(urllib.parse.urlencode({"js": "fetch('x');\nconsole.log('A');\n"}))
    page.wait("document.querySelector('.notes li')")
    assert page.value("document.querySelector('.underlay mark').textContent") == "fetch"
    assert "'fetch' is not known here" in page.value("document.getElementById('notes').textContent")


IMAGE = "<img src=x onerror=window.owned=1>"
HOSTILE = [
    urllib.parse.urlencode({"js": f"console.log('{IMAGE}');"}),
    urllib.parse.urlencode({"js": f"setTimeout(() => console.log(`{IMAGE}`), '{IMAGE}'); {IMAGE}"}),
    urllib.parse.urlencode({"steps": f"timeout {IMAGE} 0; </script><script>window.owned=1</script>"}),
    urllib.parse.urlencode({"js": "console.log(1)", "on": IMAGE, "with": "javascript:window.owned=1", "order": "-1e9"}),
    urllib.parse.urlencode({"js": "window.owned = 1; eval('window.owned=1'); new Function('window.owned=1')();"}),
    urllib.parse.urlencode({"js": "globalThis.constructor.constructor('self.owned=1')(); import('data:,owned=1')"}),
    urllib.parse.urlencode({"steps": "timeout A 0 x1000000: [timeout B 1 x1000000, immediate C x1000000]"}),
    urllib.parse.urlencode({"steps": "\n".join(f"timeout T{i} {i % 7}" for i in range(900))}),
    "js=" + "%3C" * 25000,
    "js=%&%00&%ff&__proto__=1&constructor=2&steps=%u0000&order=99999999999999999999",
    urllib.parse.urlencode({"js": "(".ljust(19000, "(")}),
    urllib.parse.urlencode({"module": "while (true) setTimeout(() => { for (;;) {} }, 0); await 0;"}),
]


@pytest.mark.long
@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_hostile_addresses_do_nothing(opened, number):
    page = opened(HOSTILE[number])
    page.wait("document.getElementById('release').options.length > 10")
    page.wait("!/Loading/.test(document.getElementById('status').textContent)")
    # It can be stopped, and still answers.
    page.value("(() => { const field = document.getElementById('program'); field.value = 'log(1)';"
               " for (const one of document.getElementsByName('language')) if (one.value === 'js') one.click();"
               " field.dispatchEvent(new Event('input')); })()")
    page.wait("[...document.querySelectorAll('.order .labels')].map((one) => one.innerText.trim()).join() === '1'")
    assert page.value("window.owned") is None
    assert page.value("document.querySelectorAll('img, iframe, object, body script').length") == 2  # those of the page


@pytest.mark.long
@pytest.mark.parametrize("width", [1400, 800, 360])
@pytest.mark.parametrize("dark", [False, True])
def test_fits_the_screen(opened, width, dark):
    address = urllib.parse.urlencode({"js": SCRIPTS[0].read_text(), "with": "node@10.24.1"})
    page = opened(address, width=width, dark=dark)
    page.wait("document.querySelector('.queue')")
    assert page.value("document.documentElement.scrollWidth") <= width
    unnamed = ("[...document.querySelectorAll('button, select, textarea, input')].filter((one) => !one.labels.length"
               " && !one.getAttribute('aria-label') && !one.textContent.trim()).length")
    assert page.value(unnamed) == 0


@pytest.mark.long
@pytest.mark.parametrize("width", [1400, 360])
@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing(opened, axe, width, dark):
    program = SCRIPTS[0].read_text() + "fetch('x');\n"
    page = opened(urllib.parse.urlencode({"js": program, "with": "node@10.24.1"}), width=width, dark=dark)
    page.wait("document.querySelector('.queue') && document.querySelector('.notes li')")
    assert axe(page) == []


@pytest.mark.long
def test_keyboard_alone_and_a_screen_reader(opened):
    """From the program to the second order by Tab and Enter; changes are announced, and all that acts has a name."""
    page = opened(urllib.parse.urlencode({"js": "setTimeout(() => log('A'));\nsetImmediate(() => log('I'));"}))
    page.wait("document.querySelectorAll('.order').length === 2")
    page.value("document.getElementById('program').focus()")
    for _ in range(40):
        page.press("Tab")
        if page.value("document.activeElement === document.querySelectorAll('.order')[1]"):
            break
    page.press("Enter")
    page.wait("document.querySelector('#detail-title').textContent.startsWith('Order 2')")
    assert page.value("document.getElementById('status').getAttribute('role')") == "status"
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    acting = ("button", "combobox", "textbox", "slider", "radio", "link")
    unnamed = [node for node in nodes if node.get("role", {}).get("value") in acting and not node["ignored"]
               and not node.get("name", {}).get("value")]
    assert unnamed == []


# Notes how long each key takes until other orders are shown, from the time that the browser gives the key itself.
WATCH = """
  const field = document.getElementById('program');
  field.focus();
  field.addEventListener('keydown', async (key) => {
    const before = document.querySelector('.order');
    while (document.querySelector('.order') === before) await new Promise(requestAnimationFrame);
    document.body.dataset.times = (document.body.dataset.times || '') + ' ' + (performance.now() - key.timeStamp);
  });"""
TIMES = "(document.body.dataset.times || '').split(' ').slice(1).map(Number)"
KEYS = 15


def told(name, times):
    return f"{name} {statistics.median(times):.0f} ms ({min(times):.0f} to {max(times):.0f})"


@pytest.mark.long
def test_time_from_a_key_to_the_answer(opened, call, translations, capsys):
    """Printed, not judged: it depends on the machine. The native binary is given the steps of the same script."""
    text = (SCRIPTS[0].parent / "ticks.js").read_text()
    page = opened(urllib.parse.urlencode({"js": text}))
    page.wait("document.querySelector('.order')")
    page.value(f"(() => {{{WATCH}}})()")
    for number in range(1, KEYS + 1):
        page.press(" ")
        page.wait(f"{TIMES}.length === {number}")
    (read,) = translations([text])
    native = []
    for _ in range(KEYS):
        begin = time.monotonic()
        assert call("explore", "-e", read["program"], "--profile=node@24", "--late").returncode == 0
        native.append((time.monotonic() - begin) * 1000)
    with capsys.disabled():
        print(f"\n{len(text.splitlines())} lines, {KEYS} keys each: {told('Chromium', page.value(TIMES))}, of which 60"
              f" wait for more keys; {told('conform explore, a process', native)}")


@pytest.mark.long
def test_answers_in_firefox(page_file, need, tmp_path, capsys):
    with firefox.Firefox(need(firefox.PROGRAM, firefox.PACKAGE), tmp_path) as one:
        text = (SCRIPTS[0].parent / "ticks.js").read_text()
        address = page_file.as_uri() + "#" + urllib.parse.urlencode({"js": text})
        one.call("WebDriver:Navigate", url=address)
        labels = one.value("""
          while (!document.querySelector('.order')) await new Promise((go) => setTimeout(go, 20));
          return [...document.querySelectorAll('.order .label')].map((one) => one.textContent);""")
        assert labels[:3] == ["main", "nextTick 1", "nextTick 2"]
        assert one.complaints() == []
        one.value(WATCH)
        for number in range(1, KEYS + 1):
            key = [{"type": "keyDown", "value": " "}, {"type": "keyUp", "value": " "}]
            one.call("WebDriver:PerformActions", actions=[{"type": "key", "id": "keys", "actions": key}])
            one.value(f"while ({TIMES}.length < {number}) await new Promise((go) => setTimeout(go, 20));")
        with capsys.disabled():
            print(f"\n{KEYS} keys: {told('Firefox', one.value(f'return {TIMES};'))}")
