"""Runs the commands of Examples/17-gateway/README.md: both programs, the requests, a shutdown, and a small load.

`python3 .ci/gateway.py` builds the programs, starts them on free ports, and sends the requests of the page in their order. It prints
each violation and exits 1 if there is one. `python3 .ci/gateway.py FOLDER` builds in that folder.
"""

import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "Examples" / "17-gateway"
SCRATCH = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE / ".build"
PROGRAMS = SCRATCH / "debug"

violations = []


def expect(what, holds, found):
    if not holds:
        violations.append(f"{what}: {found!r}")


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def started(*command):
    """Starts a program and waits for the line that names its address."""
    program = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True, bufsize=1)
    for line in program.stdout:
        if "listens on" in line:
            return program
    sys.exit(f"gateway.py: {command[0]} has ended before it listened")


def requests(ports):
    """The lines of the page that send requests, with other ports."""
    page = (PACKAGE / "README.md").read_text()
    block = next(block for block in re.findall(r"^```sh\n(.*?)^```$", page, flags=re.M | re.S) if "session=$(curl" in block)
    for old, new in ports.items():
        block = block.replace(f"localhost:{old}", f"localhost:{new}")
    return [re.sub(r"\s+#.*", "", line) for line in block.splitlines() if line.strip()]


def answer_slowly(listener, calls):
    """An upstream service whose first token never comes whole."""
    def serve(client):
        with client:
            while head := client.recv(65_536):
                body = b"token" if b"/token " in head else b"item"
                calls.append(body)
                whole = body == b"item" or calls.count(b"token") > 1
                client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + (body if whole else b"t"))

    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()


def half_a_token(kind):
    """All requests wait for the token, so it has a limit of its own."""
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=answer_slowly, args=(listener, []), daemon=True).start()
    port = free_port()
    gateway = started(PROGRAMS / "gateway", kind, port, f"http://127.0.0.1:{listener.getsockname()[1]}")
    try:
        session = requests({8080: port})[0]
        # Overlapping, so that a request waits for the token at any time.
        item = f'curl -s -o /dev/null -w "%{{http_code}} " localhost:{port}/items/one -H "authorization: Bearer $session"'
        shell = f"{session}; for i in $(seq 14); do {item} & sleep 0.5; done; wait"
        statuses = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=60).stdout.split()
        expect(f"{kind}: half a token", statuses[0] == "504" and statuses[-1] == "200", statuses)
    finally:
        gateway.kill()


def main():
    subprocess.run(["swift", "build", "--package-path", str(PACKAGE), "--scratch-path", str(SCRATCH)], check=True, stdout=subprocess.DEVNULL)
    above, port = free_port(), free_port()
    upstream = started(PROGRAMS / "upstream", above)
    gateway = started(PROGRAMS / "gateway", "effect", port, f"http://127.0.0.1:{above}")
    try:
        session, item, events, health, slow, failing, counts = requests({8080: port, 8081: above})
        healthy, metrics = health.split("; ")

        def output(command):
            done = subprocess.run(
                ["bash", "-c", f"{session}; {command}"], capture_output=True, text=True, timeout=60)
            return done.stdout

        expect("a sign-in gives a session", output("echo $session").strip(), "")
        expect("an item", "200 OK" in output(item), output(item))
        stream = output(f"{events} --max-time 1")
        expect("server-sent events", stream.startswith("data:"), stream)
        expect("health", output(healthy), "")
        expect("metrics", re.search(r"^\w+ \d+$", output(metrics), re.M), output(metrics))
        output(slow)
        late = output(item)
        expect("a slow upstream leads to 504", "504" in late.split("\n")[0], late)
        output(slow.replace("3000", "1"))
        output(failing)
        again = output(item)
        expect("a request is tried again after `Retry-After`", "200 OK" in again.split("\n")[0], again)
        expect("counts", "token" in output(counts), output(counts))
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{")
            gateway.send_signal(signal.SIGTERM)
            expect("the gateway ends by SIGTERM, without the rest of a request", gateway.wait(timeout=30) == 0, gateway.returncode)
    finally:
        for program in (gateway, upstream):
            program.kill()
    half_a_token("effect")
    half_a_token("plain")
    load = subprocess.run([str(PROGRAMS / "gateway"), "load", "1", "10"], capture_output=True, text=True, timeout=120).stdout
    lines = re.findall(r"^(healthy|slow|failing), (plain|effect): (\d+) of (\d+) requests have their item", load, re.M)
    expect("a load measures both gateways three times", len(lines) == 6, load)
    # A request whose three attempts all fail has no item.
    least = {"healthy": 1, "slow": 1, "failing": 0.95}
    expect("a load loses nothing", all(int(all_) > 0 and int(items) >= least[how] * int(all_) for how, _, items, all_ in lines), load)
    if violations:
        sys.exit("gateway.py:\n" + "\n".join(violations))
    print("gateway.py: the commands of the page do what it says")


main()
