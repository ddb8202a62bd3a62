"""What the page loads, and what it says: a server on loopback, on a port and under a path that nothing else knows.

It is the proxy of the browser, too, for everything that is not on this machine, and refuses all of it.
"""

import http.server
import json
import os
import queue
import secrets
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
INTERPRETER = os.path.join(HERE, "..", "javascript")
WAIT_S = 20  # after this long without a program the page is told to ask again, so that no connection grows old
MOST_BYTES = 64 << 20

# The parts of the JavaScript adapter that need nothing of Node.js. What that adapter has for input and output is
# replaced by what a page has.
MODULES = {
    "./ops.cjs": os.path.join(INTERPRETER, "ops.cjs"),
    "./ops_async.cjs": os.path.join(INTERPRETER, "ops_async.cjs"),
    "./ops_web.cjs": os.path.join(INTERPRETER, "ops_web.cjs"),
    "./ops_io.cjs": os.path.join(HERE, "ops_browser.cjs"),
    "./adapter.cjs": os.path.join(INTERPRETER, "adapter.cjs"),
    "./trials.cjs": os.path.join(HERE, "trials.cjs"),
    "./frame.cjs": os.path.join(HERE, "frame.cjs"),
}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def bundle():
    """All modules in one script, with as much of `require` as they use."""
    parts = ["(() => {\nconst makers = {};\n"]
    for name, path in MODULES.items():
        parts.append(f"makers[{json.dumps(name)}] = function (require, module) {{\n{read(path)}\n}};\n")
    parts.append(
        "const made = { fs: {} };\n"
        "function require(name) {\n"
        "  if (made[name]) return made[name];\n"
        "  const module = { exports: {} };\n"
        "  makers[name](require, module);\n"
        "  return made[name] = module.exports;\n"
        "}\n"
        "require('./frame.cjs');\n})();\n"
    )
    return "".join(parts)


def documents():
    page = '<!doctype html><meta charset="utf-8"><title>conform</title><link rel="icon" href="data:,"><body>'
    return {
        "": ("text/html", page + '<script src="page.js"></script>'),
        "frame.html": ("text/html", page + '<script src="interpreter.js"></script>'),
        "page.js": ("text/javascript", read(os.path.join(HERE, "page.js"))),
        "worker.js": ("text/javascript", read(os.path.join(HERE, "worker.js"))),
        "interpreter.js": ("text/javascript", bundle()),
        "start.js": ("text/javascript", "conform.main();\n"),
    }


def event(label, time_ms):
    return {"label": label, "t_ns": round(time_ms * 1e6)}


class Server:
    """`requests` are for the page, `answers` from it; both are messages as the page knows them."""

    def __init__(self):
        self.requests = queue.Queue()
        self.answers = queue.Queue()
        self.page_gone = threading.Event()
        self.on_label = None
        self.labels_told = 0
        self.label_came = threading.Condition()
        self.path = f"/{secrets.token_urlsafe(16)}/"
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._make_handler())
        self.http.daemon_threads = True
        self.port = self.http.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}{self.path}"
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def close(self):
        self.http.shutdown()
        self.http.server_close()

    def take(self, answer):
        """An answer of the page. One that counts labels which were reported one by one comes after all of them."""
        if answer["type"] == "again":
            return
        if answer["type"] == "labels":
            alone = answer["count"] - len(answer["labels"])
            with self.label_came:
                self.label_came.wait_for(lambda: self.labels_told >= alone, timeout=WAIT_S)
                self.labels_told = 0
        self.answers.put(answer)

    def take_label(self, told):
        with self.label_came:
            self.on_label(event(told["label"], told["time"]))
            self.labels_told += 1
            self.label_came.notify_all()

    def next_request(self):
        try:
            return self.requests.get(timeout=WAIT_S)
        except queue.Empty:
            return {"type": "wait"}

    def _make_handler(self):
        server = self
        pages = documents()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = -1  # head and body leave together

            def do_GET(self):
                name = self.path.removeprefix(server.path)
                if name == "lifeline" and self.path != name:
                    self._hold()
                elif name in pages and self.path.startswith(server.path):
                    self._answer(*pages[name])
                else:
                    self._refuse()

            def do_POST(self):
                length = int(self.headers.get("Content-Length", 0))
                if not self.path.startswith(server.path) or length > MOST_BYTES:
                    return self._refuse()
                said = json.loads(self.rfile.read(length))
                if self.path == server.path + "label":
                    server.take_label(said)
                    return self._answer("application/json", "{}")
                server.take(said)
                return self._answer("application/json", json.dumps(server.next_request()))

            def do_CONNECT(self):
                self._refuse()

            do_HEAD = do_PUT = do_OPTIONS = do_CONNECT

            def _answer(self, kind, text):
                body = text.encode()
                self.send_response(200)
                self.send_header("Content-Type", kind + "; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                # Isolated from other origins, a page may know the time more exactly.
                self.send_header("Cross-Origin-Opener-Policy", "same-origin")
                self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
                self.send_header("Cache-Control", "no-store" if kind == "application/json" else "max-age=3600")
                self.end_headers()
                self.wfile.write(body)

            def _hold(self):
                """Nothing more is said on this connection: reading from it returns when the page is gone."""
                self.rfile.read(1)
                server.page_gone.set()
                self.close_connection = True

            def _refuse(self):
                print(f"refused: {self.command} {self.path}", file=sys.stderr)
                self.close_connection = True
                self.send_error(403)

            def log_message(self, format, *arguments):
                """Standard error is for what a user should see."""

            def handle(self):
                try:
                    super().handle()
                except (ConnectionError, BrokenPipeError):
                    pass  # the browser has gone

        return Handler
