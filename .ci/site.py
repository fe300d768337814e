"""Builds the documentation as a site: the three modules, and the guides of `Docs/`, in one archive.

`python3 .ci/site.py [FOLDER]` after `swift build`; then `python3 -m http.server --directory FOLDER` shows it, at
`/documentation`. Without a folder it only checks. Warnings are errors; prints them and exits 1.
"""

import re
import shutil
import sys
import tempfile
from pathlib import Path

from graphs import MODULES, ROOT, graphs, run

# In the folder of the compiler, which may be on the path as a link.
DOCC = shutil.which("docc") or Path(shutil.which("swift") or "swift").resolve().parent / "docc"


def convert(catalog, output, name, *more):
    run(DOCC, "convert", catalog, "--output-dir", output, "--fallback-display-name", name,
        "--fallback-bundle-identifier", name, "--enable-experimental-external-link-support", "--warnings-as-errors", *more)


def guide(text, names):
    """A page of `Docs/` as DocC reads it: links to other pages by name, to files of the repository as their names."""
    text = re.sub(r"<!--.*?-->\n?", "", text, flags=re.S)

    def link(match):
        title, goal = match[1], match[2]
        page, _, place = goal.partition("#")
        if goal.startswith(("http:", "https:")):
            return match[0]
        if not page:
            return f"[{title}](#{place})"
        name = Path(page).stem
        # The map of the pages is the site's first page.
        page = page if page != "README.md" else "Guides.md"
        if page.endswith(".md") and "/" not in page.removeprefix("./") and name in names:
            return f"[{title}](doc:{Path(page).stem}{'#' + heading(place) if place else ''})"
        return title if "`" in title else f"*{title}*"

    parts = re.split(r"(^```.*?^```$)", text, flags=re.S | re.M)
    # Code stays as it is; only every other part is text.
    for index in range(0, len(parts), 2):
        parts[index] = re.sub(r"!\[([^\]]*)\]\(Images/([^)]*)\)", r"![\1](\2)", parts[index])
        parts[index] = re.sub(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)", link, parts[index])
    return "".join(parts)


def heading(place):
    return "-".join(word.capitalize() if index == 0 else word for index, word in enumerate(place.split("-")))


def guides(folder):
    """A catalog of the pages of `Docs/`, which are independent of it."""
    folder.mkdir()
    pages = {page.stem: page for page in sorted((ROOT / "Docs").glob("*.md"))}
    for name, page in pages.items():
        text = guide(page.read_text(), pages)
        if name == "README":
            name, text = "Guides", text.replace("\n", "\n\n@Metadata {\n  @TechnologyRoot\n}\n", 1)
            # In the order in which the map names them.
            order = dict.fromkeys(re.findall(r"\(doc:(\w+)", text))
            text += "\n## Topics\n\n" + "".join(f"- <doc:{page}>\n" for page in order)
        (folder / f"{name}.md").write_text(text)
    for image in (ROOT / "Docs" / "Images").iterdir():
        shutil.copy(image, folder)
    return folder


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
        convert(guides(folder / "Guides.docc"), archive, "swift-effects")
        archives.append(archive)
        site = folder / "site"
        run(DOCC, "merge", *archives, "--output-path", site, "--synthesized-landing-page-name", "swift-effects",
            "--synthesized-landing-page-kind", "Package")
        # Every page asks for it.
        (site / "theme-settings.json").write_text("{}\n")
        pages = sum(1 for _ in (site / "data" / "documentation").rglob("*.json"))
        print(f"site.py: {pages} pages, no warning")
        if output:
            shutil.rmtree(output, ignore_errors=True)
            shutil.copytree(site, output)


if __name__ == "__main__":
    main(*sys.argv[1:])
