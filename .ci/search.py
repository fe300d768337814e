"""The index of the site's search: the sections of the users' pages, and the symbols of the reference."""

import json
import re

from graphs import MODULES, ROOT

SYNONYMS = ROOT / "Docs" / "Landing" / "synonyms.txt"
# How much a page counts: a recipe more than a report of measurements that has the same word.
WEIGHTS = {"how-to": 2, "troubleshooting": 1.3, "changes": 0.3, "benchmarks": 0.5, "failures": 0.7, "comparison": 0.7}
EXAMPLE, TYPE, MEMBER = 0.8, 0.9, 0.5
TYPES = {"struct", "class", "enum", "protocol", "typealias", "macro"}
# Where a call stands is no argument that a reader writes; other names are found without it.
PLACE = re.compile(r"(?<=[:(])((fileID|filePath|file|line|column):)+")


def plain(value, references):
    """The text in a part of a page as a reader sees it."""
    if isinstance(value, list):
        return "".join(plain(part, references) for part in value)
    if not isinstance(value, dict):
        return ""
    kind = value.get("type")
    if kind == "text":
        return value["text"]
    if kind == "codeVoice":
        return value["code"]
    if kind == "reference":
        return value.get("overridingTitle") or references.get(value["identifier"], {}).get("title", "")
    if kind in ("codeListing", "image"):
        return ""
    inner = "".join(plain(value[name], references) for name in ("inlineContent", "content", "items", "rows") if name in value)
    return inner if kind in ("emphasis", "strong", "link") else f"{inner} "


def squeezed(text):
    return re.sub(r"\s+", " ", text.replace("\u2060", "")).strip()


def questions(value):
    """The rows of tables that link to a section of the same page: such a row has the words that readers use for it."""
    for row in value.get("rows", []):
        links = re.findall(r'"identifier": "[^"]*#([^"]+)"', json.dumps(row[1:]))
        if links:
            yield links[0], row[0]


def code(value):
    """The text of the listings in a part of a page."""
    if isinstance(value, dict):
        return "\n".join(value["code"]) if value.get("type") == "codeListing" else code([*value.values()])
    return " ".join(map(code, value)) if isinstance(value, list) else ""


def sections(page):
    """Anchor, heading, other words for it, text, and the words that only its listings have."""
    references = page["references"]
    found = [["", "", "", plain(page.get("abstract", []), references), ""]]
    others = {}
    for part in page.get("primaryContentSections", []):
        title = ""
        for value in part.get("content", []):
            if value["type"] == "heading":
                title = value["anchor"]
                if title not in ("overview", "On-this-page"):
                    found.append([title, value["text"], "", "", ""])
            # A list of sections says nothing about the page.
            elif title != "On-this-page" or value["type"] != "unorderedList":
                found[-1][3] += " " + plain(value, references)
                found[-1][4] += " " + code(value)
                others |= {anchor: plain(cell, references).strip() for anchor, cell in questions(value)}
    for section in found:
        section[2] = others.get(section[0], "")
        section[3] = squeezed(section[3])
        words, listed = ({*re.findall(r"[^\W\d_]{3,}", text.lower())} for text in section[3:])
        section[4] = " ".join(sorted(listed - words))
    # Links to other pages, not what a page says.
    return [section for section in found if section[0] != "Next"]


def guides(site):
    for path in sorted((site / "data" / "documentation" / "guides").glob("*.json")):
        page = json.loads(path.read_text())
        weight = WEIGHTS.get(path.stem, EXAMPLE if path.stem.startswith("example") else 1)
        yield [f"guides/{path.stem}/", page["metadata"]["title"], weight, sections(page)]


def symbols(site):
    """A page for each type with its members: address, name, the words in the name, and the first sentence."""
    for module in MODULES:
        folder, seen = site / "data" / "documentation" / module.lower(), set()
        for path in sorted(folder.rglob("*.json")):
            page = json.loads(path.read_text())
            kind, text = page["metadata"].get("symbolKind"), PLACE.sub("", squeezed(plain(page.get("abstract", []), page["references"])))
            if not kind or kind in ("module", "op") or text.startswith("Inherited from") or not text:
                continue
            title = PLACE.sub("", page["metadata"]["title"]).replace("()", "")
            # `doc://module/documentation/module/Type/member`; an extension begins with the other module.
            *_, parent, _ = ["", *page["identifier"]["url"].partition("/documentation/")[2].split("/")[1:]]
            owner = re.sub(r"-swift\.\w+$", "", parent)
            name = title if kind in TYPES or not owner or title.startswith(f"{owner}.") or "." in title else f"{owner}.{title}"
            if (name, text) not in seen:
                seen.add((name, text))
                # `cancelInFlight` is found by `flight`.
                parts = " ".join(re.findall(r"[A-Z]?[a-z]+", re.sub(r"^\w+\.(?=\w)", "", name)))
                address = f"{path.relative_to(folder.parent).with_suffix('')}/"
                yield [address, module, TYPE if kind in TYPES else MEMBER, [["", name, parts, text, ""]]]


def synonyms():
    """What readers type, and what the pages say instead."""
    lines = [line for line in SYNONYMS.read_text().splitlines() if line and not line.startswith("#")]
    return {typed.strip(): said.strip() for line in lines for names, said in [line.split(":")] for typed in names.split(",")}


def write_index(site):
    """Writes the index, and returns its size in bytes."""
    index = {"synonyms": synonyms(), "pages": [*guides(site), *symbols(site)]}
    file = site / "search.json"
    file.write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")))
    return file.stat().st_size
