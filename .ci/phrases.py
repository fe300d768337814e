"""Checks that comments, pages, texts and test names use plain English: no phrase of a list occurs.

    python3 .ci/phrases.py --selftest    each phrase matches one sentence, and does not match another
    python3 .ci/phrases.py               prints each place with a phrase and what to write instead; exits 1 if there is one
"""

import re
import subprocess
import sys
from pathlib import Path

# The phrase, what to write instead, a sentence that must match, and one that must not.
PHRASES = [
    (r"\bnobody\b", "no code, no listener, nothing", "Nobody waits for it.", "No listener waits for it."),
    (r"\bsomebody\b", "name the thing", "Somebody cancels the run.", "A reducer cancels the run."),
    (r"\bwhoever\b", "the caller, the waiter", "Whoever cancels it is notified.", "The caller that cancels it is notified."),
    (r"\bwhom\b", "name the thing", "The run for whom it waits", "The run that it waits for"),
    (r"\bhim\b", "name the thing", "It is sent to him.", "It is sent to the himself-made client."),
    (r"\b(is|are|was|were|be|been) told\b", "is notified", "The observer is told.", "The observer is notified, as a test told."),
    (r"\blets? go of\b", "releases", "The store lets go of its action.", "The store lets the action go on."),
    (r"\bcomes? to (its|their|an) end\b", "ends", "The run comes to its end.", "The run comes to its last step."),
    (r"\btakes? the place of\b", "replaces", "The new run takes the place of the old.", "The work takes place on an actor."),
    (r"\bmend(s|ed|ing)?\b", "fix", "This mends the test.", "We recommend and amend this."),
    (r"\blooks? into\b", "checks, reads", "It looks into the mailbox.", "It looks up the id."),
    (r"\bwho waits?\b", "the waiter, the task that waits", "It resumes who waits.", "It resumes the task that waits."),
    (r"\banew\b", "again, from the beginning", "The window begins anew.", "The window starts a new interval."),
    (r"\bin vain\b", "without a result", "It was waited for in vain.", "It ends in various ways."),
    (r"\bstruck\b", "injected", "The run was struck by a fault.", "A structure of runs"),
    (r"\b(runs?|closures?|tasks?|stores?|effects?|it) lives?\b(?!-)", "is active, exists", "While the run lives", "swift run live-search"),
    (r"\b(is|are|was|were|has|have) gone\b", "has returned, was removed", "The closure is gone.", "The closure has returned."),
    (r"\bwhat stands\b", "the existing code", "It keeps what stands.", "It keeps what understands it."),
    (r"\bwhat is left\b", "the rest", "It takes what is left.", "It is left to the caller."),
    (r"\bbreach(es)?\b", "violation", "A breach of a rule", "A reachable rule"),
    (r"\blong gone\b", "ended long ago", "an action of a run long gone", "It has not long to go on."),
    (r"\bwho comes\b", "which run comes", "It depends on who comes last.", "It depends on which run comes last."),
    (r"\blest\b", "so that ... not", "Lest it is lost", "At least one is lost"),
]

TEXTS = {".swift", ".md", ".py", ".sh", ".js", ".css", ".html", ".yml", ""}
# The list itself, and the license.
EXEMPT = {".ci/phrases.py", "LICENSE"}


def selftest():
    for phrase, _, match, other in PHRASES:
        pattern = re.compile(phrase, re.IGNORECASE)
        if not pattern.search(match):
            sys.exit(f"phrases.py: {phrase} does not match: {match}")
        if pattern.search(other):
            sys.exit(f"phrases.py: {phrase} matches: {other}")
    print(f"phrases.py: each of {len(PHRASES)} phrases matches what it must, and nothing else")


def findings():
    patterns = [(re.compile(phrase, re.IGNORECASE), instead) for phrase, instead, _, _ in PHRASES]
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], check=True, capture_output=True, text=True)
    for name in listed.stdout.splitlines():
        path = Path(name)
        if name in EXEMPT or path.suffix not in TEXTS or not path.is_file():
            continue
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            for pattern, instead in patterns:
                if found := pattern.search(line):
                    yield f"{name}:{number}: `{found[0]}`; write: {instead}\n    {line.strip()}"


if sys.argv[1:] == ["--selftest"]:
    selftest()
else:
    found = list(findings())
    print("\n".join(found) if found else "phrases.py: plain English, by the list of phrases")
    sys.exit(1 if found else 0)
