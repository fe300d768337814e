"""Opens the race lab in a headless Chromium, and races.

`python3 .ci/race-lab.py [PICTURES]` starts the program that has been built (`swift build --package-path
Examples/WithPackages --product race-lab`), types by key events, checks the text and the drawing, and ends it.
Prints each violation and exits 1 if there is one.
"""

import json
import re
import socket
import subprocess
import sys
from pathlib import Path

from browser import CLIPPED, NAMELESS, Browser, Findings

PACKAGE = Path(__file__).parent.parent / "Examples" / "WithPackages"

# In the page: waits for a condition, which is checked at each change of the page. False if it takes too long.
UNTIL = """new Promise((done) => {
  const look = () => { if (%s) { observer.disconnect(); done(true); } };
  const observer = new MutationObserver(look);
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  look();
  setTimeout(() => done(false), 30000);
})"""

# The contrast of each text with its background, as the accessibility guidelines define it.
CONTRASTS = """(() => {
  const parts = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (color) => {
    const [r, g, b] = parts(color).map((part) => part / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    const color = element ? getComputedStyle(element).backgroundColor : "rgb(255, 255, 255)";
    return parts(color)[3] === 0 ? ground(element.parentElement) : color;
  };
  return [...document.querySelectorAll("h1, h2, p, li, legend, label, code, button, input, select")]
    .filter((element) => element.checkVisibility() && !element.disabled && (element.textContent.trim() || element.value))
    .map((element) => [element, light(getComputedStyle(element).color), light(ground(element))])
    .map(([element, a, b]) => [element, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)])
    .filter(([, contrast]) => contrast < 4.5)
    .map(([element, contrast]) => `${element.textContent.slice(0, 30)}: ${contrast.toFixed(2)}`);
})()"""

# The elements that get the focus by the tab key, up to the first frame.
FOCUSABLE = ["overlap", "limit", "latency", "least", "most", "deaf", "query", "automatic", "again"]


class Checks(Findings):
    def __init__(self, browser, address, pictures):
        super().__init__(browser, pictures)
        self.address = address

    def open(self, width=1280, height=900, scheme="light"):
        self.place = f"race-lab at {width}, {scheme}"
        self.browser.open(self.address, width, height, scheme)

    def focused(self):
        return self.browser.run("document.activeElement.name || document.activeElement.id")

    def go_to(self, name, backwards=False):
        """By the tab key."""
        for _ in FOCUSABLE:
            if self.focused() == name:
                return
            self.browser.press("Tab", modifiers=8 if backwards else 0)
        self.expect(f"the tabulator leads to {name}", self.focused() == name, self.focused())

    def type_swift(self):
        """Letter by letter; all are typed before the answer to the first, also on a busy machine."""
        self.go_to("most")
        self.browser.type("3000")
        self.go_to("query")
        for letter in "swift":
            self.browser.press(letter)

    def until(self, **verdicts):
        """Waits until both searches show the given texts."""
        conditions = [f"document.querySelector('#{lane} .verdict').dataset.is === '{verdict}'"
                      for lane, verdict in verdicts.items()]
        self.wait(" && ".join(conditions), f"says {verdicts}")

    def wait(self, condition, what):
        if not self.browser.run(UNTIL % condition):
            self.expect(what, False, self.browser.run("document.body.innerText"))

    def text(self, selector):
        return self.browser.run(f"document.querySelector({json.dumps(selector)}).textContent")

    def drawn(self, lane, condition):
        """The drawing of the viewer of a search, when it fulfils a condition, or when that takes too long."""
        return self.browser.run(f"""new Promise((done) => {{
          const inner = document.querySelector("#{lane} iframe").contentWindow, end = performance.now() + 30000;
          const look = () => {{
            const seen = inner.timeline.inspect();
            if ({condition} || performance.now() > end) done(seen); else inner.requestAnimationFrame(look);
          }};
          look();
        }})""")

    def fits(self, width):
        """Nothing is cut off or torn apart; what is typed and both results are on one screen."""
        run = self.browser.run
        run("scrollTo(0, 0)")
        low = run("Math.max(...[...document.querySelectorAll('.verdict, #query')].map((part) => part.getBoundingClientRect().bottom)) - innerHeight")
        self.expect("both results can be seen together", low <= 0, low)
        # The page in a frame adapts to a new size in one of its next frames.
        hidden = run("""new Promise((done) => {
          const end = performance.now() + 5000;
          const look = () => {
            const pages = [...document.querySelectorAll("iframe")].map((frame) => frame.contentDocument.documentElement);
            const hidden = pages.map((page) => page.scrollHeight - page.clientHeight);
            if (hidden.every((one) => one === 0) || performance.now() > end) done(hidden); else requestAnimationFrame(look);
          };
          look();
        })""")
        self.expect("the timelines are whole, with their legends", hidden == [0, 0], hidden)
        out = run("[...document.querySelectorAll('fieldset')].flatMap((set) => [...set.querySelectorAll('input, select, label')]"
                  ".filter((part) => part.getBoundingClientRect().right > set.getBoundingClientRect().right - 4)"
                  ".map((part) => part.name || part.textContent))")
        self.expect("what can be chosen is inside its frame", out == [], out)
        # The text, the paddings and the arrow.
        narrow = run("(() => { const one = document.querySelector('select'), copy = one.cloneNode(true);"
                     " copy.style = 'position: absolute; max-width: none'; document.body.append(copy);"
                     " const left = copy.offsetWidth - one.offsetWidth; copy.remove(); return left; })()")
        self.expect("the choice of times can be read", narrow <= 0, narrow)
        cut = run("[...document.querySelectorAll('iframe')].map((frame) => frame.contentDocument.getElementById('legend'))"
                  ".map((legend) => legend.scrollWidth - legend.clientWidth)")
        self.expect("the legends are whole", cut == [0, 0], cut)
        rows = run("new Set([...document.querySelectorAll('.range input')].map((input) => Math.round(input.getBoundingClientRect().y))).size")
        self.expect("both times are beside their unit", rows == 1, rows)

    def done(self, name):
        self.look({"contrast": CONTRASTS, "clipped": CLIPPED, "no name": NAMELESS}, f"-{name}")


def check_race(checks):
    """Five letters, typed: the naive search ends with an old answer, the other with the right one."""
    for width, height in ((1280, 900), (900, 800), (861, 800), (375, 720)):
        for scheme in ("light", "dark"):
            checks.open(width, height, scheme)
            checks.go_to("least")
            checks.browser.type("0")
            checks.type_swift()
            checks.until(naive="stale", chosen="right")
            naive, chosen = checks.text("#naive .verdict"), checks.text("#chosen .verdict")
            checks.expect("stale", naive == "✗ Stale: 32 birds for “s”, but “swift” stands there", naive)
            checks.expect("right", chosen == "✓ 6 birds for “swift”", chosen)
            counts = [checks.text(f"#{lane} .outdated") for lane in ("naive", "chosen")]
            expected = ["4 answers to older queries were shown.", "No answer to an older query was shown."]
            checks.expect("what was shown on the way", counts == expected, counts)
            birds = checks.browser.run("[...document.querySelectorAll('#chosen .birds li')].map((bird) => bird.textContent)")
            checks.expect("birds", birds == ["Alpine swift", "Black swift", "Chimney swift", "Common swift", "and 2 more"], birds)
            seen = checks.drawn("naive", "seen.phases.length === 5")
            checks.expect("naive lanes", seen["phases"] == [["running", "running"]] * 5, seen["phases"])
            seen = checks.drawn("chosen", "seen.phases.some((phases) => phases.includes('cancelled'))")
            # A search that is replaced before it has begun may never begin, so not all of them come back.
            late = ["cancelled" in phases for phases in seen["phases"]]
            checks.expect("lanes", len(late) == 5 and any(late[:4]) and not late[4], seen["phases"])
            checks.expect("marks and causes", seen["marks"] >= 20 and seen["arrows"] >= 10, seen)
            checks.fits(width)
            checks.expect("said", checks.browser.run(
                "[...document.querySelectorAll('.verdict')].every((verdict) => verdict.ariaLive === 'polite')"))
            checks.done("race")


def check_keys(checks):
    """Everything is done with keys; another overlap is another race."""
    browser = checks.browser
    checks.open()
    checks.until(naive="idle", chosen="idle")
    checks.expect("says what to do", "Press Type “swift”" in checks.text("#naive .verdict"), checks.text("#naive .verdict"))
    checks.expect("the button stands out", browser.run("document.getElementById('automatic').classList.contains('invites')"))
    checks.done("empty")
    order = []
    for _ in FOCUSABLE:
        browser.press("Tab")
        order.append(checks.focused())
        checks.expect("the focus can be seen", browser.run("getComputedStyle(document.activeElement).outlineStyle") == "solid", order[-1])
    checks.expect("order of the focus", order == FOCUSABLE, order)
    frame = "document.activeElement.title"
    browser.press("Tab")
    checks.expect("then comes the timeline", browser.run(frame) == "Timeline: Naive", browser.run(frame))
    browser.press("Tab", modifiers=8)
    checks.go_to("overlap", backwards=True)
    browser.press("ArrowRight")
    explanation = checks.text("#explanation")
    checks.expect("the next overlap", explanation.startswith("The new one is ignored"), explanation)
    checks.expect("it is written down", "overlap: .drop, input" in checks.text("#chosen .effect"), checks.text("#chosen .effect"))
    checks.type_swift()
    checks.until(naive="stale", chosen="stale")
    seen = checks.drawn("chosen", "seen.phases.length === 5")
    checks.expect("one has run", ["running" in lane for lane in seen["phases"]] == [True] + [False] * 4, seen["phases"])
    checks.done("drop")

    checks.go_to("overlap", backwards=True)
    browser.press("ArrowRight")
    checks.until(naive="idle", chosen="idle")
    checks.expect("the field is empty", browser.run("document.getElementById('query').value") == "")
    checks.go_to("limit")
    browser.press("ArrowUp")
    checks.expect("the limit is another", "overlap: .enqueue(limit: 2), input" in checks.text("#chosen .effect"), checks.text("#chosen .effect"))
    browser.press("ArrowDown")
    checks.go_to("latency")
    browser.press("ArrowDown")
    browser.press("ArrowDown")
    checks.expect("all take the same", browser.run("document.querySelector('[name=latency]').value") == "fixed")
    checks.expect("so there is one number", browser.run("document.querySelector('[name=least]').disabled"))
    checks.go_to("automatic")
    browser.press("Enter")
    # All answers may be on their way at once, or one after another, but the last one is right.
    checks.until(naive="right", chosen="busy")
    checks.expect("typed", browser.run("document.getElementById('query').value") == "swift")
    checks.done("enqueue")


def check_texts(checks):
    """Typed text is shown, and is never interpreted as HTML."""
    browser = checks.browser
    checks.open()
    checks.go_to("query")
    browser.type("<img src=x onerror=alert(1)>")
    checks.until(naive="right", chosen="right")
    checks.expect("is shown as it is", "“<img src=x onerror=alert(1)>”" in checks.text("#naive .verdict"))
    browser.type("more than there is room for")
    length = browser.run("document.getElementById('query').value.length")
    checks.expect("has an end", length == 40, length)
    checks.expect("is no element", browser.run("document.images.length") == 0)
    checks.expect("no other server can be reached", browser.run("fetch('https://example.org').then(() => false, () => true)"))
    refused = [text for text in browser.complaints if "Content Security Policy" in text]
    checks.expect("the policy refuses it", len(refused) >= 1, browser.complaints)
    browser.complaints.clear()
    checks.done("text")


def check_smuggling(checks):
    """A request in the body of a refused request is never read as a request of its own."""
    checks.place = "race-lab, smuggled requests"
    host, port = checks.address.split("/")[2].split(":")

    def answers(request):
        with socket.create_connection((host, int(port)), timeout=20) as connection:
            connection.settimeout(20)
            seen = b""
            try:
                for part in range(0, len(request), 65_536):
                    connection.sendall(request[part:part + 65_536])
                connection.shutdown(socket.SHUT_WR)
                while part := connection.recv(65_536):
                    seen += part
            except OSError:
                # The server has closed the connection behind its answer, while the body was being sent.
                pass
            return re.findall(rb"HTTP/1\.1 (\d+)", seen)

    def post(length, body, *fields):
        head = [b"POST /typed HTTP/1.1", b"Host: 127.0.0.1:" + port.encode(), b"Connection: keep-alive",
                b"Content-Length: %d" % length, *fields]
        return b"\r\n".join(head) + b"\r\n\r\n" + body

    typed = b'{"session": "0", "text": "s"}'
    inner = post(len(typed), typed, b"Content-Type: application/json")
    checks.expect("the inner request alone is read", answers(inner) == [b"404"], answers(inner))
    foreign = b"Sec-Fetch-Site: cross-site"
    for length in (len(inner), 1_024, 65_536, 2_097_151, 2_097_152, 2_097_153, 8_388_608):
        for body in (inner + b" " * (length - len(inner)), b" " * (length - len(inner)) + inner, b" " * length):
            found = answers(post(length, body, foreign))
            # Without an answer the connection was reset. No second request was read.
            checks.expect(f"one answer to a body of {length} bytes", found in ([b"403"], []), found)


def check_end(checks, server):
    """Without a server the page reports it; the program ends with its input, and leaves no process behind."""
    checks.open()
    checks.until(naive="idle", chosen="idle")
    server.stdin.close()
    code = server.wait(timeout=20)
    checks.expect("the program ends well", code == 0, code)
    checks.wait("document.getElementById('connection').textContent.startsWith('The server does not answer')", "reports that the server does not answer")


def main(pictures=None):
    folder = subprocess.run(
        ["swift", "build", "--package-path", PACKAGE, "--product", "race-lab", "--show-bin-path"],
        check=True, capture_output=True, text=True).stdout.strip()
    with subprocess.Popen([Path(folder) / "race-lab"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        try:
            address = re.search(r"http://127\.0\.0\.1:\d+", server.stdout.readline())[0]
            with Browser(deadline=120, trusted=(f"{address}/",)) as browser:
                checks = Checks(browser, f"{address}/", pictures)
                for check in (check_race, check_keys, check_texts, check_smuggling):
                    try:
                        check(checks)
                    except RuntimeError as error:
                        checks.expect("came to its end", False, error)
                check_end(checks, server)
        finally:
            server.kill()
    print("\n".join(checks.violations) if checks.violations else "race-lab.py: all hold")
    return 1 if checks.violations else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
