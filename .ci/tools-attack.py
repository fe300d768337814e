"""Attacks the inspector and the link check on the loopback interface, each with few file descriptors: no process may end.

`python3 .ci/tools-attack.py FOLDER` starts the programs that were built in that folder. It prints each violation and exits 1 if there
is one. It takes a few seconds.
"""

import http.server
import resource
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

PROGRAMS = Path(sys.argv[1]) / "debug"
DESCRIPTORS = 64
# The longest that a request of another client may take during an attack, in seconds.
PATIENCE = 5

violations = []


def expect(what, holds, found):
    if not holds:
        violations.append(f"{what}: {found!r}")


def command(*parts):
    def limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))
    return subprocess.Popen([str(part) for part in parts], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, bufsize=1, preexec_fn=limit)


def exchange(host, *requests):
    """Sends requests one after another, each when the last one was answered, and returns the first lines of the answers."""
    name, port = host.split(":")
    answers = []
    try:
        with socket.create_connection((name, int(port)), timeout=PATIENCE) as client:
            for request in requests:
                client.sendall(request.encode())
                answers.append(client.recv(65_536).decode().split("\r\n")[0])
    except OSError as problem:
        answers.append(repr(problem))
    return answers


def inspector():
    program = command(PROGRAMS / "inspector-demo", "10")
    address = next((word for line in program.stdout for word in line.split() if word.startswith("http://")), None)
    if address is None:
        return expect("the inspector has not started", False, program.wait())
    host, token = address.removeprefix("http://").rstrip("/").split("/")

    def head(method, path, *headers):
        return "".join(f"{line}\r\n" for line in [f"{method} /{token}/{path} HTTP/1.1", f"Host: {host}", *headers, ""])
    rows = head("GET", "rows?store=1&before=1")
    json = ["Content-Type: application/json", "Content-Length: 2"]
    slowest = 0
    for name, sent in [("nothing", ""), ("half a head", rows[:60]), ("half a body", head("POST", "send", *json) + "{"),
                       ("one request", rows), ("a wrong token", rows.replace(token, "0" * 32)),
                       ("streams", head("GET", "events?store=1"))]:
        clients = []
        for _ in range(400):
            client = socket.socket()
            client.settimeout(1)
            try:
                client.connect(tuple([host.split(":")[0], int(host.split(":")[1])]))
                client.sendall(sent.encode())
            except OSError:
                pass
            clients.append(client)
        for _ in range(3):
            began = time.monotonic()
            found = exchange(host, rows)
            slowest = max(slowest, time.monotonic() - began)
            expect(f"inspector, 400 clients that send {name}", found == ["HTTP/1.1 200 OK"], found)
        # Longer than the wait after a connection that could not be accepted.
        time.sleep(1.1)
        expect(f"inspector, 400 clients that send {name}: it has ended", program.poll() is None, program.returncode)
        for client in clients:
            client.close()
    two = exchange(host, rows.replace("\r\n", f"\r\nHost: {host}\r\n", 1))
    expect("two hosts", two == ["HTTP/1.1 400 Bad Request"], two)
    asked = exchange(host, head("POST", "send", *json, "Expect: 100-continue"), "{}")
    expect("a client that asks", asked == ["HTTP/1.1 100 Continue", "HTTP/1.1 400 Bad Request"], asked)
    said, _ = program.communicate("\n", timeout=30)
    expect("the inspector ends in order", program.returncode == 0 and "cannot accept" not in said, (program.returncode, said))
    print(f"tools-attack.py: inspector, {DESCRIPTORS} descriptors, 400 clients: the slowest of the others took {slowest * 1000:.0f} ms")


class Site(http.server.BaseHTTPRequestHandler):
    BAD = ["http://127.0.0.1:65536/", "http://127.0.0.1:99999999999999999999/", "http://127.0.0.1:0/", "http://[]/", "http://[::1]:70000/",
           "http://[::1/", "http://localhost:-1/", "http://a:b/", "http://", "http:///", "//:99999/", "http://%00/", "http://%zz/",
           "http+unix://%2Ftmp%2Fa/", "unix:///a", "file:///etc/passwd", "::", "a" * 100_000, "http://" + "a" * 9_000 + "/",
           "http://a@b@127.0.0.1:65536/", "https://127.0.0.1:65536/", "http://127.0.0.1:065536/", "http://\u0663:1/", "\x01"]
    PAGES = ["<a " * 200_000, "<a href=\"" * 200_000, "<a x='" * 200_000, "<" * 2_000_000, "../" * 1_000_000,
             f'<a href="{"../" * 1_000_000}">', "".join(f'<a href="{bad}">' for bad in BAD)]

    def do_GET(self):
        kind, _, number = self.path.strip("/").partition("/")
        if kind == "moved":
            self.answer(302, "", self.BAD[int(number)])
        elif kind == "page" and number.isdigit():
            self.answer(200, self.PAGES[int(number)])
        elif kind:
            self.answer(404, "")
        else:
            pages = [f"page/{number}" for number in range(len(self.PAGES))] + [f"moved/{number}" for number in range(len(self.BAD))]
            self.answer(200, "".join(f'<a href="/{page}">' for page in pages))

    def answer(self, status, text, location=None):
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        body = text.encode()
        self.send_header("Content-Length", str(len(body)))
        if location is not None:
            # As bytes, also those that no library would send.
            self._headers_buffer.append(b"Location: " + location.encode() + b"\r\n")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def link_check():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    began = time.monotonic()
    program = command(PROGRAMS / "link-check", f"http://127.0.0.1:{server.server_port}")
    try:
        said, _ = program.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        program.kill()
        said = "it goes on"
    took = time.monotonic() - began
    server.shutdown()
    expect("link check: its status", program.returncode == 1, (program.returncode, said[-2_000:]))
    for line in ("http://127.0.0.1:65536/: cannot be reached", "0 of them without an answer in time"):
        expect("link check: what it says", line in said, said[-2_000:])
    print(f"tools-attack.py: link check, {DESCRIPTORS} descriptors, {len(Site.PAGES)} pages and {2 * len(Site.BAD)} addresses that "
          f"are none: {took:.1f} s")


inspector()
link_check()
if violations:
    sys.exit("tools-attack.py:\n" + "\n".join(violations))
print("tools-attack.py: no process has ended, and all other requests were answered")
