"""What the page that shows a trace exports, for Perfetto and for Mermaid. Part of browser.py.

The tests write traces (`*.jsonl`), also ones that no store would report. Some exports are in `.ci/exported`, as they must be;
for all others the rules of the two formats are checked.
"""

import json
import re
from pathlib import Path

EXPORTED = Path(__file__).resolve().parent / "exported"
# The function of the page, the button, and the end of the file's name.
FORMATS = {"chromeTrace": ("perfetto", ".perfetto.json"), "mermaid": ("mermaid", ".mmd")}
# What has a meaning in Mermaid, or in the tools that show it.
MEAN = ";#1;End %%{init}%% $$x$$ <b>&amp;`c`\"q\"\\n\nend\r\u2028 wrap: nowrap\u202e\0 U->>S: x; {end}"
# By the phase of an event of the Trace Event Format: what it must have beside a name, a process and a thread.
KEYS = {
    "M": {"args"},
    "X": {"ts", "dur", "cat"},
    "i": {"ts", "s"},
    "s": {"ts", "id", "cat"},
    "f": {"ts", "id", "cat", "bp"},
}


def check_exports(files, lines):
    """What is exported can be read by the tools, whatever the texts of the trace are."""
    checks, browser = files.checks, files.browser
    for name in ("everything", "hostile", "large"):
        checks.open(name)
        check_both(checks)
    events = [json.loads(line) for line in lines]
    failed = {"kind": "failed", "error": MEAN}
    for event in events:
        event |= {"action": MEAN} if "action" in event else {"outcome": failed} if "outcome" in event else {}
        for run in (event.get("run"), event.get("source", {}).get("run")):
            if run:
                run |= {"id": MEAN, "input": MEAN, "name": MEAN}
    files.page()
    files.open("mean.jsonl", "\n".join(map(json.dumps, events)))
    check_both(checks)

    files.page()
    expected = sorted(EXPORTED.iterdir())
    for path in sorted(checks.folder.glob("*.jsonl")):
        files.open(path.name, path.read_text())
        checks.place = f"the exports of {path.name}"
        found = check_both(checks)
        for kind, (_, ending) in FORMATS.items():
            if (right := EXPORTED / f"{path.stem}{ending}") in expected:
                checks.expect(f"are not as in {right.name}", found[kind] == right.read_text(), found[kind])
                expected.remove(right)
    checks.expect("no trace for", not expected, expected)
    checks.done()

    checks.open("everything")
    browser.ask("Page.setDownloadBehavior", behavior="allow", downloadPath=str(files.folder))
    for kind, (button, ending) in FORMATS.items():
        browser.run("document.getElementById('export').click()")
        browser.run(f"document.getElementById('{button}').click()")
        path, text = files.folder / f"Everything{ending}", browser.run(f"timeline.{kind}()")
        files.wait(f"saves {path.name}", lambda: path.exists() and path.read_text() == text)
    checks.expect("the dialog is closed", not browser.run("document.getElementById('exports').open"))
    checks.done("-saved")


def check_both(checks):
    texts = {kind: checks.browser.run(f"timeline.{kind}()") for kind in FORMATS}
    check_chrome(checks, texts["chromeTrace"])
    check_mermaid(checks, texts["mermaid"])
    return texts


def not_a_number(text):
    raise ValueError(f"{text} is not JSON")


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def nanoseconds(value):
    """Times are microseconds with three digits; whole numbers can be compared exactly."""
    return round(value * 1000)


def check_chrome(checks, text):
    checks.expect("no markup", "<" not in text)
    slices, flows, named, last = {}, {}, set(), 0
    for event in json.loads(text, parse_constant=not_a_number)["traceEvents"]:
        missing = (KEYS[event["ph"]] | {"name", "pid", "tid"}) - event.keys()
        checks.expect("chrome: has all keys", not missing, event)
        checks.expect("chrome: pid and tid are whole numbers", is_whole(event["pid"]) and is_whole(event["tid"]), event)
        if event["ph"] == "M":
            named |= {event["tid"]} if event["name"] == "thread_name" else set()
            continue
        # `json` reads only finite numbers here: NaN and Infinity are refused above, and 1e999 is infinite.
        times = [event["ts"], event.get("dur", 0)]
        checks.expect("chrome: times are numbers", all(isinstance(time, (int, float)) and 0 <= time < 1e300 for time in times), event)
        time = nanoseconds(event["ts"])
        checks.expect("chrome: times are in order", time >= last, event)
        last = time
        checks.expect("chrome: a thread has a name", event["tid"] in named, event)
        checks.expect("chrome: an instant has a scope", event["ph"] != "i" or event["s"] in "gpt", event)
        if event["ph"] == "X":
            checks.expect("chrome: a slice has a length", event["dur"] > 0, event)
            slices.setdefault(event["tid"], []).append((time, time + nanoseconds(event["dur"])))
        if event["ph"] in "sf":
            flows.setdefault((event["cat"], event["id"]), []).append((event["ph"], event["tid"], time))
    for thread in slices.values():
        check_nesting(checks, thread)
    for flow, ends in flows.items():
        checks.expect("chrome: an arrow has two ends, and a name of its own", [phase for phase, _, _ in ends] == ["s", "f"], flow)
        for _, thread, time in ends:
            touches = any(start <= time < end for start, end in slices.get(thread, []))
            checks.expect("chrome: an arrow touches a slice", touches, f"{flow} at {time} ns")
    checks.expect("chrome: has slices", slices)


def check_nesting(checks, slices):
    """Two slices of a thread are nested or do not overlap. They come outermost first."""
    around = []
    for start, end in slices:
        while around and around[-1] <= start:
            around.pop()
        checks.expect("chrome: a slice is within the one around it", not around or end <= around[-1], f"{start} to {end} ns")
        around.append(end)


def check_mermaid(checks, text):
    checks.expect("mermaid: no sign that moves the text", not re.search("[\x00-\x09\x0b-\x1f\x7f\u2028-\u202e]", text))
    begin, *others = text.split("\n")[:-1]
    checks.expect("is a sequence diagram", begin == "sequenceDiagram", begin)
    for line in others:
        # A number within a word is a letter of a word that would be a keyword.
        plain = re.sub(r"(?<=[a-z])#\d+;(?=[a-z])", "_", line, flags=re.I)
        plain = re.sub(r"#(\d+|quot|lt|gt|amp);", " ", plain)
        # What the diagram itself is made of, before its texts.
        plain = re.sub(r"^  (participant \w+ as|(\w+(->>|-->>|-x|--x)\w+|Note over [\w,]+):|(de)?activate \w+$)", "", plain)
        checks.expect("mermaid: no sign with a meaning", not re.search(r"[;#<>&%$\\`\"]|\b(end|wrap|nowrap)\b", plain, re.I), line)
        checks.expect("mermaid: a line of a known form", not re.match("  (?! )", plain), line)
    active = set()
    for word, name in re.findall(r"^  (activate|deactivate) (\w+)$", text, flags=re.M):
        checks.expect("mermaid: bars begin before they end", (word == "activate") == (name not in active), f"{word} {name}")
        active ^= {name}
