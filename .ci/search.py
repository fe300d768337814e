"""The index of the site's text search: the sections of the guides, the recipes, the examples and the decisions, without listings."""

import json
import re


def plain(value, references):
    """The text in a part of a page as DocC writes it."""
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
        return references.get(value["identifier"], {}).get("title", "")
    if kind == "codeListing":
        return ""
    inner = "".join(plain(value[name], references) for name in ("inlineContent", "content", "items", "rows") if name in value)
    return inner if kind in ("emphasis", "strong", "link") else f"{inner} "


def questions(value):
    """The rows of tables that link to a section of the same page: such a row has the words that readers use for it."""
    for row in value.get("rows", []):
        links = re.findall(r'"identifier": "[^"]*#([^"]+)"', json.dumps(row[1:]))
        if links:
            yield links[0], row[0]


def sections(page):
    """Anchor, heading, other words for it, and text."""
    references = page["references"]
    found = [["", "", "", plain(page.get("abstract", []), references)]]
    others = {}
    for part in page.get("primaryContentSections", []):
        for value in part.get("content", []):
            if value["type"] == "heading" and value["anchor"] not in ("overview", "On-this-page"):
                found.append([value["anchor"], value["text"], "", ""])
            elif value["type"] != "heading":
                found[-1][3] += " " + plain(value, references)
                others |= {anchor: plain(cell, references).strip() for anchor, cell in questions(value)}
    for section in found:
        section[2] = others.get(section[0], "")
        section[3] = re.sub(r"\s+", " ", section[3]).strip()
    return found


def write_index(site):
    """Writes the index, and returns its size in bytes."""
    pages = []
    for path in sorted((site / "data" / "documentation" / "guides").glob("*.json")):
        page = json.loads(path.read_text())
        pages.append([path.stem, page["metadata"]["title"], sections(page)])
    file = site / "search.json"
    file.write_text(json.dumps(pages, ensure_ascii=False, separators=(",", ":")))
    return file.stat().st_size
