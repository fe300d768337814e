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

// Separate from the root package, so that cloning, building and testing the framework never builds a benchmark.
let package = Package(
  name: "effect-benchmarks",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "effect-benchmarks", targets: ["EffectBenchmarks"]),
    .executable(name: "effect-soak", targets: ["EffectSoak"]),
  ],
  dependencies: [
    .package(name: "swift-effects", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "EffectBenchmarks",
      dependencies: [
        "HeapSize", "InspectorCore",
        .product(name: "EffectRuntime", package: "swift-effects"),
        .product(name: "EffectTesting", package: "swift-effects"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "EffectSoak",
      dependencies: ["HeapSize", .product(name: "EffectRuntime", package: "swift-effects")],
      swiftSettings: strict),
    .target(name: "HeapSize"),
    // A symbolic link: the inspector's package has dependencies that the benchmarks do not need.
    .target(
      name: "InspectorCore", dependencies: [.product(name: "EffectRuntime", package: "swift-effects")],
      swiftSettings: strict),
  ]
)
