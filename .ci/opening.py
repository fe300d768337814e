"""What the page that shows a trace does with files: it opens them, from links too. Part of browser.py."""

import functools
import http.server
import json
import re
import shutil
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import quote

from exports import check_exports

FILES = Path(__file__).resolve().parent.parent / "Sources/EffectTesting/Timeline/Page"


def lines(runs, first=1):
    """The events of runs that start and end, one in each line."""
    made = []

    def add(at, kind, **more):
        made.append({"number": first + len(made), "time": at, "cause": None if kind == "accepted" else first + len(made) - 1,
                     "kind": kind, **more})

    for number in range(1, runs + 1):
        at = number * 10_000_000
        run = {"number": number, "id": '"search"', "input": f'"{number}"', "name": None, "overlap": "restart",
               "site": "App/Search.swift:14", "tree": False}
        user = {"kind": "user", "dispatch": number, "site": "App/Search.swift:9"}
        for kind in ("accepted", "reduced"):
            add(at, kind, action=f'.typed("{number}")', source=user)
        add(at, "registered", run=run, place="starting", until=None)
        add(at, "started", run=run, attempt=1)
        add(at, "sleeping", run=run, until=at + 5_000_000)
        for kind in ("accepted", "reduced"):
            add(at + 6_000_000, kind, action=f'.found("{number}")', source={"kind": "run", "run": run})
        add(at + 6_000_000, "ended", run=run, outcome={"kind": "finished", "error": None, "reason": None})
    return [json.dumps(event, separators=(",", ":")) for event in made]


# In the page: the same for 100,000 events, as a file.
MANY = """(async () => {
  const [first, ...others] = FIRST, lines = [];
  for (let run = 0; run < 12500; run += 1) for (const line of [first, ...others]) {
    const event = JSON.parse(line), from = run * 8, at = run * 10000000;
    event.number += from;
    event.time += at;
    if (event.cause) event.cause += from;
    if (event.until) event.until += at;
    for (const value of [event.run, event.source?.run]) if (value) value.number += run;
    lines.push(JSON.stringify(event));
  }
  window.many = new File([lines.join("\\n") + "\\n"], "many.jsonl");
  return many.size;
})()"""
# The time until they are drawn.
OPEN_MANY = """(async () => {
  const start = performance.now();
  await timeline.open(many);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return performance.now() - start;
})()"""


def page(connections="; connect-src http: https:", title="Timeline", events=""):
    """The page that opens traces, made as `TracePage` of the library does. Only this page may connect: it opens links."""
    texts = {"connections": connections, "title": title, "events": events}
    return re.sub(r"\{\{([\w.-]+)\}\}", lambda found: texts[found[1]] if found[1] in texts
                  else (FILES / found[1]).read_text().removesuffix("\n"), (FILES / "timeline.html").read_text())


class Files:
    """The checks with a page that has no events."""

    def __init__(self, checks, folder):
        self.checks, self.browser, self.folder = checks, checks.browser, Path(folder)
        self.path = self.folder / "timeline.html"
        self.path.write_text(page())

    def page(self, width=1280, height=800, scheme="light", query=""):
        self.checks.place = f"opening at {width}, {scheme}"
        self.browser.open(self.path.as_uri() + query, width, height, scheme)

    def text(self, name):
        return self.browser.run(f"document.getElementById('{name}').textContent")

    def open(self, name, text):
        """By the function that the button, the drop and the link call."""
        self.browser.run(f"timeline.open(new File([{json.dumps(text)}], {json.dumps(name)}))")
        self.browser.frame()
        return self.checks.seen()["events"], self.text("notice")

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def wait(self, what, holds):
        ends = time.monotonic() + 10
        while not (found := holds()) and time.monotonic() < ends:
            time.sleep(0.05)
        self.checks.expect(what, found)
        return found


def check_ways(files):
    """The button and a dropped file."""
    checks, browser = files.checks, files.browser
    for width, height in ((1280, 800), (390, 844)):
        for scheme in ("light", "dark"):
            files.page(width, height, scheme)
            checks.expect("says how a trace is opened", browser.run("document.getElementById('empty').innerText").startswith("No trace is open.\nOpen a file"))
            checks.expect("nothing to export", browser.run("document.getElementById('export').disabled"))
            checks.done("-empty")
            files.open("cut.jsonl", "\n".join(lines(6)[:45]) + '\n{"number":46,"ti')
            checks.done("-notice")
            browser.run("document.getElementById('export').click()")
            browser.frame()
            checks.done("-export")

    checks.expect("is the page of the library", page(connections="") == (checks.folder / "empty.html").read_text())

    files.page()
    path = files.file("three.jsonl", "\n".join(lines(3)) + "\n")
    field = browser.ask("Runtime.evaluate", expression="document.getElementById('file')")["result"]["objectId"]
    browser.ask("DOM.setFileInputFiles", files=[path], objectId=field)
    files.wait("opens a chosen file", lambda: checks.seen()["events"] == 24)
    checks.expect("the heading is its name", files.text("title") == "three.jsonl", files.text("title"))
    checks.expect("and it is said", files.text("said") == "Opened three.jsonl.", files.text("said"))
    browser.run("document.getElementById('search').value = 'typed'")
    browser.run("document.getElementById('search').dispatchEvent(new Event('input'))")
    browser.run("document.getElementById('chart').focus()")
    browser.press("n")

    path = files.file("two <b>.jsonl", "\r\n".join(lines(2)) + "\r\n\r\n")
    data = {"items": [], "files": [path], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver"):
        browser.ask("Input.dispatchDragEvent", type=kind, x=400, y=300, data=data)
    checks.expect("shows where a file can be dropped", browser.run("getComputedStyle(document.body).outlineStyle") == "dashed")
    browser.ask("Input.dispatchDragEvent", type="drop", x=400, y=300, data=data)
    files.wait("opens a dropped file, instead of what was there", lambda: checks.seen()["events"] == 16)
    browser.frame()
    seen = checks.seen()
    checks.expect("nothing of the old trace is left", seen["runs"] == seen["lanes"] == 2 and seen["matching"] == 16
                  and seen["selected"] is None, seen)
    checks.expect("the name is text", files.text("title") == "two <b>.jsonl", files.text("title"))
    checks.expect("there is no notice", files.text("notice") == "", files.text("notice"))
    checks.done("-dropped")


def check_lines(files):
    """Files that are no trace, or not a whole one."""
    checks, good = files.checks, lines(3)
    files.page(query="?title=%3Cb%3ERuns%3C/b%3E")
    checks.expect("the address has the title", files.text("title") == "<b>Runs</b>" == files.browser.run("document.title"))
    checks.expect("which is text", files.browser.run("document.querySelector('h1 b')") is None)
    events, notice = files.open("a.jsonl", "\n".join(good[:5] + ['{"number":6,'] + good[6:]))
    checks.expect("a broken line is left out and named", events == 23 and "Line 6 is no event and left out." in notice, notice)
    wrong = ['{"number":1}', "[1]", "null", "Server started", '{"number":2,"time":0,"kind":"started","run":5}',
             '{"number":2,"time":0,"kind":"accepted","action":".a","source":null}',
             '{"number":2,"time":0,"kind":"status","status":7}', '{"number":2,"time":"0","kind":"x"}',
             '{"number":2,"time":0,"kind":"registered","run":{"number":1},"place":"constructor"}']
    events, notice = files.open("b.jsonl", "\n".join(wrong + good))
    checks.expect("so are lines that are no events", events == 24 and "Lines 1, 2, 3, 4, 5 and 4 more are no" in notice, notice)
    events, notice = files.open("c.jsonl", "\n".join(good)[:-20])
    checks.expect("a last line that is cut off", events == 23 and "The last line is cut off and left out." in notice, notice)
    checks.expect("is not broken", "no event" not in notice, notice)
    events, notice = files.open("d.jsonl", "\n".join(good + lines(1)) + "\n")
    checks.expect("the last trace of several", events == 8 and "2 traces in sequence; this is the last" in notice, notice)
    expected = "is not a trace: expected is one event a line, as TraceEvent.json writes it."
    for name, text in (("e.png", "\x89PNG\r\n\x1a\n"), ("f.json", json.dumps([json.loads(line) for line in good])), ("g", "")):
        events, notice = files.open(name, text)
        checks.expect("no trace: one sentence, and what was shown stays", events == 8 and notice == f"{name} {expected}", notice)
    events, notice = files.open("h.jsonl", '{"number":1,"time":5,"cause":null,"kind":"later","text":7,"since":3,"index":9}\n')
    checks.expect("kinds that are not known have a name", events == 1 and notice == "", notice)
    files.browser.press("l")
    checks.expect("in the list", "later" in files.text("rows"), files.text("rows"))
    checks.done("-lines")


def check_many(files):
    def used():
        """The time of the processor that the page has used: a busy machine is no error."""
        metrics = files.browser.ask("Performance.getMetrics")["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "ProcessTime")

    files.page()
    size = files.browser.run(MANY.replace("FIRST", json.dumps(lines(1))))
    files.browser.ask("Performance.enable", timeDomain="threadTicks")
    before = used()
    time = files.browser.run(OPEN_MANY)
    spent = used() - before
    print(f"100,000 events, {size / 1e6:.0f} MB: opened and drawn in {time:.0f} ms, {spent * 1000:.0f} ms of the processor")
    seen = files.checks.seen()
    files.checks.expect("all are there", seen["events"] == 100_000 and seen["runs"] == 12_500, seen["events"])
    files.checks.expect("opens in time", spent < 2, spent)
    mermaid = files.browser.run("timeline.mermaid()")
    files.checks.expect("a diagram that can be read", len(mermaid.splitlines()) < 260 and "12 of 12500 runs" in mermaid)
    size = files.browser.run("timeline.chromeTrace().length")
    files.checks.expect("all for Perfetto", size > 10_000_000, size)
    files.checks.done("-many")


def check_links(files):
    """A link is opened by the page that has no events, and by no other."""
    checks, browser, folder = files.checks, files.browser, files.folder
    shutil.copy(checks.folder / "empty.html", folder)
    files.file("linked trace.jsonl", "\n".join(lines(2)))

    class Quiet(http.server.SimpleHTTPRequestHandler):
        asked = []

        def log_message(self, *_):
            self.asked.append(self.path)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    here = f"http://127.0.0.1:{server.server_port}"
    browser.trusted += (here,)
    try:
        for form, address in (("of the same folder", "linked%20trace.jsonl"),
                              ("as it is", f"{here}/linked%20trace.jsonl?a=b&c=%2F"),
                              ("encoded", quote(f"{here}/linked%20trace.jsonl", safe=""))):
            checks.place = f"a link {form}"
            browser.open("about:blank")
            browser.open(f"{here}/timeline.html?title=Runs#open={address}")
            files.wait("is opened", lambda: checks.seen()["events"] == 16)
            checks.expect("the title is that of the page", files.text("title") == "Runs", files.text("title"))
            checks.done()
        checks.place = "a link to nothing"
        browser.run("location.hash = '#open=nothing.jsonl'")
        files.wait("says so", lambda: files.text("notice") == "Runs cannot be read: the server answers 404.")
        browser.complaints.clear()
        checks.expect("the policy forbids everything else", browser.run(
            "new Promise((done) => { const script = document.createElement('script'); script.onerror = () => done(true);"
            "script.onload = () => done(false); script.src = 'linked%20trace.jsonl'; document.body.append(script); })"))
        browser.complaints.clear()
        checks.place = "a link, to a page that may not connect"
        browser.open("about:blank")
        Quiet.asked.clear()
        browser.open(f"{here}/empty.html#open=linked%20trace.jsonl")
        browser.frame()
        checks.expect("is ignored", checks.seen()["events"] == 0 and Quiet.asked == ["/empty.html"], Quiet.asked)
        checks.done()
        checks.place = "a frame"
        files.file("frame.html", '<!DOCTYPE html><link rel="icon" href="data:,"><iframe width="800" height="600" '
                   'src="timeline.html?title=Runs#open=linked%20trace.jsonl"></iframe>')
        browser.open(f"{here}/frame.html")
        browser.run(f"frames[0].timeline.append([{','.join(lines(1))}])")
        browser.frame()
        events = browser.run("frames[0].timeline.inspect().events")
        checks.expect("takes events from the page around it, and from no link", events == 8, events)
        shown = browser.run("['open', 'how', 'export'].map((id) => !frames[0].document.getElementById(id).hidden)")
        checks.expect("opens no files, and exports", shown == [False, False, True], shown)
        checks.expect("has the title", browser.run("frames[0].document.getElementById('title').textContent") == "Runs")
        checks.look({})
    finally:
        server.shutdown()
        server.server_close()


def check_opening(checks):
    with tempfile.TemporaryDirectory() as folder:
        files = Files(checks, folder)
        for check in (check_ways, check_lines, check_many, check_links):
            check(files)
        check_exports(files, lines(2))
