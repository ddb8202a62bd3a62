"""A second browser for tests: Firefox without a window.

    with Firefox(program, folder) as browser:
        browser.call("WebDriver:Navigate", url=file.as_uri())
        browser.value("return document.title;")
"""

import json
import socket
import subprocess
import time

PROGRAM = "firefox-esr"
PACKAGE = "firefox-esr"


class Firefox:
    """Firefox without a window, by its own protocol: a length, a colon, and JSON."""

    def __init__(self, program, folder):
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        (folder / "user.js").write_text(f'user_pref("marionette.port", {port});\n')
        words = ["--headless", "--no-remote", "--marionette", "--remote-allow-system-access", "--profile", folder]
        self.process = subprocess.Popen([program, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 120
        while True:
            try:
                self.stream = socket.create_connection(("127.0.0.1", port)).makefile("rwb")
                break
            except ConnectionRefusedError:
                assert time.monotonic() < deadline, "Firefox does not start"
                time.sleep(0.1)
        self.number = 0
        self.read()
        self.call("WebDriver:NewSession", capabilities={})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def read(self):
        size = b""
        while not size.endswith(b":"):
            size += self.stream.read(1)
        return json.loads(self.stream.read(int(size[:-1])))

    def call(self, command, **parameters):
        self.number += 1
        message = json.dumps([0, self.number, command, parameters]).encode()
        self.stream.write(b"%d:%s" % (len(message), message))
        self.stream.flush()
        _, _, error, result = self.read()
        assert error is None, error
        return result

    def complaints(self):
        """What stands in the console about pages from disk: errors, warnings, what a policy refused."""
        self.call("Marionette:SetContext", value="chrome")
        said = self.value("""
          return Services.console.getMessageArray().filter((one) => one instanceof Ci.nsIScriptError)
            .filter((one) => /^(file|blob):/.test(one.sourceName)).map((one) => one.errorMessage);""")
        self.call("Marionette:SetContext", value="content")
        return said

    def value(self, body):
        script = f"const done = arguments[0]; (async () => {{{body}}})().then(done);"
        return self.call("WebDriver:ExecuteAsyncScript", script=script, args=[], scriptTimeout=60000)["value"]
