"""The compiler's data about the public symbols of the three modules, for the scripts that read it."""

import json
import subprocess
import sys
from pathlib import Path

MODULES = ["EffectCore", "EffectRuntime", "EffectTesting"]
ROOT = Path(__file__).resolve().parent.parent


def run(*command):
    done = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit((done.stdout + done.stderr).replace(f"{ROOT}/", "").strip())
    return done.stdout


def graphs(module, folder):
    """The compiler's data about a module's public symbols. Extensions of other modules' types are in separate files."""
    built = Path(run("swift", "build", "--show-bin-path").strip()) / "Modules"
    target = json.loads(run("swift", "-print-target-info"))["target"]["unversionedTriple"]
    folder.mkdir(parents=True)
    run("swift", "symbolgraph-extract", "-module-name", module, "-I", built, "-minimum-access-level", "public",
        "-output-dir", folder, "-target", target, "-skip-inherited-docs")
    return folder
