"""Runs the code that is compiled only with SwiftUI, on a machine without SwiftUI.

Builds the modules beside a module `SwiftUI` that was written by hand (Tests/Support/SwiftUIHost), with all warnings as
errors, and runs the tests of views on it (Tests/SwiftUIHostTests). Then it compiles the code of two pages, Views
and Navigation, once more, as an app does whose default isolation is the main actor. This proves agreement with
that host; Tests/SwiftUI.md says what that means.
"""

import os
import subprocess
import sys

SCRATCH = ".build-swiftui"
USAGE = [f"Tests/SwiftUIHostTests/{name}.swift" for name in ["Usage", "ViewsUsage", "KitchenListing"]]

if sys.platform == "darwin":
    print("swiftui.py: not needed where SwiftUI is available")
    sys.exit()

environment = {**os.environ, "EFFECTS_SWIFTUI_HOST": "1", "EFFECTS_ONLY_TESTS": "SwiftUIHostTests,CookbookScreenTests"}
try:
    subprocess.run(["swift", "test", "--disable-xctest", "--scratch-path", SCRATCH], check=True, env=environment)
    for isolation in ["nonisolated", "MainActor"]:
        subprocess.run(
            ["swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", "-warnings-as-errors",
             "-default-isolation", isolation, "-I", f"{SCRATCH}/debug/Modules", *USAGE], check=True)
except subprocess.CalledProcessError as error:
    sys.exit(f"swiftui.py: {error.cmd[0]} failed")
print("swiftui.py: agrees with the host; nothing of it was run with Apple's SwiftUI")
