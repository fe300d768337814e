// swift-tools-version: 6.2
import PackageDescription

/// As in the root package: only in the gate.
let warningsAreErrors: [SwiftSetting] =
  Context.environment["EFFECTS_STRICT"] != "1"
  ? [] : [.treatAllWarnings(as: .error), .treatWarning("DeprecatedDeclaration", as: .warning)]

/// The root package's list.
let language: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .strictMemorySafety(),
]

let strict = language + warningsAreErrors

/// The same tests for the programs with a bug and for their solutions.
let isSolved = Context.environment["EFFECTS_SOLUTIONS"] == "1"
let (programs, others) = isSolved ? ("Solutions", "Exercises") : ("Exercises", "Solutions")

let package = Package(
  name: "exercises",
  platforms: [.macOS(.v15)],
  dependencies: [
    // With a name, because the folder of the clone may have any name.
    .package(name: "swift-effects", path: "../..")
  ],
  targets: [
    .testTarget(
      name: "Exercises",
      dependencies: [
        .product(name: "EffectRuntime", package: "swift-effects"),
        .product(name: "EffectTesting", package: "swift-effects"),
      ],
      path: ".", exclude: [others, "Hints", "README.md"], sources: [programs, "Tests"], swiftSettings: strict)
  ]
)
