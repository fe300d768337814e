"""Checks the rules of the project for its own sources that no compiler checks.

Prints each violation with its place and exits 1 if there is one.
"""

import re
import subprocess
import sys
from pathlib import Path

# The test targets that `bash .ci/run threads` runs.
SANITIZED = {"EffectRuntimeTests", "EffectTestingTests", "Support"}

violations = []


def violation(place, text):
    violations.append(f"{place}: {text}")


def tracked(*patterns):
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
        check=True, capture_output=True, text=True).stdout
    return [Path(line) for line in listed.splitlines() if Path(line).exists()]


def check_manifest():
    if re.search(r"\.package\(", Path("Package.swift").read_text()):
        violation("Package.swift", "the root package has no dependencies")


def check_sources():
    for path in tracked("*.swift"):
        lines = path.read_text().splitlines()
        if len(lines) > 500:
            violation(path, f"{len(lines)} lines; 500 is the most")
        if path.name == "Package.swift":
            continue
        if not lines or "License: Apache-2.0" not in " ".join(lines[:2]):
            violation(path, "the licence line is missing")
        check_one_path_each(path, lines)
        if path.parts[0] == "Sources":
            check_module_file(path, lines)
            check_inlined_initializers(path, "\n".join(lines))
        if path.parts[0] == "Tests" and path.parts[1] in SANITIZED:
            check_sanitized_file(path, lines)


def check_budgets():
    """No folder of the sources grows without a reason: see lines.txt."""
    budgets = {}
    for line in (Path(__file__).parent / "lines.txt").read_text().splitlines():
        if not line.startswith("#"):
            number, folder = line.split("#")[0].split()
            budgets[folder] = int(number)
    counts = dict.fromkeys(budgets, 0)
    for path in tracked("Sources/*.swift"):
        folder = "/".join(path.parts[: 3 if len(path.parts) > 3 else 2])
        counts[folder] = counts.get(folder, 0) + len(path.read_text().splitlines())
    for folder, count in counts.items():
        most = budgets.get(folder, 0)
        if count > most:
            violation(folder, f"{count} lines, and .ci/lines.txt allows {most}: remove some, or raise it there and say why")


def check_one_path_each(path, lines):
    """The compiler gives two closures in one declaration of constants the code of the first (Docs/CompilerMessages.md)."""
    for number, line in enumerate(lines, 1):
        if re.search(r"\blet \w+ = CasePath\(.*\), *\w+ = CasePath\(", line):
            violation(f"{path}:{number}", "a `let` for each path: the compiler gives both the function of the first")


def check_module_file(path, lines):
    for number, line in enumerate(lines, 1):
        place = f"{path}:{number}"
        code = line.split("//")[0]
        if re.match(r"\s*(public |internal |package |private )?import Foundation", line):
            violation(place, "the modules do not import Foundation")
        if re.search(r"\btry!|\bas!|fatalError\(\)", code) or re.search(r"\bTODO\b|\bFIXME\b", line):
            violation(place, "no force, no trap without words, nothing left to do")
        unchecked = re.search(r"@unchecked Sendable|nonisolated\(unsafe\)|unsafeBitCast", code)
        if unchecked and not any("SAFETY:" in text for text in lines[max(0, number - 6):number]):
            violation(place, "a `// SAFETY:` line with the invariant is missing")
        if path.parts[1] == "EffectCore" and re.search(r"\b(Task(\.detached)?\s*[{(]|Mutex|Lock<)", code):
            violation(place, "EffectCore holds values only: no task, no lock")


INLINED_INIT = re.compile(
    r"@inlinable[^\n]*\n(?:\s*(?:@[^\n]*|//[^\n]*)\n)*\s*(?:package |public |convenience )*init\(")
TYPE = re.compile(r"(?ms)^(?:[\w@()]+ )*(?:class|actor|struct) (\w+).*?^}")
PRIVATE_PROPERTY = re.compile(r"(?m)^  (?:private|fileprivate) (?:weak )?(?:var|let) (\w+)[^\n{]*$")


def check_inlined_initializers(path, text):
    """The compiler accepts a private property with a default, and then fails to build a program in release that inlines the
    initializer."""
    for found in TYPE.finditer(text):
        if INLINED_INIT.search(found.group()):
            for name in PRIVATE_PROPERTY.findall(found.group()):
                violation(path, f"`{found.group(1)}.{name}` is private, and an inlinable initializer sets it: write `@usableFromInline`")


def check_sanitized_file(path, lines):
    """The thread sanitizer cannot analyse `Mutex` on Linux: if two threads contend for one, it reports a race."""
    for number, line in enumerate(lines, 1):
        if re.search(r"\bMutex\b", line.split("//")[0]):
            violation(f"{path}:{number}", "use `Lock`, which the thread sanitizer understands, instead of `Mutex`")


def check_rules_are_tested():
    """Every rule that Docs/Semantics.md states is cited by a test, and every link in it has a target."""
    semantics = Path("Docs/Semantics.md")
    text = semantics.read_text()
    tests = "\n".join(path.read_text() for path in tracked("Tests/**/*.swift", "Examples/**/Tests/*.swift"))
    names = re.findall(r"func `([^`]*)`", tests)
    cited = set(re.findall(r"\b([TEOLSCVM]\d+)\b", "\n".join(names)))
    stated = re.findall(r"^- \*\*([TEOLSCVM]\d+)\*\*", text, flags=re.M)
    if not stated:
        violation(semantics, "states no rule")
    for rule in stated:
        if rule not in cited:
            violation(semantics, f"no test names rule {rule}")
    for document in tracked("*.md"):
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text()):
            if not (document.parent / link).exists():
                violation(document, f"the link {link} leads nowhere")


def check_tracked_files():
    for path in tracked():
        if path.name == "Package.resolved" or any(part.startswith(".build") for part in path.parts):
            violation(path, "is generated and does not belong into the repository")


check_manifest()
check_sources()
check_budgets()
check_rules_are_tested()
check_tracked_files()
print("\n".join(violations) if violations else "rules.py: all hold")
sys.exit(1 if violations else 0)
