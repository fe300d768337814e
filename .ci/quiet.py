"""Checks that a run of tests prints only what the test runners and the build print themselves.

`python3 .ci/quiet.py LOG` prints every other line, and exits with status 1 if there is one. Known issues and warnings
are other lines: a deliberate failure is collected where it is provoked (`reportedFailures`). Two kinds of lines are the
package manager's and are not checked: all before the first line of a runner, and warnings about a dependency, which can
appear anywhere. `--selftest` shows that the check can fail.
"""

import re
import sys

# How lines of the runners begin.
RUNNER = re.compile(
    r"[◇✔↳➜━] |Test (Suite|Case) '|\t* *Executed \d+ tests?, with|\[\d+/\d+\] |Building for |Build complete!|Compiling |"
    r"\[\d+%\]|Fetching |Fetched |Updating |Updated |Creating |Computing |Computed |Working copy of |Planning build|.*: Test skipped: ")
# How they end, for arguments of several lines, and if a part of the output is lost.
RUNNER_END = re.compile(r"(started|skipped|seconds)\.$|started at [\d: .-]+$")
# An argument whose description has several lines.
ARGUMENTS = re.compile(r"[◇✔↳➜━] .*(Passing|passing) \d+ arguments? ")
# The first line of a runner.
FIRST = re.compile(r"Test Suite '|◇ Test run started")
# A warning of the package manager about a dependency, and the files that it lists.
DEPENDENCY = re.compile(r"warning: '[^']+': |    /.*/\.build/checkouts/")
# What the Swift runtime says of a program that leaks a continuation: some tests explore such programs.
LEAK = re.compile(r"SWIFT TASK CONTINUATION MISUSE: .* leaked its continuation without resuming it")
# What an exploration of more than ten seconds writes.
PROGRESS = re.compile(r"explore at \S+:\d+, \d+ seconds: ")
NOISE = re.compile(r"recorded a (known issue|warning)|with .*\d+ (known issue|warning)s?\b.*\.$")


def others(lines):
    lines = [re.sub(r"\x1b\[[\d;]*[A-Za-z]", "", line).rstrip() for line in lines]
    first = next((index for index, line in enumerate(lines) if FIRST.match(line)), 0)
    found, is_inside = [], False
    for line in lines[first:]:
        is_end = bool(RUNNER_END.search(line))
        if NOISE.search(line):
            found.append(line)
        elif line and not is_inside and not RUNNER.match(line) and not DEPENDENCY.match(line) and not is_end \
                and not LEAK.match(line) and not PROGRESS.match(line):
            found.append(line)
        is_inside = (is_inside or bool(ARGUMENTS.match(line))) and not is_end
    return found


def selftest():
    quiet = """A.swift:1:1: warning: of a build
[12/34] Compiling EffectCore Effect.swift
Build complete! (34.67s)
Test Suite 'All tests' started at 2026-11-23 16:33:07.123
Test Case 'PlanTests.testOne' started at 2026-11-23 16:33:07.124
Test Case 'PlanTests.testOne' passed (0.001 seconds)
Tests/PlanTests.swift:9: PlanTests.testTwo : Test skipped: required false value but got true
\t Executed 12 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds
◇ Test run started.
↳ Testing Library Version: 6.3.1 (937120cbc281cf2)
◇ Passing 1 argument text → "a
b" to "Where the chunks end makes no difference" started.
✔ Test "of a suite" passed after 0.001 seconds.
✔ Test run with 2 tests in 1 suite passed after 0.002 seconds.
warning: 'a-package': found 1 file(s) which are unhandled; explicitly declare them as resources or exclude from the target
    /home/me/clone/.build/checkouts/a-package/Sources/CMakeLists.txt
""".split("\n")
    assert others(quiet) == [], others(quiet)
    for noise in ["Fuzz: 200 programs", "  The state differs", "✘ Test a() recorded a known issue at A.swift:1:1: x",
                  "✔ Test run with 2 tests in 1 suite passed after 0.002 seconds with 3 known issues.",
                  "⚠︎ Test a() recorded a warning at A.swift:1:1: x"]:
        assert others([*quiet, noise]) == [noise], noise
    print("quiet.py: the check can fail")


if __name__ == "__main__":
    if sys.argv[1:] == ["--selftest"]:
        selftest()
    else:
        with open(sys.argv[1], encoding="utf-8", errors="replace") as log:
            noise = others(log)
        print("\n".join([*noise[:50], f"quiet.py: {len(noise)} lines that are not the runners'"] if noise else ["quiet.py: quiet"]))
        sys.exit(1 if noise else 0)
