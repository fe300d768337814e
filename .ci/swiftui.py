"""Type-checks the code that is compiled only with SwiftUI, on a machine without SwiftUI.

Compiles the modules beside a module `SwiftUI` that was written by hand (Tests/Support/SwiftUIStub), with all warnings as
errors, and then a file that uses them as an app would. This proves agreement with that stub and runs nothing.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

STUB = Path("Tests/Support/SwiftUIStub")


def strict():
    """The settings of the manifest, as options of the compiler."""
    manifest = Path("Package.swift").read_text()
    features = re.findall(r'\.enableUpcomingFeature\("(\w+)"\)', manifest)
    if len(features) < 5:
        sys.exit("swiftui.py: Package.swift does not list its features as before")
    return [
        "-swift-version", "6", "-strict-memory-safety", "-warnings-as-errors",
        *(option for name in features for option in ("-enable-upcoming-feature", name))]


def compile_module(name, files, folder, *options):
    subprocess.run(
        ["swiftc", "-emit-module", "-module-name", name, "-emit-module-path", f"{folder}/{name}.swiftmodule",
         "-parse-as-library", "-package-name", "effects", "-I", folder, *options, *map(str, files)], check=True)


def module(name, folder, *options):
    compile_module(name, sorted(Path(f"Sources/{name}").rglob("*.swift")), folder, *strict(), *options)


with tempfile.TemporaryDirectory() as folder:
    quick = ["-Xfrontend", "-experimental-skip-non-inlinable-function-bodies"]
    try:
        compile_module("SwiftUI", [STUB / "SwiftUI.swift"], folder, "-swift-version", "6")
        module("EffectCore", folder, *quick)
        module("EffectRuntime", folder, "-wmo")
        module("EffectTesting", folder, *quick)
        subprocess.run(
            ["swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", "-warnings-as-errors", "-I", folder,
             *map(str, sorted(STUB.glob("*Usage.swift")))], check=True)
    except subprocess.CalledProcessError as error:
        sys.exit(f"swiftui.py: {error.cmd[0]} failed")
print("swiftui.py: agrees with the stub; nothing of it was run")
