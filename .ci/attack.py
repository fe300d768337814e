"""What programs on this machine try against the inspector: clients that send nothing more, or read nothing.

Used by `inspector.py`. They know the token. Prints what it has measured.
"""

import os
import re
import select
import socket
import time
from pathlib import Path

READERS = 24
# What `Limits.swift` says: seconds, and exports at the same time. While one is made, it is in memory twice: as a recording, of
# which 64 MB are the actions and notes, and as its text.
IDLE, EXPORTS, MEGABYTES = 30, 2, 2 * 2 * 64


class Target:
    """A running inspector."""

    def __init__(self, address, process):
        self.host, self.token = address.removeprefix("http://").rstrip("/").split("/")
        self.folder = Path(f"/proc/{process}")

    def request(self, path, method="GET", headers=()):
        lines = [f"{method} /{self.token}/{path} HTTP/1.1", f"Host: {self.host}", *headers]
        return "".join(f"{line}\r\n" for line in lines + [""]).encode()

    def connect(self, sent, receives=None):
        client = socket.socket()
        if receives:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
        client.settimeout(20)
        name, port = self.host.split(":")
        client.connect((name, int(port)))
        client.sendall(sent)
        return client

    def seconds(self):
        """How long a small request takes."""
        began = time.monotonic()
        with self.connect(self.request("rows?store=1&before=9", headers=["Connection: close"])) as client:
            try:
                answered = client.recv(12) == b"HTTP/1.1 200"
                while client.recv(65_536):
                    pass
            except TimeoutError:
                answered = False
        return time.monotonic() - began if answered else float("inf")

    def megabytes(self):
        """What it has in memory."""
        return int(re.search(r"VmRSS:\s*(\d+)", (self.folder / "status").read_text())[1]) / 1024

    def files(self):
        return len(os.listdir(self.folder / "fd"))


def check(address, process):
    """Violations of the time that idle clients are kept, while slow clients want exports."""
    target = Target(address, process)
    before, files = target.megabytes(), target.files()
    json = ["Content-Type: application/json", "Content-Length: 9"]
    silent = {
        target.connect(sent): name
        for name, sent in {
            "nothing": b"", "half a head": target.request("")[:60], "half a body": target.request("send", "POST", json) + b"{",
            "nothing behind an answer": target.request("rows?store=1&before=9"),
        }.items()}
    stream = target.connect(target.request("events?store=1"))
    began = time.monotonic()
    readers = [target.connect(target.request("recording?store=1"), receives=4_096) for _ in range(READERS)]
    statuses, latencies, most, ended = {}, [], before, {}
    # The connections of the readers are counted at the server, because who does not read does not see the end.
    while time.monotonic() - began < 3 * IDLE and (len(ended) < len(silent) or target.files() > files + 1):
        latencies.append(target.seconds())
        most = max(most, target.megabytes())
        waiting = [client for client in readers if client not in statuses]
        for client in select.select(waiting + [client for client in silent if client not in ended] + [stream], [], [], 0.1)[0]:
            # Of an answer only its status is read.
            read = client.recv(12 if client in waiting else 65_536)
            if client in waiting:
                statuses[client] = read[9:].decode()
            elif not read:
                ended[client] = time.monotonic() - began
    exports, refused = (list(statuses.values()).count(status) for status in ("200", "503"))
    took = time.monotonic() - began
    violations = [f"a client that sends {silent[client]} is closed after {ended.get(client, took):.0f} s" for client in silent
                  if not IDLE - 1 < ended.get(client, took) < IDLE + 15]
    for holds, text in (
        (stream not in ended, "a stream that is read is closed"),
        (target.files() <= files + 1, f"slow readers are not closed after {took:.0f} s"),
        (took > IDLE, f"slow readers are closed after {took:.0f} s"),
        ((exports, refused) == (EXPORTS, READERS - EXPORTS), f"slow readers got {list(statuses.values())}"),
        (max(latencies) < 1, f"beside slow readers a request takes {max(latencies):.1f} s"),
        (most - before < MEGABYTES, f"slow readers cost {most - before:.0f} MB"),
    ):
        violations += [] if holds else [text]
    for client in [*silent, stream, *readers]:
        client.close()
    print(f"attack.py: {READERS} clients that do not read exports of 100,000 actions: {exports} answered, {refused} refused, all "
          f"closed after {took:.0f} s; memory {before:.0f} MB before, {most:.0f} MB at most ({MEGABYTES} MB more allowed); "
          f"{len(latencies)} requests beside them, the slowest {max(latencies) * 1000:.0f} ms")
    print("attack.py: closed were clients that sent "
          + ", ".join(f"{silent[client]} after {seconds:.1f} s" for client, seconds in ended.items() if client in silent))
    return violations
