"""Measures what `@inlinable` saves: the table of Tests/Benchmarks/README.md, "What is inlinable, and why".

Builds the benchmarks as they are, and once for each part of the framework without the attribute in this part, in a copy of
the repository. Runs each of these in turn with the first, several times, and prints the rows that take longer without the
attribute, by the medians of the ratios. A part takes two to three minutes.

    python3 .ci/inlining.py                      all parts
    python3 .ci/inlining.py Mailbox RunPool      these parts
    python3 .ci/inlining.py --rounds 5 --list
"""

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent

# The files of each part.
PARTS = {
    "Engine": ["EffectRuntime/Engine/*"],
    "Scheduler": ["EffectRuntime/Scheduling/*", "EffectRuntime/Scheduling/Time/*"],
    "Mailbox": ["EffectRuntime/Execution/Mailbox*"],
    "RunPool": ["EffectRuntime/Execution/RunPool*"],
    "RunBody": ["EffectRuntime/Execution/RunBody*"],
    "Store loop": ["EffectRuntime/Store/Store+Drain*", "EffectRuntime/Store/Core*"],
    "Store performing": ["EffectRuntime/Store/Store+Performing*"],
    "Store": ["EffectRuntime/Store/Store.swift", "EffectRuntime/Store/StoreTask*"],
    "Support": ["EffectRuntime/Support/*"],
    "Trace": ["EffectRuntime/Trace/*"],
    "TraceEvent": ["EffectRuntime/Model/TraceEvent*"],
    "TraceStamps": ["EffectRuntime/Model/TraceStamps*"],
    "Observation": ["EffectRuntime/Observation/*"],
    "Recording": ["EffectRuntime/Recording/*"],
    "Effect": ["EffectCore/*"],
    "RowContainer": ["EffectCore/Composition/*"],
    "TestStore": ["EffectTesting/TestStore/*", "EffectTesting/FailureText/*"],
    "Shell": ["EffectTesting/Shell/*"],
    "Explorer": ["EffectTesting/Explorer/*", "EffectTesting/Explorer/*/*"],
}

ROWS = [
    "one-producer", "own-isolation", "chain", "one-producer-payload", "chain-payload", "run", "merge", "concatenate", "cancel",
    "restart", "trace-count", "trace-log", "test-step", "explore", "observed-field", "growth-rows",
]

# A row counts as slower if it takes this many times as long. Rows with tasks vary by up to 5 % from run to run.
LIMIT = 1.08


def without_inlining(code):
    """The code with `@inlinable` removed; a symbol that is not public stays visible to inlinable code elsewhere."""
    lines = code.split("\n")
    for number, line in enumerate(lines):
        if not re.match(r"\s*@inlinable\b", line):
            continue
        declaration = next(
            text for text in [re.sub(r"@\w+(\([^)]*\))?", "", line)] + lines[number + 1:]
            if re.sub(r"@\w+(\([^)]*\))?|//.*", "", text).strip())
        is_public = re.search(r"\b(public|open)\b", declaration.split("{")[0])
        has_other = any(
            re.match(r"\s*@usableFromInline\b(?!.*\b(let|var|init|func|struct|class|enum)\b)", text) or text is line
            and "@usableFromInline" in text for text in lines[max(0, number - 1):number + 2])
        instead = "" if is_public or has_other else "@usableFromInline"
        lines[number] = re.sub(r"@inlinable\b( @inline\((__always|never)\))?", instead, line).rstrip()
        # A symbol that is compiled here only may keep neither attribute.
        lines[number + 1] = re.sub(r"^(\s*)@inline\((__always|never)\)\s*$", r"\1", lines[number + 1])
    return "\n".join(lines)


def built(copy, folder, name):
    """The program, built from the copy as it is now."""
    done = subprocess.run(
        ["swift", "build", "-c", "release", "--package-path", str(copy / "Tests" / "Benchmarks"), "--product",
         "effect-benchmarks"], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{name} does not build:\n{done.stdout[-3000:]}{done.stderr[-2000:]}")
    program = folder / f"benchmarks-{name.replace(' ', '-')}"
    shutil.copy(copy / "Tests" / "Benchmarks" / ".build" / "release" / "effect-benchmarks", program)
    return program


def nanoseconds(program):
    """What a unit of each row takes."""
    options = [option for row in ROWS for option in ("--only", row)]
    output = subprocess.run([str(program), "--alone", *options], capture_output=True, text=True).stdout
    found, title = {}, None
    for line in output.splitlines():
        if heading := re.match(r"(\S.*): ", line):
            title = heading[1] if heading[1] != "growth-rows" else line.split(",")[1].strip()
        elif measured := re.match(r"    (\S.*?)\s{2,}([\d,.]+) ns", line):
            # Of a row of growth the last size.
            found[title] = float(measured[2].replace(",", ""))
    return found


def compared(base, other, rounds):
    """The median ratio of each row, and the least and the greatest."""
    ratios = {}
    for _ in range(rounds):
        before, after = nanoseconds(base), nanoseconds(other)
        for row, time in before.items():
            ratios.setdefault(row, []).append(after[row] / time)
    return {row: (statistics.median(found), min(found), max(found)) for row, found in ratios.items()}


def main():
    options = argparse.ArgumentParser(description="What `@inlinable` saves, by part and row.")
    options.add_argument("parts", nargs="*", help="which parts (all)")
    options.add_argument("--rounds", type=int, default=3, help="how often each pair is run (3)")
    options.add_argument("--list", action="store_true", help="only list the parts and their attributes")
    chosen = options.parse_args()
    if unknown := set(chosen.parts) - set(PARTS):
        sys.exit(f"inlining.py: no part {', '.join(unknown)}")
    files = {part: sorted(path for pattern in PARTS[part] for path in (REPOSITORY / "Sources").glob(pattern)
                          if path.suffix == ".swift" and "@inlinable" in path.read_text())
             for part in chosen.parts or PARTS}
    for part, paths in files.items():
        count = sum(path.read_text().count("@inlinable") for path in paths)
        print(f"{part}: {count} in {len(paths)} files", flush=True)
    if chosen.list:
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "swift-effects")
        shutil.copytree(REPOSITORY, copy, ignore=shutil.ignore_patterns(".build*", ".git"))
        base = built(copy, Path(folder), "as it is")
        for part, paths in files.items():
            copies = {path: path.read_text() for path in (copy / path.relative_to(REPOSITORY) for path in paths)}
            for path, code in copies.items():
                path.write_text(without_inlining(code))
            try:
                result = compared(base, built(copy, Path(folder), part), chosen.rounds)
            except SystemExit as error:
                print(f"\n{error}", flush=True)
                continue
            finally:
                for path, code in copies.items():
                    path.write_text(code)
            slower = {row: ratio for row, ratio in result.items() if ratio[0] >= LIMIT}
            print(f"\nwithout `@inlinable` in {part}:", "" if slower else "no row is slower", flush=True)
            for row, (middle, least, most) in sorted(slower.items(), key=lambda item: -item[1][0]):
                print(f"    {row}: {middle:.2f}x ({least:.2f} to {most:.2f})", flush=True)


if __name__ == "__main__":
    main()
