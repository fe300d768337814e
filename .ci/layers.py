#!/usr/bin/env python3
"""Checks that the folders of EffectRuntime and of EffectTesting depend on each other in one direction.

    .ci/layers.py             checks the sources
    .ci/layers.py --selftest  shows that the check finds a dependency in the wrong direction

A file depends on a folder if it names a type that is declared there at the top level, or a static member that an extension there adds
to a type: as `Type.member`, or as `member` in an extension of that type. Comments and strings do not count. A name that two folders
declare is not checked, and neither are other members of extensions.
"""

import re
import sys
from pathlib import Path

# Each folder may use the folders in rows above it, and itself. Folders of one row do not use each other, except as in ACROSS.
MODULES = {
    "EffectRuntime": [
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
    ],
    "EffectTesting": [
        ["SuggestedCode", "TestClock", "Timeline"],
        ["FailureText"],
        ["Shell"],
        ["Mock"],
        ["TestStore"],
        ["Explorer", "Recording"],
    ],
}

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


EXTENSION = re.compile(r"^(?:\w+ )?(?:extension|enum|struct) (\w+)[^\n]*\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
MEMBER = re.compile(r"^  (?:@\w+ )*(?:public |package |internal )?static (?:func|let|var) (\w+)", re.MULTILINE)


def layers_of_names(files):
    """The folder of each declared name; `None` for one of two folders."""
    found = {}
    for folder, _, text in files:
        for name in DECLARATION.findall(text):
            found[name] = folder if found.get(name, folder) == folder else None
    return found


def layers_of_members(files):
    """Likewise of each static member, by its type and name."""
    found = {}
    for folder, _, text in files:
        for extended, body in EXTENSION.findall(text):
            for name in MEMBER.findall(body):
                found[extended, name] = folder if found.get((extended, name), folder) == folder else None
    return found


def uses(text, members):
    """The types that a file names, and the static members with their types."""
    yield from ((name, name) for name in sorted(set(re.findall(r"\b[A-Z]\w*", text))))
    named = set(re.findall(r"\b([A-Z]\w*)\.(\w+)", text))
    for extended, body in EXTENSION.findall(text):
        named |= {(extended, name) for name in re.findall(r"(?<![\w.])(\w+)\(", body)}
    yield from ((member, ".".join(member)) for member in sorted(named & set(members)))


def wrong_uses(files, layers):
    order = {folder: number for number, row in enumerate(layers) for folder in row}
    members = layers_of_members(files)
    known = {**layers_of_names(files), **members}
    for folder, path, text in files:
        for key, name in uses(text, members):
            used = known.get(key)
            if used is None or used == folder or (folder, used) in ACROSS:
                continue
            if order[used] < order[folder]:
                continue
            yield folder, path, name, used


def read(module):
    files = []
    for path in sorted(module.rglob("*.swift")):
        parts = path.relative_to(module).parts
        if len(parts) > 1:
            files.append((parts[0], str(path), code(path.read_text())))
    return files


def selftest():
    layers = [["Model"], ["Store"]]
    files = [
        ("Model", "Model/A.swift", code("struct Status {} // Store\nlet text = \"Store\"")),
        ("Store", "Store/B.swift", code("actor Store { var status: Status }\nextension Text {\n  static func long() {}\n}")),
    ]
    assert list(wrong_uses(files, layers)) == [], "uses of lower folders, comments and strings are allowed"
    files.append(("Model", "Model/C.swift", code("struct Bad { let store: Store }")))
    assert list(wrong_uses(files, layers)) == [("Model", "Model/C.swift", "Store", "Store")], "a use of a higher folder is found"
    for text in ("let text = Text.long()", "extension Text {\n  static func short() { long() }\n}"):
        files[2] = ("Model", "Model/C.swift", code(text))
        found = list(wrong_uses(files, layers))
        assert found == [("Model", "Model/C.swift", "Text.long", "Store")], "a use of a member that a higher folder adds is found"
    print("layers.py: the check can fail")


def main():
    if "--selftest" in sys.argv:
        return selftest()
    failed = False
    for module, layers in MODULES.items():
        files = read(Path("Sources") / module)
        unknown = {folder for folder, _, _ in files} - {folder for row in layers for folder in row}
        for folder in sorted(unknown):
            sys.exit(f"Sources/{module}/{folder}: no row of MODULES names this folder")
        for folder, path, name, used in wrong_uses(files, layers):
            print(f"{path}: {folder} uses {name}, which {used} declares")
            failed = True
    if failed:
        sys.exit(1)
    print("layers.py: the folders depend on each other in one direction")


main()
