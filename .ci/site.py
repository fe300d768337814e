"""Builds the documentation as a site: a first page, the guides, the examples, and the three modules.

`python3 .ci/site.py [FOLDER]` after `swift build`; then `python3 -m http.server --directory FOLDER` shows it. Without a folder it
only checks. Warnings are errors; prints them and exits 1.
"""

import html
import re
import shutil
import sys
import tempfile
from pathlib import Path

import opening
from graphs import MODULES, ROOT, graphs, run
from highlight import highlighted
from search import write_index

RACE = [ROOT / "Docs" / "Images" / name for name in ("race-lab.png", "race-lab-dark.png")]
LANDING = ROOT / "Docs" / "Landing"
ROOT_PAGE = "guides"
INTERNAL = r"(?:\.\./)*(?:Docs/)?(?:Decisions|Contributors)/[^)]*"
LISTING = re.compile(r"(^ *```.*?^ *```$)", flags=re.S | re.M)
# Rows of a timeline or a table.
ROW = re.compile(r"^(seconds | +\d+\.\d{3} | {8})|[│┊]|\S {2,}\S")
# In the folder of the compiler, which may be on the path as a link.
DOCC = shutil.which("docc") or Path(shutil.which("swift") or "swift").resolve().parent / "docc"


def convert(catalog, output, name, *more):
    run(DOCC, "convert", catalog, "--output-dir", output, "--fallback-display-name", name,
        "--fallback-bundle-identifier", name, "--enable-experimental-external-link-support", "--warnings-as-errors", *more)


def pages():
    """The pages of the repository for users, and their addresses on the site. Contributors read theirs in the repository."""
    found = {path: kebab(path.stem) for path in sorted((ROOT / "Docs").glob("*.md"))}
    found[ROOT / "Docs" / "README.md"] = ROOT_PAGE
    for path in sorted((ROOT / "Examples").glob("**/README.md")):
        if ".build" not in path.parts:
            words = re.sub(r"^\d+-", "", kebab(path.parent.name))
            found[path] = {"examples": "examples", "with-packages": "examples-with-packages"}.get(words, f"example-{words}")
    found[ROOT / "CHANGELOG.md"] = "changes"
    found[ROOT / "Tests" / "Benchmarks" / "README.md"] = "benchmarks"
    found[ROOT / "Tests" / "Failures.md"] = "failures"
    return found


def kebab(name):
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


def guide(path, addresses, images):
    """A page as DocC reads it: links to other pages by name; other files of the repository by their names, without a link."""
    text = re.sub(r"<!--.*?-->\n?", "", path.read_text(), flags=re.S)

    def link(match):
        title, goal = match[1], match[2]
        if goal.startswith(("http:", "https:")):
            return match[0]
        file, _, place = goal.partition("#")
        if not file:
            return f"[{title}](#{heading(path, place)})"
        target = (path.parent / file).resolve()
        address = addresses.get(target) or addresses.get(target / "README.md")
        if address:
            page = target if target.is_file() else target / "README.md"
            return f"[{title}](doc:{address}{'#' + heading(page, place) if place else ''})"
        return title if "`" in title else f"*{title}*"

    def image(match):
        target = (path.parent / match[2]).resolve()
        images[target.name] = target
        return f"![{match[1]}]({target.name})"

    # Nothing is left of a remark or a line that only leads to a page for contributors.
    text = re.sub(rf"\s*\(\[[^\]]+\]\({INTERNAL}\)\)|^- \[[^\]]+\]\({INTERNAL}\).*\n", "", text, flags=re.M)
    parts = re.split(LISTING, text)
    # Every other part is a listing, which may be in a list; code stays as it is.
    for index in range(1, len(parts), 2):
        first, code = parts[index].split("\n", 1)
        indent = first.partition("```")[0]
        if first == f"{indent}```text":
            style, code = drawing(re.sub(rf"^{indent}", "", code, flags=re.M))
            parts[index] = re.sub(r"^(?=.)", indent, f"```{style}\n{code}", flags=re.M)
    # In text, two backticks would be a link to a symbol. In a heading, DocC shows a backtick as it is.
    for index in range(0, len(parts), 2):
        parts[index] = re.sub(r"^#+ .*$", lambda match: match[0].replace("`", ""), parts[index], flags=re.M)
        parts[index] = re.sub(r"``(.+?)``", lambda match: "`" + match[1].replace("`", "") + "`", parts[index])
        parts[index] = re.sub(r"!\[([^\]]*)\]\(([^)\s]+)\)", image, parts[index])
        parts[index] = re.sub(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)", link, parts[index])
    # Other pages show a page's first paragraph. DocC leaves out its links to other sites, with their text.
    first = re.match(r"# .*\n\n(?:.+\n)+", parts[0])
    if first:
        begin = re.sub(r"\[([^\]]+)\]\(https?:[^)\s]+\)", r"\1", first[0]).replace("](#", f"](doc:{addresses[path]}#")
        parts[0] = begin + parts[0][first.end():]
    text = "".join(parts)
    return text if addresses[path] == ROOT_PAGE else contents(text)


def contents(text):
    """A long page with links to its sections, unless its beginning has such links."""
    parts = re.split(LISTING, text)
    titles = [title for part in parts[::2] for title in re.findall(r"^## (.*)$", part, flags=re.M)]
    begin = text.partition("\n## ")[0]
    if len(titles) <= 6 or "](#" in begin:
        return text
    links = "".join(f"- [{title}](#{anchor(title)})\n" for title in titles)
    return text.replace("\n## ", f"\n## On this page\n\n{links}\n## ", 1)


def drawing(text):
    """How pages.css shows text, and the text. Rows of a timeline or table are not wrapped; the sentences around them are."""
    if "-->" in text:
        return "drawing", text
    return "report", "".join(unwrapped(line) if ROW.search(line) else line for line in text.splitlines(keepends=True))


def unwrapped(line):
    """With no-break spaces, and a word joiner behind each hyphen."""
    return line.replace(" ", "\u00a0").replace("-", "-\u2060")


def anchor(title):
    """DocC's name of a heading."""
    return re.sub(r"[^\w -]", "", title).replace(" ", "-")


def heading(path, place):
    """DocC's name of a heading that GitHub knows by another name."""
    for title in re.findall(r"^#+ (.*)$", path.read_text(), flags=re.M):
        if re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") == place:
            return anchor(title)
    sys.exit(f"{path.relative_to(ROOT)} has no heading {place}")


def guides(folder):
    """A catalog of the pages, which are independent of it."""
    folder.mkdir()
    addresses, images = pages(), {}
    texts = {address: guide(path, addresses, images) for path, address in addresses.items()}
    examples = [address for address in texts if address.startswith("example-")]
    texts["examples"] += "\n## Topics\n\n### All examples\n\n" + listed([*examples, "examples-with-packages"])
    begin, *parts = re.split(r"^## ", texts[ROOT_PAGE].partition("\n## For contributors\n")[0] + "\n", flags=re.M)
    # Its title is above every page, beside those of the modules. The menu has its sections with the pages that they name.
    options = "@Metadata {\n  @TechnologyRoot\n}\n\n@Options(scope: local) {\n  @TopicsVisualStyle(hidden)\n}\n"
    begin = re.sub(r"^# .*\n", f"# Guides\n\n{options}", begin)
    left, groups = {*texts} - {*examples, ROOT_PAGE, "examples-with-packages"}, ""
    for part in parts:
        named = [name for name in dict.fromkeys(re.findall(r"\(doc:([\w-]+)", part)) if name in left]
        left -= {*named}
        groups += f"\n### {part.partition(chr(10))[0]}\n\n{listed(named)}"
    if left:
        sys.exit(f"Docs/README.md does not name {', '.join(sorted(left))}")
    texts[ROOT_PAGE] = "## ".join([begin, *parts]) + f"\n## Topics\n{groups}"
    for address, text in texts.items():
        (folder / f"{address}.md").write_text(text)
    for name, path in images.items():
        shutil.copy(path, folder / name)
    return folder


def listed(addresses):
    return "".join(f"- <doc:{address}>\n" for address in addresses)


def markup(text):
    """Text of the README as HTML: its code, and its links to guides."""
    def link(match):
        file, _, place = match[2].partition("#")
        anchor = f"#{heading(ROOT / file, place)}" if place else ""
        return f'<a href="/documentation/guides/{pages()[ROOT / file]}/{anchor}">{match[1]}</a>'

    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(" ".join(text.split()), quote=False))
    return re.sub(r"\[([^\]]+)\]\(([^)]+)\)", link, text)


def landing(site):
    """The site's first page: the pitch of the README, with its listings, its limits and the measured costs."""
    readme = (ROOT / "README.md").read_text()
    page = (LANDING / "landing.html").read_text()
    fill = {"diff": ("diff", re.search(r"```diff\n(.*?)```", readme, flags=re.S)[1])}
    for name, language, code in re.findall(r"<!-- listing: (\w+) -->\n```(\w+)\n(.*?)```", readme, flags=re.S):
        fill[name] = (language, code)
    fill["package"] = ("swift", re.search(r"## Add it to a package\n\n```swift\n(.*?)```", readme, flags=re.S)[1])
    missing = re.search(r"## What is missing\n\n(.*?)\n\n", readme, flags=re.S)[1]
    page = page.replace("{{missing}}", "".join(f"<li>{markup(item)}</li>\n" for item in re.split(r"^- ", missing, flags=re.M)[1:]))
    # Only numbers stand in a <dt>.
    costs = dict(re.findall(r"^\| `([\w-]+)` \| [^|]* \| ([^|]+) \|", (ROOT / "Docs" / "Performance.md").read_text(), flags=re.M))
    page = re.sub(r"<dt>\{\{([\w-]+)\}\}", lambda match: f"<dt>{costs[match[1]]}", page)
    for name, (language, code) in fill.items():
        style, text = drawing(code) if language == "text" else ("code", code)
        page = page.replace("<pre><code>{{" + name + "}}", f'<pre class="{style}"><code>{highlighted(text.rstrip(), language)}')
    page = re.sub(r"(<pre.*?</pre>)", r'<div class="listing">\1</div>', page, flags=re.S)
    header = (LANDING / "header.html").read_text()
    (site / "index.html").write_text(page.replace("{{header}}", header))
    for name in ("site.css", "landing.css", "pages.css", "pages.js", "search.css", "search.js"):
        shutil.copy(LANDING / name, site)
    for picture in RACE:
        shutil.copy(picture, site)
    style = ('<link rel="stylesheet" href="/site.css"><link rel="stylesheet" href="/pages.css"><link rel="stylesheet" href="/search.css">'
             '<script defer src="/search.js"></script><script defer src="/pages.js"></script></head>')
    for index in (site / "documentation").rglob("index.html"):
        text = index.read_text().replace("</head>", style, 1)
        index.write_text(text.replace('<div id="app">', header + '<div id="app">', 1))


def timeline(site):
    """The page that opens traces. Until it opens another one, it shows that of the example `race`."""
    race = Path(run("swift", "build", "--show-bin-path").strip()) / "race"
    events = ",\n".join(run(race, "--trace", "json", "safe").splitlines()).replace("<", "\\u003c")
    (site / "timeline.html").write_text(opening.page(title="Sample: five searches, overlap: .restart", events=events))


def main(output=None):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        archives = []
        for module in MODULES:
            known = [word for archive in archives for word in ("--dependency", archive)]
            archive = folder / f"{module}.doccarchive"
            convert(ROOT / "Sources" / module / f"{module}.docc", archive, module,
                    "--additional-symbol-graph-dir", graphs(module, folder / "graphs" / module), *known)
            archives.append(archive)
        archive = folder / "Guides.doccarchive"
        convert(guides(folder / "Guides.docc"), archive, ROOT_PAGE)
        archives.append(archive)
        site = folder / "site"
        run(DOCC, "merge", *archives, "--output-path", site, "--synthesized-landing-page-name", "swift-effects",
            "--synthesized-landing-page-kind", "Package")
        landing(site)
        timeline(site)
        # Every page asks for it. The site has a search of its own.
        (site / "theme-settings.json").write_text('{"features": {"docs": {"quickNavigation": {"enable": false}}}}\n')
        pages = sum(1 for _ in (site / "data" / "documentation").rglob("*.json"))
        print(f"site.py: {pages} pages, no warning; the index of the search has {write_index(site) / 1000:.0f} kB")
        if output:
            shutil.rmtree(output, ignore_errors=True)
            shutil.copytree(site, output)


if __name__ == "__main__":
    main(*sys.argv[1:])
