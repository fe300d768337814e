"""Checks the exercises: each fails as it is committed, for the reason that it teaches, and passes with its solution.

    python3 .ci/exercises.py            builds in the folder of the package
    python3 .ci/exercises.py FOLDER     builds in that folder

The package is built once with the programs of `Exercises` and once with those of `Solutions`; the tests are the same files.
Prints each violation and exits 1 if there is one.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

PACKAGE = Path("Examples/exercises")
SCRATCH = ["--scratch-path", sys.argv[1]] if len(sys.argv) > 1 else []

# What the failure of each exercise must say.
FAILURES = {
    "01-StaleAnswer": [
        "After a reduction `always` does not hold.", "If only the newest may answer, write `overlap: .restart` there.",
        'State(city: "Oslo", forecast: Forecast(city: "Rome"'],
    "02-LostUpdate": [
        "When nothing can happen any more, `finally` does not hold.", "The order of two actions matters:", "State(balance: 20)"],
    "03-StuckFlag": [
        '`.isRunning("load", exactlyWhile:)` is violated: its condition holds, and no run of "load" is active.',
        "x  .cancelTapped", "State(isLoading: true"],
    "04-DuplicateOrder": ["After a reduction `always` does not hold.", 'State(basket: "tea", receipt: 2)'],
    "05-WorkAfterDismissal": ["A run is still in flight at the end of the test:", 'run("page"/"price", input: "ACME"'],
    "06-DriftingTimer": ["Expected to receive .beat, but no action arrived.", "asleep for 0.04 seconds more"],
    "07-RetryStorm": ["(requests → 1000) <= 10", "So many requests of one app have reached the server while it was down."],
    "08-UndoLosesAnswer": [
        "When nothing can happen any more, `finally` does not hold.", "second  `.undoTapped`", "pictures: []"],
    "09-WrongReason": ["(failures.count → 0) > 0", "Is a lock ever blocked in that test?"],
    "10-DoubleLoad": ["After a reduction `always` does not hold.", '"ann": Picture(download: 2)'],
}

violations = []


def expect(what, holds, found=""):
    if not holds:
        violations.append(f"{what}\n{found}".strip())


def swift_test(*options, **variables):
    # Without XCTest, whose runner would print that it has found no test.
    done = subprocess.run(
        ["swift", "test", "--disable-xctest", "--package-path", PACKAGE, *SCRATCH, *options], env=os.environ | variables,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def check_files():
    for folder in ("Exercises", "Solutions", "Hints"):
        names = sorted(path.stem for path in (PACKAGE / folder).iterdir())
        expect(f"{folder} has other files than .ci/exercises.py", names == sorted(FAILURES), names)
    tests = sorted(path.name for path in (PACKAGE / "Tests").iterdir())
    expect("Tests has other files", tests == sorted(f"{name[3:]}Tests.swift" for name in FAILURES), tests)
    page = (PACKAGE / "README.md").read_text()
    expect("README.md has more than 500 words", len(page.split()) <= 500, len(page.split()))
    for name in FAILURES:
        expect(f"README.md has no row for {name}", f"| [{name}](Exercises/{name}.swift) |" in page)
        hint = PACKAGE / "Hints" / f"{name}.md"
        sentences = len(re.findall(r"[.?](?=\s)", hint.read_text())) if hint.exists() else 0
        expect(f"{hint} has {sentences} sentences", sentences in (1, 2))


def check_red():
    """Each by the command of the page, which runs one test."""
    for name, sentences in FAILURES.items():
        status, output = swift_test("--filter", name[3:], EFFECTS_SOLUTIONS="0")
        if "✘" not in output and "✔" not in output:
            sys.exit(f"exercises.py: the exercises do not compile, or their tests do not run\n{output[-4000:]}")
        if status == 0:
            violations.append(f"{name} does not fail")
            continue
        expect(f"{name}: `--filter {name[3:]}` runs other tests", "Test run with 1 test in 1 suite failed" in output, output)
        expect(f"{name} fails more than once", output.count(" recorded an issue at ") == 1, output)
        for sentence in sentences:
            expect(f"{name}: its failure does not say: {sentence}", sentence in output, output)


def check_green():
    status, output = swift_test(EFFECTS_SOLUTIONS="1")
    count = len(FAILURES)
    passed = f"Test run with {count} tests in {count} suites passed"
    expect("the solutions do not pass", status == 0 and passed in output, output)


check_files()
check_red()
check_green()
print("\n\n".join(violations) if violations else f"exercises.py: {len(FAILURES)} exercises fail as they should, and pass when solved")
sys.exit(1 if violations else 0)
