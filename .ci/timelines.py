"""Checks the renderings of traces with code that is independent of the code that writes them.

Runs the example `race`, which must have been built, and checks that

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
        check_events(f"json {race}", output(f"swift run race --trace json {race}"))
    check_document(Path("Docs/Timelines.md"), 2)
    check_document(Path("Examples/11-race/README.md"), 1)


main()
print("\n".join(violations) if violations else "timelines.py: all hold")
sys.exit(1 if violations else 0)
