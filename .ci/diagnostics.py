"""Checks that the compiler says, of the listing in Docs/MainActorByDefault.md, what the page claims it says.

Needs the modules of a debug build. Prints what is missing and exits 1 if anything is.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

page = Path("Docs/MainActorByDefault.md")
text = page.read_text()
listing = re.search(r"<!-- forgotten: begin -->\n```swift\n(.*?)```\n<!-- forgotten: end -->", text, re.S).group(1)
quotes = [
    line.strip() for block in re.findall(r"```text\n(.*?)```", text, re.S) for line in block.splitlines() if line.strip()]


def following(types):
    """The listing with the rule followed for some types."""
    return re.sub(rf"^(enum|struct) ({'|'.join(types)})\b", r"nonisolated \1 \2", listing, flags=re.M)


def printed(source):
    """All that the compiler prints."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "Forgotten.swift"
        path.write_text(source)
        return subprocess.run(
            ["swiftc", "-c", "-o", f"{folder}/out.o", "-swift-version", "6", "-default-isolation", "MainActor",
             "-I", ".build/debug/Modules", str(path)], capture_output=True, text=True).stderr


# Errors hide others, so it is forgotten for one type at a time.
types = ["CancelID", "Query", "Book"]
sources = [following([other for other in types if other != one]) for one in types]
# What the compiler finds in code that it has written itself comes last.
sources.append(re.sub(r"^ +if .*\n", "", sources[-1], flags=re.M))
output = "".join(printed(source) for source in sources)
missing = [quote for quote in quotes if quote not in output]
# The rule of the page, followed: then there is nothing to say.
followed = printed(following(types))
for quote in missing:
    print(f"{page}: the compiler does not say: {quote}")
if "error:" in followed:
    print(f"{page}: does not compile with `nonisolated` either:\n{followed}")
if missing or not quotes or "error:" in followed:
    print(output if missing else "")
    sys.exit(1)
print(f"diagnostics.py: the compiler says all {len(quotes)} texts")
