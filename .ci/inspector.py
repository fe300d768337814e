"""Opens the inspector in a headless Chromium and uses it, by keyboard and by mouse.

`python3 .ci/inspector.py [PICTURES]` starts the demo that has been built (`swift build --package-path
Examples/WithPackages --product inspector-demo`) with more actions than a history keeps, and checks the page.
Prints how long jumps take in the page, then each violation, and exits 1 if there is one.
"""

import http.client
import json
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

import attack
import foreign
from browser import NAMELESS, Browser, Findings

RACE_LAB = __import__("race-lab")
PACKAGE = Path(__file__).parent.parent / "Examples" / "WithPackages"
SENT = 120_000

# Texts that are cut off, so that they cannot be read. Rows of the list are cut on purpose: the selected one is shown whole.
CLIPPED = """[...document.querySelectorAll("button, label, h1, h2, h3, p, select, .button, #runs li")]
  .filter((element) => element.checkVisibility() && element.scrollWidth > element.clientWidth + 1)
  .map((element) => element.textContent.slice(0, 40))"""


class Checks(Findings):
    def __init__(self, browser, address, pictures):
        super().__init__(browser, pictures)
        self.address = address

    def open(self, width=1280, height=900, scheme="light"):
        self.place = f"inspector at {width}, {scheme}"
        self.browser.open(self.address, width, height, scheme)
        self.wait("document.querySelectorAll('#stores button').length >= 2", "lists the stores")

    def text(self, selector):
        return self.browser.run(f"document.querySelector({json.dumps(selector)})?.textContent ?? ''")

    def wait(self, condition, what):
        if not self.browser.run(RACE_LAB.UNTIL % condition):
            self.expect(what, False, self.browser.run("document.body.innerText.slice(0, 600)"))

    def click(self, selector):
        """By the mouse."""
        x, y = self.browser.run(f"""(() => {{
          const element = document.querySelector({json.dumps(selector)});
          element.scrollIntoView({{ block: "center" }});
          const box = element.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.mouse(kind, x, y, button="left", clickCount=1)
        self.browser.frame()

    def keys(self, *keys):
        for key in keys:
            self.browser.press(key)

    def focus(self, element):
        """By the tab key."""
        focused = "document.activeElement.id"
        for _ in range(60):
            if self.browser.run(focused) == element:
                return
            self.browser.press("Tab")
        self.expect(f"the tab key leads to {element}", False, self.browser.run(focused))

    def show(self, store):
        self.wait(f"[...document.querySelectorAll('#stores button')].some((button) => button.textContent.startsWith({json.dumps(store)}))",
                  f"lists {store}")
        number = self.browser.run(
            f"[...document.querySelectorAll('#stores button')].find((button) => button.textContent.startsWith({json.dumps(store)})).id")
        self.click(f"#{number}")
        self.wait(f"document.getElementById('{number}').ariaPressed === 'true'", f"shows {store}")

    def jump(self, position):
        """By the keyboard; returns the milliseconds that the page has measured."""
        self.browser.run("document.activeElement.blur(); document.getElementById('took').textContent = ''")
        self.keys("g")
        self.browser.type(str(position))
        self.keys("Enter")
        # The newest action, which is shown after a store was opened, may come just before; a position that is not kept
        # is refused.
        self.wait(
            "((took) => took.includes('not kept') || took !== '' && new URL(document.getElementById('recording').href)"
            f".searchParams.get('upTo') === '{position}')(document.getElementById('took').textContent)",
            f"jumps to {position}")
        return float(self.browser.run("document.getElementById('took').dataset.milliseconds"))

    def done(self, name):
        contrasts = RACE_LAB.CONTRASTS.replace("li, legend", "li, h2, h3, span, small, pre, summary, a, legend")
        self.look({"contrast": contrasts, "clipped": CLIPPED, "no name": NAMELESS}, f"-{name}")


def check_history(checks):
    """Jumps to many positions; the oldest is a checkpoint, and what is older is refused."""
    browser = checks.browser
    checks.open()
    checks.show("search")
    checks.wait("document.getElementById('count').textContent.includes('kept')", "counts")
    reduced, kept = [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", checks.text("#count"))[:2]]
    checks.expect("all are counted", reduced >= SENT, reduced)
    checks.expect("the newest 100,000 are kept, and little more", 100_000 <= kept < 101_000, kept)
    oldest = reduced - kept
    times = []
    for part in range(40):
        position = oldest + 1 + kept * part // 40
        times.append(checks.jump(position))
        checks.expect("shows the action", f"queryChanged(\"query {position - 1}\")" in checks.text("#moment-title"), checks.text("#moment-title"))
        difference = checks.text("#difference")
        checks.expect("shows what it changed", f"query {position - 2}" in difference and f"query {position - 1}" in difference, difference)
    print(f"inspector.py: {len(times)} jumps into {kept:,} actions, measured in the page: "
          f"median {statistics.median(times):.0f} ms, slowest {max(times):.0f} ms")
    # On a busy machine a single jump may take longer.
    checks.expect("a jump takes less than 100 ms", statistics.median(times) < 100, times)
    checks.jump(oldest)
    checks.expect("the oldest is a checkpoint", "which actions led to it is not kept" in checks.text("#moment-source"), checks.text("#moment-source"))
    checks.jump(oldest - 1)
    checks.expect("older ones are refused", checks.text("#took").startswith(f"Position {oldest - 1} is not kept"), checks.text("#took"))
    refused(checks, 404)
    checks.done("history")
    return reduced


def refused(checks, status):
    """The browser logs each answer that reports an error."""
    expected = [text for text in checks.browser.complaints if f"status of {status}" in text]
    checks.expect(f"the server answers {status}", len(expected) >= 1, checks.browser.complaints)
    checks.browser.complaints[:] = [text for text in checks.browser.complaints if text not in expected]


def check_live(checks):
    """New actions appear; a pause keeps the list as it is, and says what is missing."""
    checks.open()
    checks.show("orders")
    position = "Number(document.querySelector('#list li').dataset.position)"
    checks.wait("document.querySelector('#list li[data-position]')", "lists actions")
    first = checks.browser.run(position)
    checks.wait(f"{position} > {first + 2}", "new actions appear")
    checks.wait("document.getElementById('moment-title').textContent === '.arrived' || document.getElementById('moment-title').textContent.startsWith('.sent')",
                "follows the newest action")
    work = checks.text("#runs")
    checks.expect("lists active work", "orders" in work, work)
    checks.browser.run("document.activeElement.blur()")
    checks.keys(" ")
    checks.expect("is paused", checks.text("#pause") == "Resume", checks.text("#pause"))
    paused = checks.browser.run(position)
    checks.wait("/[3-9] newer not shown/.test(document.getElementById('count').textContent)", "says what is missing")
    checks.expect("the list is as it was", checks.browser.run(position) == paused)
    checks.click("#list li:nth-child(3)")
    checks.wait(f"document.querySelector('#list [aria-selected=true]')?.dataset.position == {paused - 2}", "a click selects")
    checks.keys("ArrowUp")
    checks.wait(f"document.querySelector('#list [aria-selected=true]')?.dataset.position == {paused - 1}", "an arrow key selects the next")
    checks.wait("document.querySelector('iframe')", "draws the runs")
    shown = drawn(checks)
    checks.expect("marks what is selected", shown["marked"] is not None and shown["from"] < shown["to"], shown)
    checks.expect("equal times of a timer are not cut", shown["cuts"] == [], shown)
    checks.done("live")
    checks.click("#pause")
    checks.wait(f"{position} > {paused + 2}", "goes on where the store is")


def check_search(checks):
    """Finds actions far back, by their text and by where they come from."""
    checks.open()
    checks.show("search")
    checks.browser.run("document.activeElement.blur()")
    checks.keys("/")
    checks.browser.type("query 54321")
    checks.wait("document.querySelector('#list li[data-position]')?.dataset.position === '54322'", "finds it")
    checks.expect("finds only it", checks.browser.run("document.querySelectorAll('#list li').length") == 1)
    checks.click("#list li")
    checks.wait("document.getElementById('moment-title').textContent.includes('query 54321')", "selects it")
    checks.browser.run("document.getElementById('search').focus(); document.getElementById('search').select()")
    checks.browser.type("found")
    checks.wait("document.querySelectorAll('#list li[data-position]').length === 1", "finds the answer of a run")
    checks.expect("with its source", "from run" in checks.text("#list li .note"), checks.text("#list li"))
    checks.browser.run("document.getElementById('search').select()")
    checks.browser.type("query")
    checks.wait("document.querySelectorAll('#list li[data-position]').length >= 40", "lists many")
    listed = checks.browser.run("document.querySelectorAll('#list li').length")
    checks.focus("older")
    checks.keys("Enter")
    checks.wait(f"document.querySelectorAll('#list li').length === {listed + 100}", "shows older ones")


def check_fork(checks, reduced):
    """A fork begins with the state of its position, takes actions without effects, is continued, and is dropped."""
    browser = checks.browser
    checks.open()
    checks.show("search")
    checks.jump(reduced - 4)
    browser.run("document.activeElement.blur()")
    checks.keys("f")
    name = f"search @ {reduced - 4}"
    checks.wait(f"document.querySelector('#stores [aria-pressed=true]')?.textContent.startsWith('{name}')", "shows the fork")
    checks.wait(f"document.getElementById('moment-title').textContent === 'The state at 0'", "shows the state of its position")
    checks.expect("it counts its own actions", checks.text("#count") == "0 reduced, 0 kept", checks.text("#count"))
    checks.expect("it can be continued and dropped", not browser.run("document.getElementById('continue').hidden || document.getElementById('drop').hidden"))
    checks.expect("an example for its codec", "queryChanged" in browser.run("document.getElementById('action').placeholder"))
    checks.expect("it says where it comes from", checks.text("#origin span") == f"Forked from search at {reduced - 4:,}", checks.text("#origin"))
    checks.expect("nothing is drawn without events", not browser.run("document.querySelector('iframe')"))
    checks.expect("it runs no effect", "0, no effects" in checks.text("#stores [aria-pressed=true]"), checks.text("#stores [aria-pressed=true]"))
    browser.run("document.activeElement.blur()")
    checks.keys("s")
    browser.type('{"queryChanged":{"_0":"tern"}}')
    checks.keys("Tab", "Enter")
    checks.wait("document.querySelector('#list li')?.dataset.position === '1'", "the action was sent")
    checks.wait("document.getElementById('moment-title').textContent === '.queryChanged(\"tern\")'", "and is shown")
    checks.expect("it was sent by hand", "sent here by hand" in checks.text("#list li") and "sent here by hand" in checks.text("#moment-source"),
                  checks.text("#list li"))
    checks.expect("nothing runs", checks.text("#runs") == "Nothing runs or waits.", checks.text("#runs"))
    checks.expect("what it changed", '+ "tern"' in checks.text("#difference"), checks.text("#difference"))
    checks.done("fork")

    browser.run("document.getElementById('action').select()")
    browser.type("{nonsense}")
    checks.click("#send button[type=submit]")
    checks.wait("document.getElementById('sent').textContent.startsWith('The codec cannot read this action')", "says why it was not sent")
    said = checks.text("#sent")
    for example in ('queryChanged: {"queryChanged":{"_0":"tern"}}', 'found: {"found":{"_0":'):
        checks.expect("lists the actions that there are", example in said, said)
    checks.expect("shows no name of an error type", "DecodingError" not in said, said)
    refused(checks, 400)
    checks.done("refused")
    checks.expect("nothing was sent", browser.run("document.querySelector('#list li').dataset.position") == "1")

    checks.click("#continue")
    checks.wait("document.querySelector('#stores [aria-pressed=true]')?.textContent.includes('with effects')", "is continued")
    checks.click("#action")
    browser.run("document.getElementById('action').select()")
    browser.type('{"queryChanged":{"_0":"th"}}')
    checks.click("#send button[type=submit]")
    checks.wait("document.getElementById('moment-title').textContent === '.found([\"thrush\"])'", "its effects are stubbed, and run")
    checks.expect("it says that it was continued", checks.text("#origin span").endswith(f"at {reduced - 4:,}, continued after 1 action"), checks.text("#origin"))
    checks.click("#origin button")
    checks.wait(f"document.getElementById('moment-source').textContent.startsWith('{reduced - 4:,}, ')", "shows the action it was forked from")
    checks.show(name)
    checks.click("#drop")
    checks.wait("document.querySelectorAll('#stores button').length === 2", "is dropped")


def drawn(checks):
    """What the timeline shows, when it marks an action. The page replaces the frame, so one expression waits and reads."""
    seen = checks.browser.run("""new Promise((done) => {
      const end = performance.now() + 30000;
      const look = () => {
        const seen = document.querySelector("iframe")?.contentWindow.timeline?.inspect();
        if (seen?.marked) done(seen);
        else if (performance.now() > end) done(null);
        else requestAnimationFrame(look);
      };
      look();
    })""")
    checks.expect("marks the action in the timeline", seen, checks.browser.run("document.body.innerText.slice(0, 600)"))
    return seen or {"marked": None, "from": 0, "to": 0, "cuts": None}


def check_timeline(address, pictures):
    """Of a store that was idle between some searches: the time between them is cut, and nothing is said to be missing."""
    with Browser(deadline=60, trusted=(address,)) as browser:
        checks = Checks(browser, address, pictures)
        checks.open()
        checks.show("search")
        checks.jump(1)
        shown = drawn(checks)
        notice = "document.querySelector('iframe').contentDocument.getElementById('notice').textContent"
        checks.expect("no warning beside the first action", browser.run(notice) == "", browser.run(notice))
        checks.expect("nothing is cut where runs are active", shown["cuts"] == [], shown)
        for _ in range(2):
            # So long that nothing happens is what is tested.
            time.sleep(2)
            count = checks.browser.run("Number(document.querySelector('#list li').dataset.position)")
            browser.run("document.getElementById('action').focus(); document.getElementById('action').select()")
            browser.type('{"queryChanged":{"_0":"t"}}')
            checks.click("#send button[type=submit]")
            checks.wait(f"Number(document.querySelector('#list li').dataset.position) >= {count + 2}", "answers")
        checks.jump(count + 1)
        shown = drawn(checks)
        checks.expect("idle times are cut", len(shown["cuts"]) == 2 and shown["to"] - shown["from"] < 2.5e9, shown)
        checks.expect("no warning", browser.run(notice) == "", browser.run(notice))
        hidden = browser.run("(({scrollHeight, clientHeight}) => scrollHeight - clientHeight)(document.querySelector('iframe').contentDocument.documentElement)")
        checks.expect("the timeline is whole", hidden == 0, hidden)
        browser.run("scrollTo(0, document.documentElement.scrollHeight)")
        checks.done("timeline")
        return checks.violations


def check_export(checks, reduced):
    """The links lead to a recording and to a test of what is selected."""
    checks.open()
    checks.show("search")
    checks.jump(reduced - 1)
    checks.focus("newest")
    checks.browser.type("3")
    for link, expected in (("recording", ["swift-effects-recording 2", "queryChanged"]), ("test", ["@Test func", "Search.codec", "3 actions"])):
        text = checks.browser.run(f"fetch(document.getElementById('{link}').href).then((answer) => answer.text())")
        checks.expect(f"exports a {link}", all(part in text for part in expected), text[:300])
    checks.browser.ask("Page.setDownloadBehavior", behavior="deny")
    checks.browser.seen.clear()
    checks.click("#recording")
    give_up = time.monotonic() + 10
    while "Page.downloadWillBegin" not in checks.browser.seen and time.monotonic() < give_up:
        checks.browser.frame()
    checks.expect("a click downloads it", "Page.downloadWillBegin" in checks.browser.seen, checks.browser.seen)


def check_looks(checks, reduced):
    for width, height in ((1280, 900), (390, 844)):
        for scheme in ("light", "dark"):
            checks.open(width, height, scheme)
            checks.show("search")
            checks.jump(reduced - 3)
            checks.wait("document.querySelector('#list [aria-selected=true]') && document.querySelector('iframe')", "is drawn")
            checks.browser.run("scrollTo(0, 0)")
            checks.done("looks")
            if width < 500:
                checks.browser.run("scrollTo(0, 640)")
                checks.done("looks-2")
                checks.browser.run("scrollTo(0, document.documentElement.scrollHeight)")
                checks.done("looks-3")
            else:
                checks.browser.run("scrollTo(0, document.documentElement.scrollHeight)")
                checks.done("looks-2")


def check_origins(address):
    """Requests of other pages, and without the token of the link, are refused, whatever they want."""
    host, token = address.removeprefix("http://").rstrip("/").split("/")
    foreign = ({"Host": "example.org"}, {"Origin": "https://example.org"}, {"Sec-Fetch-Site": "cross-site"})
    violations = []
    for path in ("", "events", "rows?store=1&before=9", "recording?store=1"):
        for prefix, headers in [(f"/{token}/", headers) for headers in foreign] + [("/", {}), (f"/{token[::-1]}/", {})]:
            connection = http.client.HTTPConnection(host, timeout=20)
            connection.request("GET", prefix + path, headers=headers)
            if (status := connection.getresponse().status) != 403:
                violations.append(f"{prefix + path} with {headers}: {status}")
            connection.close()
    return violations


def main(pictures=None):
    folder = subprocess.run(
        ["swift", "build", "--package-path", PACKAGE, "--product", "inspector-demo", "--show-bin-path"],
        check=True, capture_output=True, text=True).stdout.strip()
    # With few actions, so that the first is kept.
    with subprocess.Popen([Path(folder) / "inspector-demo"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        try:
            quiet = check_timeline(re.search(r"http://127\.0\.0\.1:\d+/\w+/", server.stdout.readline())[0], pictures)
        finally:
            server.kill()
    with subprocess.Popen([Path(folder) / "inspector-demo", str(SENT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        try:
            address = re.search(r"http://127\.0\.0\.1:\d+/\w+/", server.stdout.readline())[0]
            violations = attack.check(address, server.pid)
            with Browser(deadline=240, trusted=(address,)) as browser:
                checks = Checks(browser, address, pictures)
                checks.violations += quiet + violations
                reduced = check_history(checks)
                for check, arguments in ((check_live, ()), (check_search, ()), (check_fork, (reduced,)),
                                         (check_export, (reduced,)), (check_looks, (reduced,))):
                    try:
                        check(checks, *arguments)
                    except RuntimeError as error:
                        checks.expect(f"{check.__name__} ended", False, error)
                checks.violations += check_origins(address) + foreign.check(address)
                checks.open()
                server.stdin.close()
                code = server.wait(timeout=20)
                checks.expect("the program ends well", code == 0, code)
                checks.wait("document.getElementById('connection').textContent.startsWith('The process does not answer')", "reports that the process has ended")
        finally:
            server.kill()
    print("\n".join(checks.violations) if checks.violations else "inspector.py: all hold")
    return 1 if checks.violations else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
