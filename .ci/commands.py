"""Checks that every command on a page works.

Collects the commands of the pages: each line of a fenced `sh`, `bash` or `console` block, and each command in backticks.
Every one must have an entry in COVERED below, which states how it is checked:

- `Run` runs it here, as it is written or in a form that takes seconds (the reason is beside it);
- `Gate` names the line of another check that runs it;
- `Shown` is a command whose output the page shows: `check_pages` of `.ci/run` runs those;
- `Filter` runs tests that the gate runs as well. Here the filter must match one of them, and the command must ask for the long
  tests if the manifest leaves it out otherwise;
- `Target` runs a test target of the manifest, which the gate runs as well;
- `Reader` is not for this repository: the reader types it in his or her package.

    python3 .ci/commands.py            collects and runs
    python3 .ci/commands.py --check    only collects, and builds nothing

A page with a command that is not covered fails, and so does an entry that no page needs.
"""

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

COMMAND = re.compile(r"(?:[A-Z_]+=\S+ +)*(?:swift (?:run|test|build|package)\b|(?:bash |python3 |sh )?\.ci/)")


class Run(NamedTuple):
    command: str = ""
    why: str = ""


class Gate(NamedTuple):
    line: str
    file: str = ".ci/run"


class Shown(NamedTuple):
    pass


class Filter(NamedTuple):
    uses: str = ""


class Target(NamedTuple):
    pass


class Reader(NamedTuple):
    why: str


ROWS = "Tests/Benchmarks/Sources/EffectBenchmarks"
PACKAGES = "swift run --package-path Examples/WithPackages "
GATEWAY = "swift run --package-path Examples/17-gateway "
ORDERS = "swift run -c release --package-path Examples/WithPackages orders "
FEW_ORDERS = Run(PACKAGES + "orders --orders 200 --processes 2 --kill-every-ms 0", "takes minutes")
BENCHMARKS = "swift run -c release --package-path Tests/Benchmarks effect-benchmarks"
SOAK = "swift run -c release --package-path Tests/Benchmarks effect-soak --seconds 600 --busy 2 --svg "
IN_RELEASE = "swift test -c release -Xswiftc -enable-testing "
FEW_RUNS = Run("STRESS_RUNS=50 STRESS_SEED=1 swift test --disable-xctest --filter StressTests", "takes minutes to hours")
NO_RUNS = Run(".ci/flake 0", "takes hours: builds and lists the suites, and repeats nothing")
COVERED = {
    "ORDERS_HUNT=1 swift test --package-path Examples/WithPackages --filter OrdersTests": Run(
        "swift test --package-path Examples/WithPackages --filter 'OrdersTests.*Arguments'", "takes four minutes"),
    "INSPECTOR_LOAD=1 swift test --package-path Examples/WithPackages --filter LoadTests": Run(
        "swift test --package-path Examples/WithPackages --filter 'InspectorTests.*Goes'", "measures, so the machine must be quiet"),
    "swift test": Gate("  EFFECTS_LONG_TESTS=0 tests --quiet swift test --filter EffectCoreTests\n"),
    "EFFECTS_LONG_TESTS=1 swift test": Gate("  tests --quiet swift test\n"),
    "swift run": Reader("the program of the reader's first package"),
    "mkdir -p MyApp/Sources/MyApp MyApp/Tests/MyAppTests": Reader("the reader's first package"),
    "cd MyApp": Reader("the reader's first package"),
    "touch Sources/MyApp/main.swift": Reader("the reader's first package"),
    "EFFECTS_EXPLORE_LOG=explored swift test --filter FeedTests; cat explored/*": Reader("a test of the reader's"),
    "EFFECTS_EXPLORE_FAILURES=failing swift test --filter FeedTests": Reader("a test of the reader's"),
    "python3 .ci/swiftui.py": Gate("EFFECTS_LONG_TESTS=0 python3 .ci/swiftui.py\n"),
    "swift test --sanitize=thread -Xswiftc -DTSAN": Gate("--sanitize=thread -Xswiftc -DTSAN"),

    # Examples
    "EFFECTS_ONLY_TESTS=CounterTests swift test": Run(
        "EFFECTS_ONLY_TESTS=CounterTests swift test --scratch-path .build-counter", "as in a clean clone"),
    "swift run counter": Shown(),
    "swift run login": Shown(),
    "swift run profile": Shown(),
    "swift run stopwatch": Shown(),
    "swift run live-search Sources": Gate("bash Examples/02-live-search/Tests/run.sh"),
    "swift run live-search --record session.recording Sources": Gate("--record", "Examples/02-live-search/Tests/run.sh"),
    "swift run live-search --test session.recording": Gate("--test", "Examples/02-live-search/Tests/run.sh"),
    "swift run app": Gate("$(swift run app 2>/dev/null)"),
    "swift run app type": Gate("swift run app type"),
    "swift run app ghost": Shown(),
    "swift run race": Gate("$(swift run race 2>/dev/null)"),
    "swift run race --trace json safe": Run(),
    "swift run race --trace html safe > race.html": Run("swift run race --trace html safe >/dev/null", "writes a file"),
    "swift run shared": Shown(),
    "swift run cache": Shown(),
    "swift run demos": Shown(),
    'swift run cookbook "find tomato" "open 1" cook pause stop shorter back back find "add Tea"': Shown(),
    "swift run cookbook": Run("swift run cookbook </dev/null", "reads lines"),
    "EFFECTS_ONLY_TESTS=AppTests swift test": Target(),
    "EFFECTS_ONLY_TESTS=SharedTests swift test": Target(),
    "EFFECTS_ONLY_TESTS=CacheTests swift test": Target(),
    "EFFECTS_ONLY_TESTS=DemosTests swift test": Target(),
    "EFFECTS_ONLY_TESTS=CookbookTests swift test": Target(),
    "EFFECTS_ONLY_TESTS=LiveSearchTests swift test": Target(),
    PACKAGES + "articles": Shown(),
    PACKAGES + "chat": Shown(),
    PACKAGES + "downloads": Shown(),
    PACKAGES + "link-check": Shown(),
    PACKAGES + "orders": FEW_ORDERS,
    ORDERS + "--orders 100000": FEW_ORDERS,
    ORDERS + "--orders 20000 --processes 1 --kill-every-ms 0": FEW_ORDERS,
    ORDERS + "--orders 10000 --processes 4 --kill-every-ms 0": FEW_ORDERS,
    'PGOPTIONS="-c synchronous_commit=off" ' + ORDERS + "--orders 10000 --processes 4 --kill-every-ms 0": FEW_ORDERS,
    PACKAGES + "race-lab": Gate("python3 .ci/race-lab.py"),
    PACKAGES + "inspector-demo": Gate("python3 .ci/inspector.py"),
    PACKAGES + "inspector-demo 120000": Gate("python3 .ci/inspector.py"),
    "python3 .ci/inspector.py": Gate("python3 .ci/inspector.py"),
    "python3 .ci/tools-attack.py": Gate("python3 .ci/tools-attack.py"),
    "swift test --package-path Examples/WithPackages": Gate("swift test --disable-xctest --package-path Examples/WithPackages"),

    # Of the exercises one is named; all are run.
    "swift test --package-path Examples/exercises --filter StaleAnswer": Gate('"--filter", name[3:]', ".ci/exercises.py"),
    "EFFECTS_SOLUTIONS=1 swift test --package-path Examples/exercises": Gate('EFFECTS_SOLUTIONS="1"', ".ci/exercises.py"),

    # In the step `gateway`.
    GATEWAY + "upstream": Gate("python3 .ci/gateway.py"),
    GATEWAY + "gateway effect": Gate("python3 .ci/gateway.py"),
    GATEWAY + "gateway load": Gate("python3 .ci/gateway.py"),
    "swift run -c release --package-path Examples/17-gateway gateway load 30": Gate("python3 .ci/gateway.py"),
    "swift build -c release --package-path Examples/17-gateway && .ci/gateway-hunt.py 100": Run("python3 -m py_compile .ci/gateway-hunt.py", "takes ten minutes"),
    "swift test --package-path Examples/17-gateway": Gate("swift test --disable-xctest --package-path Examples/17-gateway"),

    # Long searches
    "EFFECTS_LONG_TESTS=1 FUZZ_PROGRAMS=100000 FUZZ_SEED=1 " + IN_RELEASE + "--scratch-path .build-release --filter FuzzTests": Run(
        "EFFECTS_LONG_TESTS=1 FUZZ_PROGRAMS=3 FUZZ_SEED=1 swift test --disable-xctest --filter FuzzTests", "takes minutes"),
    "EFFECTS_LONG_TESTS=1 EFFECTS_COMPARE_FEATURES=10000 EFFECTS_COMPARE_RUNS=1000 EFFECTS_COMPARE_SEED=1 " + IN_RELEASE
    + '--filter "ComparisonTests|OutcomeTests"':
        Filter("EFFECTS_COMPARE_FEATURES"),
    "EFFECTS_LONG_TESTS=1 EFFECTS_COMPARE_STATES=10000 EFFECTS_COMPARE_SEED=1 " + IN_RELEASE + "--filter StateSearchTests":
        Filter("EFFECTS_COMPARE_STATES"),
    "EFFECTS_LONG_TESTS=1 EFFECTS_COMPARE_FEATURES=3000 EFFECTS_COMPARE_RUNS=100 EFFECTS_COMPARE_SEED=7 " + IN_RELEASE
    + "--filter ComparisonTests": Filter("EFFECTS_COMPARE_FEATURES"),
    "EFFECTS_LONG_TESTS=1 EFFECTS_PRINT=1 swift test --filter DeadlineTests": Filter(),
    "EFFECTS_LONG_TESTS=1 EFFECTS_PRINT=1 swift test --filter 'AppFeatureTests|ServerFeatureTests'": Filter(),
    "EFFECTS_LONG_TESTS=1 EFFECTS_PRINT=1 swift test --filter PlainCodeTests": Filter(),
    "EFFECTS_JOURNAL_KILLS=1000 swift test --filter JournalKillTests": Filter("EFFECTS_JOURNAL_KILLS"),
    "SWT_SWIFT_ERROR_BACKTRACING_ENABLED=0 STRESS_RUNS=1000000 STRESS_SEED=1 " + IN_RELEASE
    + "--disable-xctest --scratch-path .build-stress --filter StressTests": FEW_RUNS,
    "EFFECTS_ONLY_TESTS=EffectRuntimeTests STRESS_RUNS=30000 STRESS_SEED=2 swift test --disable-xctest --sanitize=thread "
    "-Xswiftc -DTSAN --scratch-path .build-tsan --filter StressTests": FEW_RUNS,
    "EFFECTS_ONLY_TESTS=EffectRuntimeTests ASAN_OPTIONS=detect_leaks=1 STRESS_RUNS=30000 STRESS_SEED=1 swift test "
    "--disable-xctest --sanitize=address --scratch-path .build-asan --filter StressTests": FEW_RUNS,
    "EFFECTS_LONG_TESTS=1 EXPLORE_UP_TO=50000 swift test --filter ExplorerCountTests": Filter("EXPLORE_UP_TO"),
    "EFFECTS_LONG_TESTS=1 swift test --filter PlantedBugTests": Filter(),
    "EFFECTS_LONG_TESTS=1 swift test --filter GeneratedBugTests": Filter(),
    "swift test --filter LinearizableTests": Filter(),
    "EFFECTS_LONG_TESTS=1 swift test --filter SwarmTests": Filter(),
    "EFFECTS_LONG_TESTS=1 EFFECTS_CATALOGUE=1 swift test --filter CatalogueTests": Filter("EFFECTS_CATALOGUE"),
    "EFFECTS_LONG_TESTS=1 EFFECTS_MEMORY_SEEDS=100 swift test --filter PlantedMemoryTests": Filter("EFFECTS_MEMORY_SEEDS"),
    "EFFECTS_LONG_TESTS=1 EFFECTS_PLAIN_PROGRAMS=1000 EFFECTS_PLAIN_EXECUTIONS=100 swift test --filter RandomPlainTests":
        Filter("EFFECTS_PLAIN_PROGRAMS"),
    "swift test --filter EffectCoreTests": Filter(),
    "swift test --filter EffectRuntimeTests": Filter(),
    "EFFECTS_LONG_TESTS=1 swift test --filter 'Time|WaitingRun|Attempt'": Filter(),
    "EFFECTS_LONG_TESTS=1 swift test --filter 'RandomProgram|TimedProgram|ShareProgram'": Filter(),
    ".ci/flake 200": NO_RUNS,
    ".ci/flake 200 -c release -Xswiftc -enable-testing -Xswiftc -DDEBUG --scratch-path .build-release": NO_RUNS,
    "python3 .ci/coverage.py": Run("python3 -m py_compile .ci/coverage.py", "builds and runs all tests once more"),
    "python3 .ci/perfetto.py race.html perfetto.png": Run("python3 -m py_compile .ci/perfetto.py", "needs ui.perfetto.dev"),
    "swift build && python3 .ci/compile-time.py": Run("python3 -m py_compile .ci/compile-time.py", "takes a minute"),
    "python3 .ci/inlining.py": Run("python3 .ci/inlining.py --list", "builds the benchmarks once for each part"),
    "python3 .ci/client.py --rounds 1 --parts": Run("python3 -m py_compile .ci/client.py", "builds a client from clean"),
    "python3 .ci/client.py --rounds 1": Run("python3 -m py_compile .ci/client.py", "builds a client from clean"),
    "python3 .ci/client.py": Run("python3 -m py_compile .ci/client.py", "builds a client three times, from clean"),
    "python3 .ci/api.py": Gate("  python3 .ci/api.py\n"),
    "python3 .ci/layers.py": Gate("  python3 .ci/layers.py\n"),
    "python3 .ci/timelines.py": Gate("python3 .ci/timelines.py"),

    # Measurements: the gate builds them and calls `--help`; each row that a page names must be there.
    BENCHMARKS: Gate("effect-benchmarks --help"),
    BENCHMARKS + " --only NAME": Gate("--only NAME", ROWS + "/Options.swift"),
    BENCHMARKS + " --only explore": Gate('"explore', ROWS + "/Rows/Exploring.swift"),
    BENCHMARKS + " --only explore-ten-million": Gate('"explore-ten-million"', ROWS + "/Rows/ExploringMemory.swift"),
    BENCHMARKS + " --only inspect": Gate('"inspect"', ROWS + "/Rows/Tracing.swift"),
    BENCHMARKS + " --only observed-field": Gate('"observed-field"', ROWS + "/Rows/Observing.swift"),
    SOAK + "Docs/Images/soak.svg": Gate("effect-soak --seconds 2 --busy 0"),
    SOAK + "soak.svg": Gate("effect-soak --seconds 2 --busy 0"),
}

failures = []


def fail(text):
    failures.append(text)


def pages():
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "README.md", "Docs/*.md", "Examples/*README.md",
         "Tests/*.md"], check=True, capture_output=True, text=True).stdout
    return [Path(line) for line in listed.splitlines() if Path(line).exists()]


def commands(text):
    """The commands of a page, without comments; one that goes on after a backslash is one line."""
    fences = re.compile(r"^```(\w*)\n(.*?)^```$", flags=re.M | re.S)
    for kind, block in fences.findall(text):
        is_shell = kind in ("sh", "bash", "console")
        for line in re.sub(r"\\\n\s*", "", block).splitlines() if kind != "swift" else ():
            line = re.sub(r"\s+#.*", "", line.removeprefix("$ ")).strip()
            # `.ci/gateway.py` sends the requests of its page.
            if "localhost:808" in line:
                continue
            if line and not line.startswith("#") and (is_shell or COMMAND.match(line)):
                yield line
    for span in re.findall(r"`([^`]+)`", fences.sub("", text)):
        span = " ".join(span.split())
        # The name of a file is not a command.
        if COMMAND.match(span) and not Path(span).exists():
            yield span


def collected():
    found = {}
    for page in pages():
        for command in commands(page.read_text()):
            found.setdefault(command, []).append(page)
    return found


MANIFEST = Path("Package.swift").read_text()
# The folders that the manifest leaves out of a plain `swift test`.
LONG = re.compile(r"Tests/(?:EffectRuntimeTests/(?:Explored|Fuzz|Models)|EffectTestingTests/Explorer/Searches|DocumentationTests|LimitTests)/")


def tests():
    """The tests as `--filter` sees them: module, suite, function; and whether they are long ones."""
    places = {f"Tests/{name}": name for name in re.findall(r'\.testTarget\(\s*name: "(\w+)", dep', MANIFEST)}
    places |= {path: name for name, path in re.findall(r'\.testTarget\(\s*name: "(\w+)",[^)]*?path: "([^"]+)"', MANIFEST)}
    for place, target in places.items():
        for path in Path(place).rglob("*.swift"):
            suite = ""
            for line in path.read_text().splitlines():
                if found := re.match(r"(?:\S+ )*(?:struct|class|enum|extension) (`[^`]*`|\w+)", line):
                    suite = found.group(1) + "/"
                if found := re.search(r"\bfunc (`[^`]*`|\w+)", line):
                    name = f"{target}.{suite if line.startswith(' ') else ''}{found.group(1)}"
                    yield name, bool(LONG.match(path.as_posix()) or place.startswith("Examples/"))


def check(command, pages, listed):
    """Whether the statement of the entry is true; builds nothing."""
    match COVERED[command]:
        case Gate(line, file):
            if not Path(file).exists() or line not in Path(file).read_text():
                fail(f"{pages[0]}: {command}\n  is said to be run by `{line}` of {file}, which is not there")
        case Shown():
            if not any(f"<!-- {command} -->" in page.read_text() for page in Path("Examples").rglob("README.md")):
                fail(f"{pages[0]}: {command}\n  is said to be shown with its output, which is not there")
        case Filter(uses):
            pattern = re.search(r"""--filter ('[^']*'|"[^"]*"|\S+)""", command).group(1).strip("'\"")
            found = [isLong for test, isLong in listed if re.search(pattern, test)]
            if not found:
                fail(f"{pages[0]}: {command}\n  runs no test")
            elif all(found) and "EFFECTS_LONG_TESTS=1 " not in command:
                fail(f"{pages[0]}: {command}\n  must set EFFECTS_LONG_TESTS=1, or runs no test")
            if uses and not any(f'"{uses}"' in path.read_text() for path in Path("Tests").rglob("*.swift")):
                fail(f"{pages[0]}: {command}\n  sets {uses}, which no test reads")
        case Target():
            name = re.search(r"EFFECTS_ONLY_TESTS=(\w+)", command).group(1)
            if f'.testTarget(\n      name: "{name}"' not in MANIFEST:
                fail(f"{pages[0]}: {command}\n  names a target that is not in the manifest")
        case Run(text):
            variables = re.findall(r"\b([A-Z]+_[A-Z]+)=", command)
            for name in variables:
                if text and name in text and not any(
                        f'"{name}"' in path.read_text() for path in [Path("Package.swift"), *Path("Tests").rglob("*.swift")]):
                    fail(f"{pages[0]}: {command}\n  sets {name}, which nothing reads")


def run(text, command, page):
    print(f"-- {text}", flush=True)
    done = subprocess.run(["bash", "-c", text], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        fail(f"{page}: {command}\n  ({text}) ended with {done.returncode}:\n{(done.stdout + done.stderr)[-2000:]}")


def main(*arguments):
    found = collected()
    listed = list(tests())
    for command, pages in found.items():
        if command in COVERED:
            check(command, pages, listed)
        else:
            fail(f"{pages[0]}: {command}\n  is covered by nothing: give it an entry in .ci/commands.py")
    for command in COVERED:
        if command not in found:
            fail(f"{command}\n  is on no page: take its entry out of .ci/commands.py")
    if not failures and arguments != ("--check",):
        runs = {}
        for command, pages in found.items():
            if isinstance(COVERED[command], Run):
                runs.setdefault(COVERED[command].command or command, (command, pages[0]))
        for text, (command, page) in runs.items():
            run(text, command, page)
    print("\n".join(failures) if failures else f"commands.py: {len(found)} commands are covered")
    sys.exit(1 if failures else 0)


main(*sys.argv[1:])
