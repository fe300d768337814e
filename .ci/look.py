"""Serves the documentation's site and checks it in a headless Chromium: with a wide and a narrow window, light and dark.

`python3 .ci/look.py SITE [PICTURES]` after `python3 .ci/site.py SITE`. Prints each violation and exits 1 if there is one.
"""

import functools
import http.server
import json
import re
import sys
import threading
import time
from pathlib import Path

from browser import Browser

# A page of each kind, with a word that must be on it.
PAGES = {
    "": "The bug that many apps have",
    "documentation": "EffectRuntime",
    "documentation/guides": "Getting started",
    "documentation/guides/getting-started": "TestStore",
    "documentation/guides/timelines": "Perfetto",
    "documentation/guides/example-live-search": "live-search",
    "documentation/effectruntime/store": "isolation",
    "documentation/effectcore/effect/debounce(for:maxwait:fileid:line:)": "maxWait",
    "documentation/effecttesting/teststore": "receive",
}
# What readers look for, and the recipe that must be the first result.
QUERIES = {
    "debounce": "Debounced search field",
    "token refresh": "Shared token refresh",
    "websocket": "WebSocket with reconnect",
    "rate limit": "At most three at a time",
    "undo": "Undo and redo",
}
FOUND = """(async () => {
  const first = () => document.querySelector("#site-search-results a b")?.textContent ?? "";
  for (let left = 50; left && first() !== %s; left -= 1) { await new Promise((done) => setTimeout(done, 20)); }
  return first();
})()"""
SEARCHES = Path(__file__).with_name("searches.txt")
# The places of the first three results of each search, and what the excerpts say.
RESULTS = """(async (queries) => {
  const field = document.querySelector("#site-search input"), list = document.querySelector("#site-search-results"), found = [];
  for (const query of queries) {
    field.value = query;
    field.dispatchEvent(new Event("input"));
    for (let left = 250; left && list.dataset.query !== query; left -= 1) { await new Promise((done) => setTimeout(done, 20)); }
    const links = [...list.querySelectorAll("a")];
    found.push({places: links.slice(0, 3).map((link) => decodeURI(link.pathname + link.hash)),
      excerpts: links.map((link) => link.querySelector("small").textContent)});
  }
  return found;
})"""
SIZES = [(1280, 800, "light"), (1280, 800, "dark"), (390, 844, "light"), (390, 844, "dark")]

BACKGROUND = """(() => {
  for (let element = document.querySelector("h1"); element; element = element.parentElement) {
    const colour = getComputedStyle(element).backgroundColor;
    if (!/, 0\\)$|transparent/.test(colour)) { return colour; }
  }
  return getComputedStyle(document.documentElement).backgroundColor;
})()"""
# Pictures below the visible part are loaded only on demand.
PICTURES = """Promise.all([...document.images].map(async (image) => {
  image.loading = "eager";
  try { await image.decode(); return ""; } catch { return image.src; }
})).then((sources) => sources.filter((source) => source))"""
# Faults of listings, each with the first line: those that are wider than the column and do not scroll in their box, and buttons over
# code. Declarations of symbols are wrapped, and have no button.
LISTINGS = """[...document.querySelectorAll("pre")].flatMap((pre) => {
  const faults = [], box = pre.closest(".code-listing, .listing"), copy = box?.querySelector(".copy");
  const [outer, inner] = [(box ?? pre).getBoundingClientRect(), pre.getBoundingClientRect()];
  const column = (box ?? pre).parentElement.getBoundingClientRect();
  if (outer.right > column.right + 1 || inner.right > outer.right + 1) { faults.push("is wider than its column"); }
  // Text is wrapped, except the rows of a table, which have no-break spaces.
  const isCut = (line) => /[a-z] [a-z]+ [a-z]/.test(line) && !line.includes("\\u00a0");
  const isText = ["text", "report"].includes(box?.dataset.syntax) || pre.matches(".report");
  if (isText && getComputedStyle(pre).whiteSpace !== "pre-wrap" && pre.scrollWidth > pre.clientWidth + 1
    && pre.textContent.split("\\n").some(isCut)) { faults.push("cuts off its sentences"); }
  if (pre.scrollWidth > pre.clientWidth + 1 && getComputedStyle(pre).overflowX !== "auto") { faults.push("is cut off"); }
  if (box && !copy) { faults.push("has no button that copies it"); }
  if (copy) {
    const button = copy.getBoundingClientRect();
    const isBeside = button.left >= inner.right && button.right <= outer.right && button.bottom <= outer.bottom;
    if (!isBeside) { faults.push("has its button over the code"); }
  }
  return faults.map((fault) => `the listing that begins with “${pre.innerText.split("\\n")[0]}” ${fault}`);
})"""
# Lines of drawings that are wrapped: then things are below each other that are not below each other in the text.
WRAPPED = """[...document.querySelectorAll("pre")].flatMap((pre) => {
  const isDrawn = pre.closest(".drawing, [data-syntax=drawing]") ? /./ : /^\s.*[│┊\u00a0]/;
  const texts = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT), wrapped = [];
  while (texts.nextNode()) {
    let begin = 0;
    for (const line of texts.currentNode.data.split("\\n")) {
      const range = new Range();
      range.setStart(texts.currentNode, begin);
      range.setEnd(texts.currentNode, begin += line.length);
      const tops = [...range.getClientRects()].map((box) => box.top);
      if (isDrawn.test(line) && Math.max(...tops) > Math.min(...tops) + 5) { wrapped.push(line.trim()); }
      begin += 1;
    }
  }
  return wrapped;
})"""


class SiteBrowser(Browser):
    """Opens pages of one server, and reports requests to any other."""

    def __init__(self, address, deadline):
        super().__init__(deadline, trusted=(address,))
        self.address = address

    def note(self, event):
        parameters = event.get("params", {})
        if event.get("method") == "Network.responseReceived" and parameters["response"]["status"] >= 400:
            self.complaints.append(f"{parameters['response']['status']} for {parameters['response']['url']}")
        super().note(event)

    def resize(self, width, height=800):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        self.frame()

    def visit(self, page, width, height, scheme):
        self.resize(width, height)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.ask("Page.navigate", url=f"{self.address}/{page}")
        # A page is drawn by its script, after it has loaded what it shows. Until then the page before may still be there.
        is_there = f"location.pathname.replace(/\\/$/, '') === {json.dumps(f'/{page}'.rstrip('/'))}"
        give_up = time.monotonic() + 20
        while time.monotonic() < give_up:
            if self.run(f"{is_there} && !!document.querySelector('main h1, .article h1, h1.title')"):
                return self.frame()
            self.frame()
        raise RuntimeError("shows no title")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def broken_links(site):
    """Links to what the site does not have. DocC checks links between its own pages, but not those within a page."""
    links = re.findall(r'(?:href|src)="([^":]+)"', (site / "index.html").read_text())
    # Their sections exist: site.py looks them up.
    broken = [f"the first page links to {link}, which is missing" for link in links
              if not (site / link.partition("#")[0].lstrip("/")).exists()]
    # The same on all pages.
    for page in ["guides/index.html", "effectruntime/store/index.html"]:
        header = re.search(r'<nav id="site-header".*?</nav>', (site / "documentation" / page).read_text(), flags=re.S)
        links = re.findall(r'href="/([^"]*)"', header[0]) if header else []
        if "" not in links:
            broken.append(f"{page} has no link to the first page")
        broken += [f"the header of {page} links to {link}, which is missing" for link in links if not (site / link).exists()]
    return broken


def faults_in_text(site):
    """What DocC does not warn of in the guides: links to missing headings of the same page, lost links, raw Markdown."""
    found = []
    for path in sorted((site / "data" / "documentation" / "guides").glob("*.json")):
        page = json.loads(path.read_text())
        anchors, texts, names = set(), [page["metadata"]["title"]], set()
        waiting = [page.get("abstract", []), page.get("primaryContentSections", [])]
        while waiting:
            value = waiting.pop()
            if isinstance(value, dict):
                anchors.add(value.get("anchor"))
                names |= {value["identifier"]} if value.get("type") == "reference" else set()
                # Text, and headings; code and listings have other names for what is in them.
                texts += [value["text"]] if isinstance(value.get("text"), str) else []
                waiting += value.values()
            elif isinstance(value, list):
                waiting += value
        links = [name for name in page["references"] if name.startswith("#")]
        found += [f"{path.stem} has no heading {link}" for link in links if link[1:] not in anchors]
        found += [f"{path.stem} has lost the link to {name}" for name in sorted(names - set(page["references"]))]
        found += [f"{path.stem} shows raw Markdown: {text!r}" for text in texts if re.search(r"`|\]\(|<!--|\*\*", text)]
    return found


def faults_in_search(browser, pictures):
    """The search by the keys alone, on the first page and on a page of DocC, and by its button on a phone."""
    found = []

    def expect(what, holds, seen=""):
        if not holds:
            found.append(f"the search: {what} {seen}".strip())

    for page, width in (("", 1280), ("documentation/guides/getting-started", 1280), ("documentation/guides/getting-started", 390)):
        browser.visit(page, width, 844, "light")
        if width == 1280:
            browser.press("/")
        else:
            browser.run("document.querySelector('[data-search]').click()")
        expect("does not open", browser.run("document.activeElement.type") == "search", page)
        for query, recipe in QUERIES.items():
            browser.run("document.activeElement.select()")
            browser.type(query)
            first = browser.run(FOUND % json.dumps(recipe))
            expect(f"finds for {query} first", first == recipe, repr(first))
        expect("is wider than the screen", browser.run("document.querySelector('#site-search').scrollWidth") <= width, page)
        if pictures:
            browser.screenshot(Path(pictures) / f"search-{page.replace('/', '-')}-{width}.png")
        browser.press("Escape")
        expect("Escape does not close it", not browser.run("document.querySelector('#site-search').open"), page)
    browser.visit("", 1280, 844, "light")
    browser.press("/")
    browser.type("token refresh")
    browser.run(FOUND % json.dumps(QUERIES["token refresh"]))
    browser.press("ArrowDown")
    selected = "[...document.querySelectorAll('#site-search-results a')].findIndex((link) => link.ariaSelected === 'true')"
    expect("the arrow keys do not select", browser.run(selected) == 1)
    browser.press("ArrowUp")
    # The page that is left may not answer.
    place, give_up = "", time.monotonic() + 10
    browser.ask("Input.dispatchKeyEvent", type="keyDown", key="Enter", text="\r", windowsVirtualKeyCode=13)
    while place in ("", "/") and time.monotonic() < give_up:
        try:
            place = browser.run("location.pathname + location.hash")
        except RuntimeError:
            time.sleep(0.05)
    expect("Enter opens", place == "/documentation/guides/how-to/#Shared-token-refresh", place)
    return found


def faults_in_results(browser):
    """What readers search for finds its page, and excerpts are without Markdown."""
    found = []
    wanted = [line.rpartition(": ") for line in SEARCHES.read_text().splitlines() if line and not line.startswith("#")]
    browser.visit("", 1280, 844, "light")
    browser.press("/")
    for (query, _, page), result in zip(wanted, browser.run(f"{RESULTS}({json.dumps([query for query, *_ in wanted])})")):
        address, _, place = page.partition("#")
        address = "/documentation" + (address if address.startswith("/") else f"/guides/{address}") + "/"
        # A symbol has its arguments in its address.
        seen = [re.sub(r"\(.*\)", "", found) for found in result["places"]]
        if not any(one == f"{address}#{place}" if place else one.partition("#")[0] == address for one in seen):
            found.append(f"the search for {query!r} does not find {page} but {', '.join(result['places'])}")
        marked = [text for text in result["excerpts"] if re.search(r"\]\(|`|\*\*|doc:", text)]
        found += [f"the search for {query!r} shows Markdown: {text!r}" for text in marked]
    return found


def faults_in_header(browser):
    """It stays when a page is scrolled, shows its links, says once which key searches, and opens the menu of a narrow window."""
    found = []
    for width in (1280, 400):
        browser.visit("documentation/guides/how-to", width, 800, "light")
        browser.run("scrollTo(0, 3000)")
        browser.frame()
        if not 0 <= browser.run("document.querySelector('[data-search]').getBoundingClientRect().top") < 100:
            found.append(f"the header does not stay at {width}")
        cut = browser.run("""[...document.querySelectorAll("#site-header a")].filter((link) => {
          const box = link.getBoundingClientRect(), seen = document.elementFromPoint(box.right - 2, box.top + box.height / 2);
          return box.right > innerWidth || !link.contains(seen);
        }).map((link) => link.textContent)""")
        if cut:
            found.append(f"the header cuts off {', '.join(cut)} at {width}")
        keys = "[...document.querySelectorAll('body *')].filter((one) => one.innerText?.trim() === '/' && !one.children.length).length"
        if width == 1280 and (count := browser.run(keys)) != 1:
            found.append(f"the key / is drawn {count} times")
    browser.run("document.querySelector('[data-menu]').click()")
    ends = time.monotonic() + 10
    shown = "document.elementFromPoint(200, 400)?.closest('.navigator-card') != null"
    while not browser.run(shown) and time.monotonic() < ends:
        browser.frame()
    return found + ([] if browser.run(shown) else ["the button Menu does not open the menu"])


def faults_in_sample(browser):
    """The page of the timeline shows a trace before one is opened."""
    browser.open(f"{browser.address}/timeline.html")
    return [] if browser.run("timeline.inspect()")["events"] > 20 else ["timeline.html shows no sample"]


def listings(value):
    """The code of each listing in a part of a page as DocC writes it."""
    if isinstance(value, dict) and value.get("type") == "codeListing":
        yield "\n".join(value["code"])
    elif isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from listings(part)


def faults_in_listings(browser, site):
    """Each listing, wide and narrow, on a page that shows it, and how many these are."""
    found, data, seen, pages = [], site / "data", set(), [""]
    for path in sorted((data / "documentation").rglob("*.json")):
        shown = {*listings(json.loads(path.read_text())["primaryContentSections"])} if "codeListing" in path.read_text() else set()
        # Overloads show the same.
        if shown - seen:
            pages.append(str(path.relative_to(data).with_suffix("")))
        seen |= shown
    for page in pages:
        browser.visit(page, 1280, 800, "light")
        for width in (1280, 400):
            browser.resize(width)
            found += [f"{page or 'the first page'} at {width}: {fault}" for fault in browser.run(LISTINGS)]
            if (wide := browser.run("document.scrollingElement.scrollWidth")) > width:
                found.append(f"{page or 'the first page'} is {wide} wide at {width}")
    return found, len(seen)


def main(site, pictures=None):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    violations, grounds = [], {}
    with SiteBrowser(f"http://127.0.0.1:{server.server_port}", deadline=480) as browser:
        for page, word in PAGES.items():
            for width, height, scheme in SIZES:
                place = f"{page} at {width}, {scheme}"
                try:
                    browser.visit(page, width, height, scheme)
                except RuntimeError as error:
                    violations.append(f"{place}: {error}")
                    continue
                # The title of a page may be drawn before the rest.
                give_up = time.monotonic() + 10
                while word not in browser.run("document.body.innerText") and time.monotonic() < give_up:
                    browser.frame()
                if word not in browser.run("document.body.innerText"):
                    violations.append(f"{place}: does not say {word}")
                if (wide := browser.run("document.scrollingElement.scrollWidth")) > width:
                    violations.append(f"{place}: is {wide} wide")
                if wrapped := browser.run(WRAPPED):
                    violations.append(f"{place}: wraps a line of a drawing: {wrapped[0]!r}")
                if missing := browser.run(PICTURES):
                    violations.append(f"{place}: does not show {missing}")
                grounds.setdefault(page, {}).setdefault(scheme, browser.run(BACKGROUND))
                if pictures:
                    Path(pictures).mkdir(exist_ok=True)
                    browser.screenshot(Path(pictures) / f"{page.replace('/', '-') or 'landing'}-{width}-{scheme}.png")
        try:
            violations += faults_in_search(browser, pictures) + faults_in_results(browser)
        except RuntimeError as error:
            violations.append(f"the search: {error}")
        faults, count = faults_in_listings(browser, Path(site))
        violations += faults + faults_in_header(browser) + faults_in_sample(browser)
        violations += broken_links(Path(site)) + faults_in_text(Path(site))
    violations += [f"the browser complains: {text}" for text in dict.fromkeys(browser.complaints)]
    server.shutdown()
    violations += [f"{page}: light and dark look the same" for page, ground in grounds.items() if len(set(ground.values())) < 2]
    print("\n".join(violations) if violations else f"look.py: {len(PAGES)} pages, four ways each; {count} listings")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
