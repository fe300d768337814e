"""Checks the renderings of traces with code that is independent of the code that writes them.

Runs the example `race`, which must have been built, and checks that

- its Chrome trace is JSON and keeps the rules of the Trace Event Format;
- each event as JSON is an object on one line with the common keys;
- what Docs/Timelines.md and the README of the example show is the output of the commands on these pages.

Prints each violation and exits 1 if there is one.
"""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

violations = []
outputs = {}


def violation(place, text):
    violations.append(f"{place}: {text}")


def output(command):
    """What a command prints; run once."""
    if command not in outputs:
        outputs[command] = subprocess.run(
            shlex.split(command), check=True, capture_output=True, text=True).stdout.rstrip("\n")
    return outputs[command]


def not_a_number(text):
    raise ValueError(f"{text} is not JSON")


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def nanoseconds(value):
    """Times are microseconds with three digits; whole numbers can be compared exactly."""
    return round(value * 1000)


# By the phase of an event: what it must have beside a name, a process and a thread.
KEYS = {
    "M": {"args"},
    "X": {"ts", "dur", "cat"},
    "i": {"ts", "s"},
    "s": {"ts", "id", "cat"},
    "f": {"ts", "id", "cat", "bp"},
}


def check_chrome(place, text):
    try:
        trace = json.loads(text, parse_constant=not_a_number)
    except ValueError as error:
        return violation(place, f"no JSON: {error}")
    events = trace["traceEvents"]
    slices, flows, named, last = {}, {}, set(), 0
    for number, event in enumerate(events):
        here = f"{place}, event {number}"
        phase = event.get("ph")
        if phase not in KEYS:
            violation(here, f"unknown phase {phase}")
            continue
        missing = (KEYS[phase] | {"name", "pid", "tid"}) - event.keys()
        if missing:
            violation(here, f"{phase} lacks {sorted(missing)}")
            continue
        if not is_whole(event["pid"]) or not is_whole(event["tid"]):
            violation(here, "pid and tid must be whole numbers")
        if phase == "M":
            if event["name"] == "thread_name":
                named.add(event["tid"])
            continue
        # `json` reads only finite numbers here: NaN and Infinity are refused above, and 1e999 is infinite.
        for key in ("ts", "dur"):
            value = event.get(key, 0)
            if not isinstance(value, (int, float)) or not 0 <= value < 1e300:
                violation(here, f"{key} is {value}")
        time = nanoseconds(event["ts"])
        if time < last:
            violation(here, "is earlier than the one before")
        last = time
        if event["tid"] not in named:
            violation(here, f"thread {event['tid']} has no name")
        if phase == "X":
            slices.setdefault(event["tid"], []).append((time, time + nanoseconds(event["dur"])))
        if phase == "i" and event["s"] not in "gpt":
            violation(here, f"scope {event['s']}")
        if phase in "sf":
            flows.setdefault((event["cat"], event["id"]), []).append((phase, event["tid"], time))
    for thread, list_of_slices in slices.items():
        check_nesting(f"{place}, thread {thread}", list_of_slices)
    for flow, ends in flows.items():
        if [phase for phase, _, _ in ends] != ["s", "f"]:
            violation(place, f"flow {flow} is {[phase for phase, _, _ in ends]}")
        for _, thread, time in ends:
            if not any(start <= time < end for start, end in slices.get(thread, [])):
                violation(place, f"flow {flow} touches no slice of thread {thread} at {time} ns")
    if not slices or not flows:
        violation(place, "shows nothing")


def check_nesting(place, list_of_slices):
    """Two slices of a thread are nested or do not overlap. They come outermost first."""
    around = []
    for start, end in list_of_slices:
        while around and around[-1] <= start:
            around.pop()
        if around and end > around[-1]:
            violation(place, f"the slice from {start} to {end} ns ends after the one around it")
        around.append(end)


def check_events(place, text):
    for number, line in enumerate(text.splitlines(), 1):
        event = json.loads(line, parse_constant=not_a_number)
        if list(event)[:4] != ["number", "time", "cause", "kind"]:
            violation(f"{place}:{number}", f"begins with {list(event)[:4]}")
        if not is_whole(event["time"]) or event["number"] != number:
            violation(f"{place}:{number}", "a number is wrong")


def check_document(path, count):
    """A comment names the command; a line `...` in the block below stands for any lines."""
    blocks = re.findall(r"<!-- (swift run race[^\n]*) -->\n```\w*\n(.*?)\n```", path.read_text(), flags=re.S)
    if len(blocks) != count:
        violation(path, f"shows {len(blocks)} timelines instead of {count}")
    for command, shown in blocks:
        lines = [r"(?:[^\n]*\n)*" if line == "..." else re.escape(line + "\n") for line in shown.split("\n")]
        if not re.fullmatch("".join(lines), output(command) + "\n"):
            violation(path, f"does not show what `{command}` prints")


def main():
    for race in ("naive", "safe"):
        check_chrome(f"chrome {race}", output(f"swift run race --trace chrome {race}"))
        check_events(f"json {race}", output(f"swift run race --trace json {race}"))
    check_document(Path("Docs/Timelines.md"), 2)
    check_document(Path("Examples/11-race/README.md"), 1)


if len(sys.argv) > 1:
    for name in sys.argv[1:]:
        check_chrome(name, Path(name).read_text())
else:
    main()
print("\n".join(violations) if violations else "timelines.py: all hold")
sys.exit(1 if violations else 0)
