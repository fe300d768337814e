"""Checks that the compiler prints the messages that Docs/CompilerMessages.md quotes.

Needs the modules of a debug build. Prints what is missing and exits 1 if anything is.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

page = Path("Docs/CompilerMessages.md")
# The last section is about modules with the main actor as default isolation.
common, text = page.read_text().split("\n## Modules with the main actor as default isolation\n")
listing = re.search(r"<!-- forgotten: begin -->\n```swift\n(.*?)```\n<!-- forgotten: end -->", text, re.S).group(1)
quotes = [
    line.strip() for block in re.findall(r"```text\n(.*?)```", text, re.S) for line in block.splitlines() if line.strip()]


def following(types):
    """The listing with the rule followed for some types."""
    return re.sub(rf"^(enum|struct) ({'|'.join(types)})\b", r"nonisolated \1 \2", listing, flags=re.M)


def printed(source, *flags):
    """All that the compiler prints."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "Forgotten.swift"
        path.write_text(source)
        return subprocess.run(
            ["swiftc", "-c", "-o", f"{folder}/out.o", "-swift-version", "6", *flags, "-I", ".build/debug/Modules",
             str(path)], capture_output=True, text=True).stderr


# Errors hide others, so `nonisolated` is left out for one type at a time.
types = ["CancelID", "Query", "Book"]
sources = [following([other for other in types if other != one]) for one in types]
# Errors in code that the compiler has generated come last.
sources.append(re.sub(r"^ +if .*\n", "", sources[-1], flags=re.M))
isolated = ("-default-isolation", "MainActor")
output = "".join(printed(source, *isolated) for source in sources)
missing = [quote for quote in quotes if quote not in output]
# With the rule of the page there must be no message.
followed = printed(following(types), *isolated)
for quote in missing:
    print(f"{page}: the compiler does not say: {quote}")
if "error:" in followed:
    print(f"{page}: does not compile with `nonisolated` either:\n{followed}")
if missing or not quotes or "error:" in followed:
    print(output if missing else "")
    sys.exit(1)

# The other sections: a prelude that comes before all their listings, each with its expected messages.
prelude = re.search(r"<!-- prelude: begin -->\n```swift\n(.*?)```\n<!-- prelude: end -->", common, re.S).group(1)
# Declarations that a listing uses and does not contain, so that its own mistake is the only one.
effect = "extension Search { func effect(_ state: inout State) -> Effect<Action> { .none } }\n"
pairs = re.findall(r"  ```swift\n(.*?)  ```\n  ```text\n(.*?)  ```\n", common, re.S)
for code, said in pairs:
    source = prelude + code + ("" if "extension Search" in code else effect)
    output = printed(source)
    for quote in map(str.strip, said.splitlines()):
        if quote not in output:
            print(f"{page}: the compiler does not say: {quote}\nbut, of {code}{output}")
            missing.append(quote)
followed = printed(prelude + effect)
if missing or not pairs or "error:" in followed:
    print(followed)
    sys.exit(1)
print(f"diagnostics.py: the compiler says all {len(quotes) + sum(len(said.splitlines()) for _, said in pairs)} texts")
