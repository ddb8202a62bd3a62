"""Runs programs in a browser: `adapter.py chromium|firefox`.

The browser is started once, with a page that this process serves on loopback; the page takes one program after the
other, and gives each its own frame. See README.md.
"""

import ctypes
import fcntl
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile

import browsers
import server

START_PATIENCE_S = 60
LOOK_EVERY_S = 0.2  # whether the browser still lives
MOST_LABELS = 250_000  # the limit of the protocol
MOST_NOISE = 2000  # characters of what a browser that ended had said
HTML_VERSION = "2026.8"  # of the profile: the month of the standard that it follows
PREFIX = "conform-browser-"
LONGEST_BASE = 48  # characters: a browser puts sockets below it, whose paths must not be longer than 107
PR_SET_PDEATHSIG = 1


class BrowserGone(Exception):
    """The browser, or the page in it, ended in the middle of a run."""


def base_folder():
    temporary = tempfile.gettempdir()
    return temporary if len(temporary) <= LONGEST_BASE else "/tmp"


def remove_leftovers():
    """Folders of adapters that were ended before they could remove them. A folder in use is locked."""
    for name in os.listdir(base_folder()):
        folder = os.path.join(base_folder(), name)
        if not name.startswith(PREFIX):
            continue
        try:
            with open(os.path.join(folder, "lock"), "rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue


def make_locked_folder():
    """It gets the name by which leftovers are known when it is locked, and not before."""
    unnamed = tempfile.mkdtemp(prefix="", dir=base_folder())
    lock = open(os.path.join(unnamed, "lock"), "wb")
    fcntl.flock(lock, fcntl.LOCK_EX)
    folder = os.path.join(os.path.dirname(unnamed), PREFIX + os.path.basename(unnamed))
    os.rename(unnamed, folder)
    return folder, lock


def die_with_parent():
    """In the browser, before it starts: however this process ends, it ends too."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Browser:
    def __init__(self, kind, program):
        remove_leftovers()
        self.folder, self.lock = make_locked_folder()
        self.server = server.Server()
        self.noise = open(os.path.join(self.folder, "stderr"), "w+", encoding="utf-8", errors="replace")
        profile = os.path.join(self.folder, "profile")
        os.mkdir(profile)
        kind.prepare(profile, self.server.port)
        self.process = subprocess.Popen(
            kind.command(program, profile, self.server.port, self.server.url),
            stdin=subprocess.DEVNULL, stdout=self.noise, stderr=self.noise, preexec_fn=die_with_parent,
            env={**os.environ, "HOME": self.folder, "TMPDIR": self.folder, **browsers.VARIABLES},
        )

    def ask(self, message, patience_s=None):
        """The answer of the page. Raises BrowserGone."""
        self.server.requests.put(message)
        waited_s = 0.0
        while True:
            try:
                return self.server.answers.get(timeout=LOOK_EVERY_S)
            except queue.Empty:
                waited_s += LOOK_EVERY_S
            if self.process.poll() is not None:
                raise BrowserGone(f"the browser ended with code {self.process.returncode}{self.last_words()}")
            if self.server.page_gone.is_set():
                raise BrowserGone(f"the page ended in the middle of a run{self.last_words()}")
            if patience_s is not None and waited_s > patience_s:
                raise BrowserGone(f"the browser showed no page within {patience_s} s{self.last_words()}")

    def last_words(self):
        self.noise.seek(0)
        said = self.noise.read()[-MOST_NOISE:].strip()
        return f": {said}" if said else ""

    def close(self):
        self.process.kill()
        self.process.wait()
        self.server.close()
        self.noise.close()
        # Processes of the browser that outlive it for a moment may still write.
        for _ in range(50):
            shutil.rmtree(self.folder, ignore_errors=True)
            if not os.path.exists(self.folder):
                break
        self.lock.close()


def send(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


class Session:
    def __init__(self, name):
        self.name = name
        self.kind = browsers.BROWSERS[name]
        self.program = browsers.find(self.kind)
        self.browser = None

    def start(self):
        """A browser whose page has come; and what it has."""
        self.browser = Browser(self.kind, self.program)
        self.ops = self.browser.ask({"type": "probe"}, START_PATIENCE_S)["ops"]

    def stop(self):
        if self.browser is not None:
            self.browser.close()
        self.browser = None

    def hello(self):
        if self.program is None:
            sys.exit(f"there is no {self.kind.title} here: install {self.kind.package}")
        self.start()
        send({
            "type": "ready",
            "protocol": 1,
            "implementation": {"name": self.name, "version": browsers.version_of(self.program), "details": {}},
            "claims": {"profile": "html", "version": HTML_VERSION},
            "ops": self.ops,
            "isolation": "session",
        })

    def run(self, message):
        seq = message["seq"]
        if "native" in message or message.get("entry", "script") != "script":
            return send({"type": "unsupported", "seq": seq, "op": missing_entry(message)})
        try:
            if self.browser is None:
                self.start()
            self.browser.server.on_label = lambda event: send(trace(seq, [event], more=True))
            answer = self.browser.ask(message)
        except BrowserGone as gone:
            self.stop()
            return send({"type": "error", "seq": seq, "message": str(gone)})
        if answer["type"] == "labels":
            return send(whole_trace(seq, answer))
        return send({**answer, "seq": seq})


def missing_entry(message):
    return "native" if "native" in message else "entry " + message["entry"]


def trace(seq, events, **more):
    return {"type": "trace", "seq": seq, "events": events, **more}


def whole_trace(seq, answer):
    if answer["count"] > MOST_LABELS:
        return {"type": "error", "seq": seq, "message": f"there are more than {MOST_LABELS} labels"}
    return trace(seq, list(map(server.event, answer["labels"], answer["times"])))


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    session = Session(sys.argv[1])
    try:
        for line in sys.stdin:
            message = json.loads(line)
            if message["type"] == "hello":
                session.hello()
            elif message["type"] == "run":
                session.run(message)
            elif message["type"] == "stop":
                break
    except BrowserGone as gone:
        sys.exit(str(gone))
    finally:
        session.stop()


if __name__ == "__main__":
    main()
