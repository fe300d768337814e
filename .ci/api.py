"""The public surface of the three modules: every symbol that a user can name, and what it is for.

`python3 .ci/api.py` after `swift build` compares it with `.ci/public-surface.md`, and exits 1 if the page differs from the
sources, if a symbol has no documentation, or if more functions than before do not describe their parameters.
`python3 .ci/api.py --write` writes the page.
"""

import collections
import json
import re
import sys
import tempfile
from pathlib import Path

from graphs import MODULES, ROOT, graphs

PAGE = ROOT / ".ci" / "public-surface.md"

KINDS = {
    "types": {"struct", "class", "enum", "protocol", "actor"},
    "names of types": {"typealias", "associatedtype"},
    "cases": {"enum.case"},
    "initializers": {"init"},
    "functions": {"method", "type.method", "func", "func.op", "subscript", "type.subscript"},
    "properties": {"property", "type.property", "var"},
    "macros": {"macro"},
}

# The requirements of a protocol of the standard library need no separate documentation.
WITNESSES = {"==(_:_:)", "hash(into:)", "description", "debugDescription", "customMirror", "encode(to:)", "init(from:)"}

# Called by the compiler only, from the lists that a result builder makes.
BUILDERS = {"ReducerBuilder"}

# How many functions with parameters have no `- Parameter` field. It may only fall.
WITHOUT_FIELDS = 0

# Arguments that the compiler fills in.
FILLED_IN = {"fileID", "filePath", "file", "line", "column", "isolation"}


def as_code(link):
    return f"`{link[1].replace('/', '.')}`"


class Symbol:
    def __init__(self, raw):
        self.path = raw["pathComponents"]
        self.kind = raw["kind"]["identifier"].removeprefix("swift.")
        lines = [line["text"] for line in raw.get("docComment", {}).get("lines", [])]
        paragraph = " ".join(line.strip() for line in lines).strip() if "" not in lines else \
            " ".join(line.strip() for line in lines[:lines.index("")])
        # Links of the documentation compiler become code.
        paragraph = re.sub(r"``/?(?:Effect(?:Core|Runtime|Testing)/)?(.+?)(?:-\([^`]*\))?``", as_code, paragraph)
        self.purpose = paragraph.split(". ")[0].rstrip(".").replace("|", "\\|")
        parameters = {each.get("name") for each in raw.get("functionSignature", {}).get("parameters", [])} - FILLED_IN
        self.lacksFields = bool(parameters) and not any(line.lstrip().startswith("- Parameter") for line in lines)
        self.line = tuple(raw.get("location", {}).get("position", {}).values())
        self.file = raw.get("location", {}).get("uri", "")

    @property
    def name(self):
        return ".".join(self.path)

    @property
    def group(self):
        return next(group for group, kinds in KINDS.items() if self.kind in kinds)

    @property
    def isBuilding(self):
        return self.path[0] in BUILDERS and self.path[-1].startswith("build")

    @property
    def isWitness(self):
        return self.path[-1] in WITNESSES


def symbols(module, folder):
    found = {}
    for file in sorted(graphs(module, folder).glob("*.symbols.json")):
        for raw in json.loads(file.read_text())["symbols"]:
            name = raw["identifier"]["precise"]
            # Members that a protocol of the standard library adds to a conforming type are not ours.
            if "::SYNTHESIZED::" in name or raw["accessLevel"] not in ("public", "open"):
                continue
            if raw["kind"]["identifier"] == "swift.extension":
                continue
            found[name] = Symbol(raw)
    # Inherited from another module, and not written in one of our files.
    return [symbol for symbol in found.values() if (symbol.file or symbol.isWitness) and not symbol.isBuilding]


def page(surface):
    text = ["# Public surface", "",
            "Every symbol that a user of the three modules can name, and what it is for, in the first sentence of its",
            "documentation. `python3 .ci/api.py --write` writes this page from the sources, and `.ci/run` fails where it is not what",
            "they say; so nothing becomes public, changes its name or goes unnoticed. Two kinds of names are left out, because",
            "users do not call them: underscored ones, and the `build...` functions of a result builder, which the compiler calls.",
            ""]
    groups = [group for group in KINDS if any(symbol.group == group for module in surface.values() for symbol in module)]
    text += [f"| module | {' | '.join(groups)} | all |", "|---" * (len(groups) + 2) + "|"]
    total = collections.Counter()
    for module, found in surface.items():
        count = collections.Counter(symbol.group for symbol in found)
        total += count
        text.append(f"| {module} | {' | '.join(str(count[group]) for group in groups)} | {len(found)} |")
    text.append(f"| all | {' | '.join(str(total[group]) for group in groups)} | {sum(total.values())} |")
    for module, found in surface.items():
        text += ["", f"## {module}", "", "| symbol | for |", "|---|---|"]
        for symbol in sorted(found, key=lambda symbol: (symbol.path, symbol.purpose)):
            text.append(f"| `{symbol.name}` | {symbol.purpose} |")
    return "\n".join(text) + "\n"


def main(mode=None):
    with tempfile.TemporaryDirectory() as folder:
        surface = {module: symbols(module, Path(folder) / module) for module in MODULES}
    silent = [symbol.name for found in surface.values() for symbol in found if not symbol.purpose and not symbol.isWitness]
    if silent:
        sys.exit("api.py: these say nothing:\n" + "\n".join(sorted(silent)))
    bare = sorted(symbol.name for found in surface.values() for symbol in found
                  if symbol.lacksFields and not symbol.isWitness)
    if len(bare) > WITHOUT_FIELDS:
        sys.exit(f"api.py: {len(bare)} functions have parameters and no `- Parameter` field, {WITHOUT_FIELDS} before:\n"
                 + "\n".join(bare))
    text = page(surface)
    if mode == "--write":
        PAGE.write_text(text)
    elif not PAGE.exists() or PAGE.read_text() != text:
        sys.exit(f"api.py: {PAGE.relative_to(ROOT)} is not what the sources say; `python3 .ci/api.py --write` writes it")
    print(f"api.py: {sum(len(found) for found in surface.values())} public symbols, each with its purpose")


main(*sys.argv[1:])
