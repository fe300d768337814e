"""How much of the three modules the tests execute, by the toolchain's own tool.

`python3 .ci/coverage.py` runs `swift test` with coverage (in `.build-coverage`) and prints lines and regions of each module,
each file below the promise, and each line that no test reaches. Exits 1 if less than 97 % of the lines are executed.
`python3 .ci/coverage.py --again` reads what the last run has left.
"""

import collections
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRATCH = ROOT / ".build-coverage"
PROMISE = 97.0
TOOLS = Path(shutil.which("swift")).resolve().parent


def output(*command):
    done = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def profile(binaries):
    """Everything that the tests and the processes they started have written, in one file."""
    raw = [path for path in (binaries / "codecov").glob("*.profraw") if path.stat().st_size]
    merged = binaries / "codecov" / "all.profdata"
    # A process that is killed on purpose leaves an incomplete file.
    output(TOOLS / "llvm-profdata", "merge", "-sparse", "--failure-mode=all", *raw, "-o", merged)
    return merged


def main(mode=None):
    if mode != "--again":
        shutil.rmtree(SCRATCH / "codecov", ignore_errors=True)
        done = subprocess.run(["swift", "test", "--enable-code-coverage", "--scratch-path", SCRATCH], cwd=ROOT,
                              env=dict(os.environ, EFFECTS_LONG_TESTS="1"), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace")
        if done.returncode:
            failed = [line for line in done.stdout.splitlines() if line.startswith("✘") or "error:" in line]
            sys.exit("\n".join(["coverage.py: the tests fail:", *failed]))
    binaries = Path(output("swift", "build", "--show-bin-path", "--scratch-path", SCRATCH).strip())
    tests = next(binaries.glob("*.xctest"))
    report = json.loads(output(TOOLS / "llvm-cov", "export", tests, f"-instr-profile={profile(binaries)}"))["data"][0]
    counts = collections.defaultdict(lambda: [0, 0, 0, 0])
    missed = []
    for file in report["files"]:
        path = Path(file["filename"])
        if not path.is_relative_to(ROOT / "Sources"):
            continue
        module, lines, regions = path.relative_to(ROOT / "Sources").parts[0], file["summary"]["lines"], file["summary"]["regions"]
        for name in (module, "all"):
            for index, number in enumerate([lines["covered"], lines["count"], regions["covered"], regions["count"]]):
                counts[name][index] += number
        # Segments: line, column, count, whether it is counted, whether a region begins, whether it is a gap.
        segments = file["segments"]
        missing = set()
        for this, following in zip(segments, segments[1:]):
            if this[3] and this[2] == 0 and not this[5]:
                missing.update(range(this[0], following[0] + (following[1] > 1)))
        if missing:
            missed.append((path.relative_to(ROOT), lines["percent"], sorted(missing)))
    for path, percent, lines in sorted(missed):
        print(f"{path}: {percent:.1f} % of lines; not all of {spans(lines)}")
    print()
    for name in sorted(counts):
        covered, lines, passed, regions = counts[name]
        print(f"{name}: {covered:,} of {lines:,} lines, {100 * covered / lines:.2f} %; "
              f"{passed:,} of {regions:,} regions, {100 * passed / regions:.2f} %")
    if 100 * counts["all"][0] < PROMISE * counts["all"][1]:
        sys.exit(f"coverage.py: less than {PROMISE} % of the lines")


def spans(lines):
    """`3-5, 9`"""
    parts = []
    for line in lines:
        if parts and parts[-1][1] == line - 1:
            parts[-1][1] = line
        else:
            parts.append([line, line])
    return ", ".join(f"{first}-{last}" if first < last else f"{first}" for first, last in parts)


main(*sys.argv[1:])
