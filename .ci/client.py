"""Measures what the framework costs a client to build: rows `build` and `size` of Tests/Benchmarks/README.md.

Writes a package of one file, which depends on this repository by its path, into a temporary folder. Builds it with
`-c release` from clean, several times, and strips its executable. Prints the median time and the size beside their goals;
exits 1 if one is missed.

    python3 .ci/client.py [--rounds 3]
    python3 .ci/client.py --parts            also the size of the compiled code and data of each part of the framework
    python3 .ci/client.py --parts --plain    the same without the attributes for inlining, in a copy of the repository
    python3 .ci/client.py -- -Xswiftc -Osize    with options of the build
"""

import argparse
import collections
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent

# In seconds and in kilobytes of 1,024 bytes; the second one of each is a goal for later.
BUILD_GOAL, BUILD_STRETCH = 15, 10
SIZE_GOAL = 1_000

MANIFEST = """\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "client",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-effects", path: "%s")],
  targets: [
    .executableTarget(
      name: "client", dependencies: [.product(name: "EffectRuntime", package: "swift-effects")],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
"""

# One page: a search that replaces its last one, a page that is loaded once, a favourite that is saved, an error that is shown.
SOURCE = """\
import EffectRuntime

final class Page: Sendable {
  let titles: [String]
  init(titles: [String]) { self.titles = titles }
}

struct Client: Sendable {
  var find: @Sendable (String) async throws -> Page
  var save: @Sendable (String, Bool) async throws -> Void
}

struct Search: Reducer {
  struct State: Equatable, Sendable {
    var query = ""
    var titles: [String] = []
    var favourites: Set<String> = []
    var message: String?
    var isLoading = false
  }

  enum Action: Sendable {
    case appeared
    case queryChanged(String)
    case found(Page)
    case favouriteTapped(String)
    case saved(String)
    case failed(String)
    case messageDismissed
    case disappeared
  }

  let client: Client

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .appeared:
      return .send(.queryChanged(""))
    case .queryChanged(let query):
      state.query = query
      state.isLoading = true
      return .run(id: "search", overlap: .restart, input: query) { [client] query, send in
        send(.found(try await client.find(query)))
      } catch: { error, send in
        send(.failed("\\(error)"))
      }
      .debounce(for: .milliseconds(20))
    case .found(let page):
      state.titles = page.titles
      state.isLoading = false
      return .none
    case .favouriteTapped(let title):
      let isOn = state.favourites.insert(title).inserted
      if !isOn { state.favourites.remove(title) }
      return .run(id: title, overlap: .enqueue) { [client] send in
        try await client.save(title, isOn)
        send(.saved(title))
      } catch: { error, send in
        send(.failed("\\(error)"))
      }
    case .saved(let title):
      state.message = "saved \\(title)"
      return .none
    case .failed(let message):
      state.message = message
      state.isLoading = false
      return .none
    case .messageDismissed:
      state.message = nil
      return .none
    case .disappeared:
      return .merge(.cancel(id: "search"), .send(.messageDismissed))
    }
  }
}

@main
enum Main {
  static func main() async {
    let client = Client(find: { Page(titles: [$0, "another"]) }, save: { _, _ in })
    let store = Store(initialState: Search.State(), reducer: Search(client: client))
    await store.send(.appeared).finish()
    await store.send(.favouriteTapped("another")).finish()
    print(await store.state.titles.count, await store.state.message ?? "")
    await store.send(.disappeared).finish()
  }
}
"""


def built(package, flags):
    """The seconds of a build from clean."""
    shutil.rmtree(package / ".build", ignore_errors=True)
    begin = time.monotonic()
    done = subprocess.run(
        ["swift", "build", "-c", "release", "--package-path", str(package), *flags], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"the client does not build:\n{done.stdout}{done.stderr}")
    return time.monotonic() - begin


def size(package):
    """The kilobytes of the stripped executable, which must do its work."""
    program = package / "stripped"
    shutil.copy(package / ".build" / "release" / "client", program)
    subprocess.run(["strip", str(program)], check=True)
    output = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
    if output != "2 saved another\n":
        sys.exit(f"the client prints {output!r}")
    return program.stat().st_size / 1_024


def parts(package, repository):
    """The kilobytes of code and data in the object files, by folder."""
    folders = {path.name: path.relative_to(repository / "Sources" / "EffectRuntime").parts[0]
               for path in (repository / "Sources" / "EffectRuntime").rglob("*/*.swift")}
    sizes = collections.Counter()
    for path in (package / ".build" / "release").glob("*.build/**/*.o"):
        module = path.relative_to(package / ".build" / "release").parts[0].removesuffix(".build")
        part = folders.get(path.name.removesuffix(".o"), module) if module == "EffectRuntime" else module
        text, data = subprocess.run(
            ["size", str(path)], check=True, capture_output=True, text=True).stdout.splitlines()[1].split()[:2]
        sizes[part] += int(text) + int(data)
    return sizes.most_common()


def copied_without_attributes(folder):
    """A copy of the repository in which nothing is inlined into a client."""
    copy = Path(folder, "swift-effects")
    shutil.copytree(REPOSITORY, copy, ignore=shutil.ignore_patterns(".build*", ".git"))
    for path in (copy / "Sources").rglob("*.swift"):
        code = re.sub(r"@(inlinable|usableFromInline|inline\(__always\)|inline\(never\))[ ]?", "", path.read_text())
        path.write_text(code)
    return copy


def verdict(is_met):
    return "met" if is_met else "MISSED"


def main():
    options = argparse.ArgumentParser(description="Rows `build` and `size` of Tests/Benchmarks/README.md.")
    options.add_argument("--rounds", type=int, default=3, help="how often the client is built (3)")
    options.add_argument("--parts", action="store_true", help="also print the size of each part")
    options.add_argument("--plain", action="store_true", help="build without the attributes for inlining")
    options.add_argument("flags", nargs="*", help="options of `swift build`, after `--`")
    chosen = options.parse_args()
    rounds = chosen.rounds
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder, "client")
        (package / "Sources" / "client").mkdir(parents=True)
        repository = copied_without_attributes(folder) if chosen.plain else REPOSITORY
        (package / "Package.swift").write_text(MANIFEST % repository)
        (package / "Sources" / "client" / "Client.swift").write_text(SOURCE)
        times = [built(package, chosen.flags) for _ in range(rounds)]
        kilobytes = size(package)
        listed = parts(package, repository) if chosen.parts else []
    seconds = statistics.median(times)
    print(f"build: clean release build of a one-file client, of {rounds}\n"
          f"    {seconds:.1f} s ({min(times):.1f} to {max(times):.1f})   <= {BUILD_GOAL} s ({BUILD_STRETCH} s)   "
          f"{verdict(seconds <= BUILD_GOAL)}\n"
          f"size: its stripped executable\n"
          f"    {kilobytes:,.0f} KB   <= {SIZE_GOAL:,} KB   {verdict(kilobytes <= SIZE_GOAL)}")
    for part, size_of_part in listed:
        print(f"    {size_of_part / 1_024:6,.0f} KB  {part}")
    return 0 if seconds <= BUILD_GOAL and kilobytes <= SIZE_GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
