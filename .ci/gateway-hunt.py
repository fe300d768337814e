#!/usr/bin/env python3
"""Shutdowns, kills and event streams of the gateways of Examples/17-gateway; some minutes, and no part of the gate.

    swift build -c release --package-path Examples/17-gateway && .ci/gateway-hunt.py [100]

For each of the two gateways, in processes of their own:

- shutdowns: the gateway is started, twenty clients ask one after the other, and SIGTERM comes at a moment between 50 ms and
  250 ms. Each request that was sent before must have one complete answer: an item, or a refusal. Each item that the upstream
  service has sent must have reached a client.
- kills: the same with SIGKILL, and the gateway is started again at once. Counted are items, requests
  without an answer, and how long it takes until the first item afterwards.
- streams: 100 open streams of events, as many as a gateway allows. Counted is the resident memory of the process for each.
"""

import asyncio
import json
import random
import signal
import socket
import sys
import time
from pathlib import Path

PROGRAMS = Path(__file__).parent.parent / "Examples" / "17-gateway" / ".build" / "release"
CLIENTS = 20


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


async def started(*command):
    program = await asyncio.create_subprocess_exec(
        *[str(part) for part in command], stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL)
    while line := await program.stdout.readline():
        if b"listens on" in line:
            return program
    sys.exit(f"gateway-hunt.py: {command} has ended before it listened")


class Connection:
    """One kept-alive connection of HTTP/1.1."""

    def __init__(self, port):
        self.port, self.streams = port, None

    async def ask(self, path, headers="", body=None):
        """Status and text. Raises `ConnectionError` or `IncompleteReadError` if there is no complete answer."""
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        length = f"content-length: {len(body)}\r\n" if body else ""
        method = "POST" if body else "GET"
        writer.write(f"{method} {path} HTTP/1.1\r\nhost: localhost\r\n{headers}{length}\r\n{body or ''}".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        size = int(head.split("content-length:")[1].split("\r\n")[0])
        text = (await reader.readexactly(size)).decode()
        if "connection: close" in head:
            self.close()
        return int(head.split(" ")[1]), text

    def close(self):
        if self.streams:
            self.streams[1].close()
        self.streams = None

    def surplus(self):
        """Bytes behind the last answer."""
        return len(self.streams[0]._buffer) if self.streams else 0


BROKEN = (ConnectionError, asyncio.IncompleteReadError)


async def session(port):
    credentials = json.dumps({"name": "ann", "password": "secret"})
    connection = Connection(port)
    status, text = await connection.ask("/sign-in", "content-type: application/json\r\n", credentials)
    connection.close()
    assert status == 200, text
    return f"authorization: Bearer {text}\r\n"


async def upstream_counts(port):
    connection = Connection(port)
    counts = json.loads((await connection.ask("/counts"))[1])
    connection.close()
    return counts


class Seen:
    """What the clients of one round have seen."""

    def __init__(self):
        self.items = self.refused = self.broken = self.wrong = self.lost = 0
        self.pending = {}


async def client(number, port, head, seen, state):
    connection, count = Connection(port), 0
    while not state["over"]:
        count += 1
        name = f"{number}-{count}"
        seen.pending[name] = time.monotonic()
        try:
            status, text = await connection.ask(f"/items/{name}", head)
            if status == 200 and text == f"The item “{name}”.":
                seen.items += 1
            elif status == 503:
                seen.refused += 1
            else:
                seen.wrong += 1
            if connection.surplus():
                seen.wrong += 1
        except ConnectionRefusedError:
            await asyncio.sleep(0.002)
        except BROKEN:
            # The server had accepted it, if it was sent some time before the signal.
            if seen.pending[name] < state.get("signal", float("inf")) - 0.02:
                seen.lost += 1
            seen.broken += 1
            connection.close()
        del seen.pending[name]
        if "program" in state and state["program"].returncode is not None:
            break
    connection.close()


async def shutdowns(kind, rounds, numbers):
    total, violations = Seen(), []
    for round in range(rounds):
        above, port = free_port(), free_port()
        upstream = await started(PROGRAMS / "upstream", above)
        gateway = await started(PROGRAMS / "gateway", kind, port, f"http://127.0.0.1:{above}")
        head, seen = await session(port), Seen()
        state = {"over": False, "program": gateway}
        clients = [asyncio.create_task(client(number, port, head, seen, state)) for number in range(CLIENTS)]
        await asyncio.sleep(numbers.uniform(0.05, 0.25))
        state["signal"] = time.monotonic()
        gateway.send_signal(signal.SIGTERM)
        status = await asyncio.wait_for(gateway.wait(), 30)
        state["over"] = True
        await asyncio.wait_for(asyncio.gather(*clients), 30)
        counts = await upstream_counts(above)
        upstream.kill()
        await upstream.wait()
        for name in ("items", "refused", "broken", "wrong", "lost"):
            setattr(total, name, getattr(total, name) + getattr(seen, name))
        if status != 0 or seen.lost or seen.wrong or counts["answered"] != seen.items or counts["left"]:
            violations.append((round, status, vars(seen), counts))
    print(f"{kind}, {rounds} shutdowns: {total.items} items, {total.refused} refusals, {total.lost} accepted requests lost, "
          f"{total.wrong} wrong or double answers", flush=True)
    return violations


async def kills(kind, rounds, numbers):
    above, port = free_port(), free_port()
    upstream = await started(PROGRAMS / "upstream", above)
    command = (PROGRAMS / "gateway", kind, port, f"http://127.0.0.1:{above}")
    total, waits = Seen(), []
    for _ in range(rounds):
        gateway = await started(*command)
        head, seen = await session(port), Seen()
        state = {"over": False}
        clients = [asyncio.create_task(client(number, port, head, seen, state)) for number in range(CLIENTS)]
        await asyncio.sleep(numbers.uniform(0.05, 0.25))
        gateway.kill()
        killed = time.monotonic()
        await gateway.wait()
        gateway = await started(*command)
        # The sessions were in memory: a client signs in again.
        head = await session(port)
        again = Connection(port)
        status, _ = await again.ask("/items/again", head)
        again.close()
        waits.append(time.monotonic() - killed)
        assert status == 200
        state["over"] = True
        await asyncio.gather(*clients)
        gateway.kill()
        await gateway.wait()
        for name in ("items", "broken"):
            setattr(total, name, getattr(total, name) + getattr(seen, name))
    upstream.kill()
    await upstream.wait()
    waits.sort()
    print(f"{kind}, {rounds} kills: {total.items} items, {total.broken} requests without an answer, "
          f"first item after p50 {waits[len(waits) // 2] * 1000:.0f} ms, maximum {waits[-1] * 1000:.0f} ms", flush=True)


def resident(program):
    lines = Path(f"/proc/{program.pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1])


async def streams(kind, count=100):
    above, port = free_port(), free_port()
    upstream = await started(PROGRAMS / "upstream", above)
    gateway = await started(PROGRAMS / "gateway", kind, port, f"http://127.0.0.1:{above}")
    head = await session(port)
    connection = Connection(port)
    for number in range(200):
        await connection.ask(f"/items/{number}", head)
    before, open_ = resident(gateway), []
    for _ in range(count):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n")
        await reader.readuntil(b"data:")
        open_.append((reader, writer))
    opened = resident(gateway)
    # Each request changes the counts twice or more, and each stream is notified.
    for number in range(100):
        await connection.ask(f"/items/{number}", head)
    told = resident(gateway)
    for _, writer in open_:
        writer.close()
    print(f"{kind}, {count} event streams: {(opened - before) / count:.1f} KB each, {(told - before) / count:.1f} KB after 100 "
          f"requests that all of them were notified of", flush=True)
    for program in (gateway, upstream):
        program.kill()
        await program.wait()


async def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    numbers, violations = random.Random(1), []
    for kind in ("plain", "effect"):
        await streams(kind)
        violations += await shutdowns(kind, rounds, numbers)
        await kills(kind, rounds, numbers)
    for violation in violations:
        print(violation)
    sys.exit(1 if violations else 0)


asyncio.run(main())
