"""A browser for tests: Chromium without a window, spoken to by its own protocol over a pair of pipes.

    with Browser(folder) as browser:
        page = browser.open(file.as_uri())
        page.wait("document.querySelector('h1')")
        page.press("ArrowDown")

Whatever a page asks for, prints as an error or fails at is kept: page.requests, page.complaints.
"""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import time

PROGRAM = shutil.which("chromium")
PACKAGE = "chromium"
TIMEOUT_S = 30

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--remote-debugging-pipe",
]

# Keys that are not the letter they type.
NAMED_KEYS = {"Enter": 13, "Tab": 9, "Escape": 27, "Home": 36, "End": 35, "ArrowLeft": 37, "ArrowUp": 38,
              "ArrowRight": 39, "ArrowDown": 40, "PageUp": 33, "PageDown": 34}


class Browser:
    def __init__(self, folder, program=PROGRAM, flags=()):
        """`folder` is empty, or does not exist: what the browser keeps goes there."""
        self.number = 0
        self.pages = {}
        self.buffer = b""
        ends = [os.pipe(), os.pipe()]
        self.out, self.incoming = ends[0][1], ends[1][0]
        # Out of the way of 3 and 4, where the browser expects to read and to write. The shell puts them there.
        theirs_in, theirs_out = (fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (ends[0][0], ends[1][1]))
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}', "bash", program, *FLAGS, *flags,
             f"--user-data-dir={folder}", "about:blank"],
            pass_fds=(theirs_in, theirs_out),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(folder)},
        )
        for end in (ends[0][0], ends[1][1], theirs_in, theirs_out):
            os.close(end)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
            self.process.wait(TIMEOUT_S)
        except (OSError, AssertionError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.out)
        os.close(self.incoming)

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + TIMEOUT_S
        number = self.number
        while True:
            answer = self.receive(deadline, method)
            if answer.get("id") == number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
            page = self.pages.get(answer.get("sessionId"))
            if page is not None and "method" in answer:
                page.notice(answer["method"], answer["params"])

    def receive(self, deadline, what):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.incoming], [], [], max(0, deadline - time.monotonic()))
            assert ready, f"the browser does not answer {what}"
            data = os.read(self.incoming, 1 << 20)
            assert data, "the browser has ended"
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def open(self, address, width=1440, height=900, dark=False):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self.pages[session] = Page(self, session)
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.call(f"{domain}.enable")
        page.size(width, height)
        page.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        page.go(address)
        return page


class Page:
    def __init__(self, browser, session):
        self.browser = browser
        self.session = session
        self.requests = []
        self.complaints = []

    def call(self, method, **parameters):
        return self.browser.call(method, session=self.session, **parameters)

    def notice(self, event, facts):
        if event == "Network.requestWillBeSent":
            self.requests.append(facts["request"]["url"])
        elif event == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(facts["exceptionDetails"]))
        elif event == "Runtime.consoleAPICalled" and facts["type"] in ("error", "warning", "assert"):
            self.complaints.append(json.dumps(facts["args"]))
        elif event == "Log.entryAdded" and facts["entry"]["level"] in ("error", "warning"):
            self.complaints.append(facts["entry"]["text"])

    def go(self, address):
        trouble = self.call("Page.navigate", url=address).get("errorText")
        assert not trouble, f"{address}: {trouble}"
        self.wait(f"location.href === {json.dumps(address)} && document.readyState === 'complete'")

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def value(self, expression):
        """What an expression of JavaScript gives, also where it gives it later."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True,
                           userGesture=True)
        assert "exceptionDetails" not in answer, f"{expression}: {answer['exceptionDetails']}"
        return answer["result"].get("value")

    def wait(self, expression):
        """Until the expression is true. A page on its way to another one cannot say, and is asked again."""
        deadline = time.monotonic() + TIMEOUT_S
        while True:
            try:
                if self.value(f"Boolean({expression})"):
                    return
            except AssertionError:
                if time.monotonic() > deadline:
                    raise
            assert time.monotonic() < deadline, f"never true: {expression}"
            time.sleep(0.01)

    def press(self, key):
        code = NAMED_KEYS.get(key)
        facts = {"key": key, "code": key} if code else {"key": key, "text": key}
        if key == "Enter":
            facts["text"] = "\r"
        if code:
            facts["windowsVirtualKeyCode"] = code
        self.call("Input.dispatchKeyEvent", type="keyDown", **facts)
        self.call("Input.dispatchKeyEvent", type="keyUp", **facts)

    def type(self, text):
        for letter in text:
            self.press(letter)

    def click(self, selector):
        """A real click in the middle of the element."""
        x, y = self.value(
            f"(() => {{ const found = document.querySelector({json.dumps(selector)});"
            " found.scrollIntoView({block: 'center'}); const box = found.getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def picture(self, file, whole=False):
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        file.write_bytes(base64.b64decode(answer["data"]))
