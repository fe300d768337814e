#!/usr/bin/env python3
"""Checks that the folders of EffectRuntime depend on each other in one direction.

    .ci/layers.py             checks the sources
    .ci/layers.py --selftest  shows that the check finds a dependency in the wrong direction

A file depends on a folder if it names a type that is declared there at the top level. Comments and strings do not count. A name
that two folders declare is not checked, and neither are members that an extension adds.
"""

import re
import sys
from pathlib import Path

SOURCES = Path("Sources/EffectRuntime")

# Each folder may use the folders in rows above it, and itself. Folders of one row do not use each other, except as in ACROSS.
LAYERS = [
    ["Support"],
    ["Difference"],
    ["Model"],
    ["Scheduling"],
    ["Engine"],
    ["Execution"],
    ["Listeners"],
    ["Store"],
    ["Observation", "Trace", "Recording", "SwiftUI"],
    ["Printing"],
]

# Folders of one row that use other folders of that row.
ACROSS = {
    ("Recording", "Trace"), ("SwiftUI", "Observation"),
}

DECLARATION = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|private|fileprivate|final|indirect|nonisolated)\s+)*"
    r"(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)", re.MULTILINE)


def code(text):
    """The text without comments and without the contents of strings."""
    text = re.sub(r'#*"""(?:.|\n)*?"""#*', '""', text)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
    text = re.sub(r"/\*(?:.|\n)*?\*/", "", text)
    return re.sub(r"//.*", "", text)


def layers_of_names(files):
    """The folder of each declared name; `None` for one of two folders."""
    found = {}
    for folder, _, text in files:
        for name in DECLARATION.findall(text):
            found[name] = folder if found.get(name, folder) == folder else None
    return found


def wrong_uses(files):
    order = {folder: number for number, row in enumerate(LAYERS) for folder in row}
    names = layers_of_names(files)
    for folder, path, text in files:
        for name in sorted(set(re.findall(r"\b[A-Z]\w*", text))):
            used = names.get(name)
            if used is None or used == folder or (folder, used) in ACROSS:
                continue
            if order[used] < order[folder]:
                continue
            yield folder, path, name, used


def read():
    files = []
    for path in sorted(SOURCES.rglob("*.swift")):
        parts = path.relative_to(SOURCES).parts
        if len(parts) > 1:
            files.append((parts[0], str(path), code(path.read_text())))
    return files


def selftest():
    files = [
        ("Model", "Model/A.swift", code("struct Status {} // Store\nlet text = \"Store\"")),
        ("Store", "Store/B.swift", code("actor Store { var status: Status }")),
    ]
    assert list(wrong_uses(files)) == [], "uses of lower folders, comments and strings are allowed"
    files.append(("Model", "Model/C.swift", code("struct Bad { let store: Store }")))
    assert list(wrong_uses(files)) == [("Model", "Model/C.swift", "Store", "Store")], "a use of a higher folder is found"
    print("layers.py: the check can fail")


def main():
    if "--selftest" in sys.argv:
        return selftest()
    files = read()
    unknown = {folder for folder, _, _ in files} - {folder for row in LAYERS for folder in row}
    failed = False
    for folder in sorted(unknown):
        print(f"{SOURCES / folder}: no row of LAYERS names this folder")
        failed = True
    if unknown:
        sys.exit(1)
    for folder, path, name, used in wrong_uses(files):
        print(f"{path}: {folder} uses {name}, which {used} declares")
        failed = True
    if failed:
        sys.exit(1)
    print("layers.py: the folders depend on each other in one direction")


main()
