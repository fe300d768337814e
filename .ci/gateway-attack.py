"""Attacks both gateways of Examples/17-gateway on the loopback interface: no process may end, and other requests are answered.

`python3 .ci/gateway-attack.py FOLDER` starts the programs that were built in that folder, each with few file descriptors. It prints
each violation and exits 1 if there is one. It takes about a minute.

- redirects to addresses of every kind: 502, and nothing else is called;
- `Retry-After` in every form: at most three calls, and the client receives the same wait;
- answers that end early: another attempt;
- idle and half connections, twice as many as there are descriptors;
- event streams that never read, and clients that never read their answers;
- a burst with tokens that serve one request each;
- addresses and ports that no library takes.
"""

import concurrent.futures
import email.utils
import http.client
import json
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

PROGRAMS = Path(sys.argv[1]) / "debug"
DESCRIPTORS = 256
# The clients of an attack need twice as many, and some more.
CLIENT_DESCRIPTORS = 4 * DESCRIPTORS
# The longest that a request of another client may take during an attack, in seconds.
PATIENCE = 20

violations = []


def expect(what, holds, found):
    if not holds:
        violations.append(f"{what}: {found!r}")


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def command(*parts, descriptors=DESCRIPTORS):
    def limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
    return subprocess.Popen(
        [str(part) for part in parts], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1, preexec_fn=limit)


def started(*parts):
    program = command(*parts)
    # Its log must not fill the pipe.
    threading.Thread(target=program.stderr.read, daemon=True).start()
    for line in program.stdout:
        if "listens on" in line:
            return program
    sys.exit(f"gateway-attack.py: {parts[0]} has ended before it listened")


class Client:
    """Another client, which only wants an item."""

    def __init__(self, port):
        self.port = port
        status, _, text = self.ask("POST", "/sign-in", json.dumps({"name": "ann", "password": "secret"}))
        assert status == 200, text
        self.session = text

    def ask(self, method, path, body=None, headers={}):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, {"content-type": "application/json", **headers})
            response = connection.getresponse()
            return response.status, response.getheader("retry-after"), response.read().decode()
        except (OSError, http.client.HTTPException) as problem:
            return 0, None, repr(problem)
        finally:
            connection.close()

    def item(self, name="a"):
        return self.ask("GET", f"/items/{name}", headers={"authorization": f"Bearer {self.session}"})


class Wrong:
    """An upstream service that answers each request for an item with the given bytes."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        self.answers, self.paths, self.lock = [], [], threading.Lock()
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            threading.Thread(target=self.serve, args=(self.listener.accept()[0],), daemon=True).start()

    def serve(self, client):
        with client:
            try:
                head = client.recv(65_536)
                path = head.split(b" ")[1].decode() if head else ""
                if path == "/token":
                    answer = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\ntoken"
                else:
                    with self.lock:
                        self.paths.append(path)
                        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
                client.sendall(answer.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
            except OSError:
                pass


ITEM = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nitem"


def redirects(kind, client, upstream):
    own = f"http://127.0.0.1:{upstream.port}/other"
    places = [own, "/other", "", "//127.0.0.1:99999/", "http://127.0.0.1:65536/", "http://127.0.0.1:99999999999999999999/",
              "http://[::1]:70000/", "http://[]/", "http://localhost:-1/", "http://localhost:0/", "http://169.254.169.254/",
              "unix:///tmp/a", "http+unix://%2Ftmp%2Fa/", "https+unix://a:99999/", "file:///etc/passwd", "http://", "::", "a" * 9_000]
    for status in (301, 302, 303, 307, 308):
        for place in places:
            upstream.answers[:] = [f"HTTP/1.1 {status} No\r\nLocation: {place}\r\nContent-Length: 5\r\n\r\nother".encode()]
            found = client.item()
            expect(f"{kind}: a redirect {status} to {place[:40]}", found[0] == 502, found)
    expect(f"{kind}: a redirect is not followed", set(upstream.paths) == {"/items/a"}, set(upstream.paths))


def waits(kind, client, upstream):
    soon = email.utils.formatdate(time.time() + 900, usegmt=True)
    forms = [("60", "60"), ("0060", "60"), ("9" * 21, "3600"), ("9" * 5_000, "3600"), ("3601", "3600"), ("-1", "1"), ("soon", "1"),
             ("1.5", "1"), ("", "1"), (soon, range(800, 901)), ("Sun, 06 Nov 1994 08:49:37 GMT", "1"),
             ("Fri, 31 Dec 9999 23:59:59 GMT", "3600")]
    for status in (429, 503):
        for text, told in forms:
            upstream.paths.clear()
            upstream.answers[:] = [f"HTTP/1.1 {status} No\r\nRetry-After: {text}\r\nContent-Length: 0\r\n\r\n".encode()]
            found = client.item()
            is_told = int(found[1] or 0) in told if isinstance(told, range) else found[1] == told
            most = 1 if told not in ("1",) else 3
            expect(f"{kind}: {status} with Retry-After {text[:40]!r}", found[0] == 503 and is_told and len(upstream.paths) <= most,
                   (found, len(upstream.paths)))
    # The third call would come at the deadline.
    upstream.paths.clear()
    upstream.answers[:] = [b"HTTP/1.1 503 No\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n"]
    begin = time.monotonic()
    found = client.item()
    took = time.monotonic() - begin
    expect(f"{kind}: the rest of the deadline", found[:2] == (503, "1") and len(upstream.paths) == 2 and took < 1.8, (found, took))
    # 16 places, and 16 calls that wait.
    upstream.answers[:] = [b"HTTP/1.1 429 No\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n"] * 16 + [ITEM]
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        waiting = [pool.submit(client.item) for _ in range(16)]
        while len(upstream.answers) > 1:
            time.sleep(0.01)
        begin = time.monotonic()
        found = client.item()
        took = time.monotonic() - begin
        expect(f"{kind}: a call that waits has no place", found[0] == 200 and took < 0.7, (found, took))
        found = [call.result()[0] for call in waiting]
        expect(f"{kind}: calls that have waited", set(found) == {200}, found)


def early_ends(kind, client, upstream):
    for half in (b"", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"):
        upstream.answers[:] = [half, ITEM]
        found = client.item()
        expect(f"{kind}: an answer that ends after {half[:40]!r}", found[0] == 200, found)


def opened(port, text, count, is_read=True):
    """Connections that send this and no more. Those that do not get through within a second are left out."""
    connections = []
    for _ in range(count):
        connection = socket.socket()
        if not is_read:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
        connection.settimeout(1)
        try:
            connection.connect(("127.0.0.1", port))
            connection.setblocking(False)
            connection.send(text)
        except OSError:
            pass
        connections.append(connection)
    return connections


def floods(kind, gateway, port, client):
    for name, text in [
        ("idle", b""),
        ("half a head", b"GET /health HTTP/1.1\r\nHost: a\r\nX: "),
        ("half a body", b"POST /sign-in HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\n{"),
        ("answered, and half a body", b"GET /items/a HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\n{"),
        ("answered, and idle", b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("answers that are not read", b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n" * 20),
        ("streams that are not read", b"GET /events HTTP/1.1\r\nHost: a\r\n\r\n"),
    ]:
        connections = opened(port, text, 2 * DESCRIPTORS, is_read="read" not in name)
        begin = time.monotonic()
        found = [client.item() for _ in range(5)]
        took = time.monotonic() - begin
        for connection in connections:
            connection.close()
        expect(f"{kind}: {name}", all(status == 200 for status, _, _ in found), found)
        expect(f"{kind}: {name}: the process has ended", gateway.poll() is None, gateway.returncode)
        print(f"gateway-attack.py: {kind}, {len(connections)} connections, {name}: 5 items in {took:.1f} s", flush=True)
        if gateway.poll() is not None:
            return


def with_wrong_upstream(kind):
    upstream, port = Wrong(), free_port()
    gateway = started(PROGRAMS / "gateway", kind, port, f"http://127.0.0.1:{upstream.port}")
    try:
        client = Client(port)
        for attack in (redirects, waits, early_ends):
            attack(kind, client, upstream)
            expect(f"{kind}: {attack.__name__}: the process has ended", gateway.poll() is None, gateway.returncode)
            if gateway.poll() is not None:
                return
    finally:
        gateway.kill()


def with_good_upstream(kind):
    above, port = free_port(), free_port()
    upstream = started(PROGRAMS / "upstream", above)
    gateway = started(PROGRAMS / "gateway", kind, port, f"http://127.0.0.1:{above}")
    try:
        client = Client(port)
        floods(kind, gateway, port, client)
        if gateway.poll() is not None:
            return
        # A request of its own, because the upstream service is asked directly.
        status, _, text = Client.ask(type("", (), {"port": above})(), "POST", "/control", json.dumps({"failureStatus": 99999}))
        expect(f"{kind}: a status that is none", status == 400, (status, text))
        Client.ask(type("", (), {"port": above})(), "POST", "/control", json.dumps({"tokenUses": 1}))
        with concurrent.futures.ThreadPoolExecutor(80) as pool:
            found = [call.result()[0] for call in [pool.submit(client.item) for _ in range(80)]]
        # On a slow machine the deadline may come before the last token.
        expect(f"{kind}: a burst with tokens for one use", set(found) <= {200, 504} and found.count(200) >= 40, found)
        print(f"gateway-attack.py: {kind}, a burst with tokens for one use: {found.count(200)} of 80 items", flush=True)
        gateway.send_signal(signal.SIGTERM)
        expect(f"{kind}: a shutdown after all of it", gateway.wait(timeout=30) == 0, gateway.returncode)
    finally:
        gateway.kill()
        upstream.kill()


def arguments():
    """Programs that cannot work say so, and do not trap."""
    for parts in [
        ("gateway", "effect", "65536"), ("gateway", "plain", "-1"), ("gateway", "plain", "9" * 30), ("upstream", "65536"), ("upstream", "a"),
        *[("gateway", "effect", "0", address) for address in ("http://127.0.0.1:99999", "http://[]", "localhost", "unix:///a", "http://a:b")],
        ("gateway", "load", "-1"), ("gateway", "load", "9" * 18), ("gateway", "load", "1", "-5"),
    ]:
        program = command(PROGRAMS / parts[0], *parts[1:])
        try:
            text = program.communicate(timeout=10)[1]
        except subprocess.TimeoutExpired:
            program.kill()
            text = "it runs"
        expect(f"{' '.join(parts)}", program.returncode == 64, (program.returncode, text[-200:]))
    program = command(PROGRAMS / "gateway", "effect", "0", descriptors=48)
    try:
        text = program.communicate(timeout=10)[1]
    except subprocess.TimeoutExpired:
        program.kill()
        text = "it runs"
    expect("48 descriptors", program.returncode == 64, (program.returncode, text[-200:]))


def main():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, CLIENT_DESCRIPTORS), hard), hard))
    arguments()
    for kind in ("plain", "effect"):
        with_wrong_upstream(kind)
        with_good_upstream(kind)
    if violations:
        sys.exit("gateway-attack.py:\n" + "\n".join(violations))
    print("gateway-attack.py: no process has ended, and all other requests were answered")


main()
