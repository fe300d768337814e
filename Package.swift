// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors in the gate, which sets this variable, and nowhere else: a newer compiler, or one for another
/// platform, may warn about more, and that must not break a build of yours.
let warningsAreErrors: [SwiftSetting] =
  Context.environment["EFFECTS_STRICT"] != "1"
  ? []
  : [
    .treatAllWarnings(as: .error),
    // A deprecation is a change in a dependency of ours (the toolchain), not a mistake in the line that uses it.
    .treatWarning("DeprecatedDeclaration", as: .warning),
  ]

/// One list for every target, so that no part of the package has weaker settings than another.
let language: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  // A plain `async` function stays on its caller's isolation. Effect closures are `@concurrent`, because they must not
  // stay there.
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .strictMemorySafety(),
]

let strict = language + warningsAreErrors

let package = Package(
  name: "swift-effects",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "EffectCore", targets: ["EffectCore"]),
    .library(name: "EffectRuntime", targets: ["EffectRuntime"]),
    .library(name: "EffectTesting", targets: ["EffectTesting"]),
  ],
  targets: [
    .target(name: "EffectCore", swiftSettings: strict),
    .target(name: "EffectRuntime", dependencies: ["EffectCore"], swiftSettings: strict),
    .target(
      name: "EffectTesting", dependencies: ["EffectRuntime"], resources: [.embedInCode("Timeline/Page")],
      swiftSettings: strict),

    .executableTarget(
      name: "counter", dependencies: ["EffectRuntime"], path: "Examples/01-counter/Sources", swiftSettings: strict),
    .testTarget(
      name: "CounterTests", dependencies: ["counter", "EffectTesting"], path: "Examples/01-counter/Tests",
      swiftSettings: strict),
    .executableTarget(
      name: "live-search", dependencies: ["EffectRuntime"], path: "Examples/02-live-search/Sources",
      swiftSettings: strict),
    .testTarget(
      name: "LiveSearchTests", dependencies: ["live-search", "EffectTesting"], path: "Examples/02-live-search/Tests",
      exclude: ["Resources", "run.sh", "typed-fast.py"], swiftSettings: strict),
    .executableTarget(
      name: "login", dependencies: ["EffectRuntime"], path: "Examples/03-login/Sources", swiftSettings: strict),
    .testTarget(
      name: "LoginTests", dependencies: ["login", "EffectTesting"], path: "Examples/03-login/Tests",
      swiftSettings: strict),
    .executableTarget(
      name: "profile", dependencies: ["EffectRuntime"], path: "Examples/04-profile/Sources", swiftSettings: strict),
    .testTarget(
      name: "ProfileTests", dependencies: ["profile", "EffectTesting"], path: "Examples/04-profile/Tests",
      swiftSettings: strict),
    .executableTarget(
      name: "stopwatch", dependencies: ["EffectRuntime"], path: "Examples/07-stopwatch/Sources", swiftSettings: strict),
    .testTarget(
      name: "StopwatchTests", dependencies: ["stopwatch", "EffectTesting"], path: "Examples/07-stopwatch/Tests",
      swiftSettings: strict),
    .executableTarget(
      name: "race", dependencies: ["EffectTesting"], path: "Examples/11-race/Sources", swiftSettings: strict),
    .testTarget(
      name: "RaceTests", dependencies: ["race", "EffectTesting"], path: "Examples/11-race/Tests", swiftSettings: strict),
    .executableTarget(
      name: "cookbook", dependencies: ["EffectRuntime"], path: "Examples/12-cookbook/Sources", swiftSettings: strict),
    .testTarget(
      name: "CookbookTests", dependencies: ["cookbook", "EffectTesting"], path: "Examples/12-cookbook/Tests",
      swiftSettings: strict),
    .executableTarget(
      name: "shared", dependencies: ["EffectRuntime"], path: "Examples/13-shared/Sources", swiftSettings: strict),
    .testTarget(
      name: "SharedTests", dependencies: ["shared", "EffectTesting"], path: "Examples/13-shared/Tests",
      swiftSettings: strict),
    .executableTarget(
      name: "cache", dependencies: ["EffectRuntime"], path: "Examples/14-cache/Sources", swiftSettings: strict),
    .testTarget(
      name: "CacheTests", dependencies: ["cache", "EffectTesting"], path: "Examples/14-cache/Tests",
      swiftSettings: strict),
    .executableTarget(
      name: "demos", dependencies: ["EffectRuntime"], path: "Examples/15-demos/Sources", swiftSettings: strict),
    .testTarget(
      name: "DemosTests", dependencies: ["demos", "EffectTesting"], path: "Examples/15-demos/Tests",
      swiftSettings: strict),
    .executableTarget(
      name: "app", dependencies: ["EffectRuntime"], path: "Examples/10-app/Sources", swiftSettings: strict),
    .testTarget(
      name: "AppTests", dependencies: ["app", "EffectTesting"], path: "Examples/10-app/Tests", swiftSettings: strict),

    // In C, because replacing `malloc` cannot be written in Swift.
    .target(name: "AllocationCounter", path: "Tests/Support/AllocationCounter"),
    // In C, because a hook of the Swift runtime is a C variable.
    .target(name: "JobCapture", path: "Tests/Support/JobCapture"),
    .target(
      name: "TestSupport", dependencies: ["AllocationCounter", "JobCapture", "EffectRuntime"], path: "Tests/Support",
      exclude: ["AllocationCounter", "JobCapture", "SwiftUIHost"], swiftSettings: strict),
    .testTarget(name: "EffectCoreTests", dependencies: ["EffectCore", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "EffectRuntimeTests", dependencies: ["EffectRuntime", "EffectTesting", "TestSupport"],
      resources: [.copy("Resources/policies.jsonl")], swiftSettings: strict),
    .testTarget(
      name: "EffectTestingTests", dependencies: ["EffectTesting", "TestSupport"],
      resources: [.copy("Resources/time.jsonl")], swiftSettings: strict),
    // Separate, because the gate also builds it optimised, with larger limits.
    .testTarget(name: "LimitTests", dependencies: ["EffectTesting", "TestSupport"], swiftSettings: strict),
    // Like an app that is on the main actor by default.
    .testTarget(
      name: "MainActorTests", dependencies: ["EffectTesting"],
      swiftSettings: strict + [.defaultIsolation(MainActor.self)]),
    .testTarget(name: "DocumentationTests", dependencies: ["EffectTesting"], swiftSettings: strict),
    // These fail on purpose when EffectTestingTests runs them in a child process. Otherwise they are skipped.
    .testTarget(name: "FailingSuites", dependencies: ["EffectTesting"], swiftSettings: strict),
  ]
)

// Runs the views of the SwiftUI part on a machine without SwiftUI: a module of that name that was written by hand. It is
// built only if this variable is set, so that it never replaces Apple's. Use a scratch path of its own: where a
// module SwiftUI was built once, `canImport(SwiftUI)` is true.
if Context.environment["EFFECTS_SWIFTUI_HOST"] == "1" {
  package.targets += [
    .target(name: "SwiftUI", path: "Tests/Support/SwiftUIHost", swiftSettings: strict),
    .testTarget(
      name: "SwiftUIHostTests", dependencies: ["EffectTesting", "SwiftUI", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "CookbookScreenTests", dependencies: ["cookbook", "EffectTesting", "SwiftUI"],
      path: "Examples/12-cookbook/ScreenTests", swiftSettings: strict),
  ]
  for target in package.targets where ["EffectRuntime", "cookbook"].contains(target.name) {
    target.dependencies.append("SwiftUI")
  }
}

// `swift test` builds and runs the tests of the framework, in a few minutes. Two variables change which tests there are:
// - `EFFECTS_LONG_TESTS=1`, as in the gate: all of them. Also those of the examples and of the pages, and what compares the
//   framework with models and oracles; each tries more cases then.
// - `EFFECTS_ONLY_TESTS`, a list of test targets: only these, and the programs that they test. For an example; and for a
//   sanitizer, under which tests with one thread and no unsafe code are left out.
// If you depend on this package, neither changes what you build.
let only = Context.environment["EFFECTS_ONLY_TESTS"]?.split(separator: ",").map(String.init) ?? []
let isLong = Context.environment["EFFECTS_LONG_TESTS"] == "1"

if !only.isEmpty {
  package.targets.removeAll { $0.type == .test && !only.contains($0.name) }
  let tested = Set(
    package.targets.filter { $0.type == .test }.flatMap(\.dependencies).compactMap { dependency in
      if case .byNameItem(let name, _) = dependency { name } else { nil }
    })
  package.targets.removeAll { $0.type == .executable && !tested.contains($0.name) }
} else if !isLong {
  package.targets.removeAll { target in
    target.type == .test
      && (target.path?.hasPrefix("Examples") == true || ["DocumentationTests", "LimitTests"].contains(target.name))
  }
}
if !only.isEmpty || !isLong {
  for target in package.targets where target.name == "EffectRuntimeTests" {
    target.dependencies = ["EffectRuntime", "TestSupport"]
    target.exclude = ["Explored", "Fuzz", "Models"]
  }
  for target in package.targets where target.name == "EffectTestingTests" {
    // Whole explorations. Under a sanitizer also drawings and texts, and tests that start processes.
    target.exclude = ["Explorer/Searches"] + (only.isEmpty ? [] : ["ChildProcesses", "FailureText", "Timeline"])
  }
}
