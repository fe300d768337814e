// swift-tools-version: 6.2
import PackageDescription

/// As in the root package: only in the gate.
let warningsAreErrors: [SwiftSetting] =
  Context.environment["EFFECTS_STRICT"] != "1"
  ? [] : [.treatAllWarnings(as: .error), .treatWarning("DeprecatedDeclaration", as: .warning)]

/// The settings of the package itself, as far as the packages that it uses allow them.
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

let runtime = Target.Dependency.product(name: "EffectRuntime", package: "swift-effects")
let testing = Target.Dependency.product(name: "EffectTesting", package: "swift-effects")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let httpClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nio = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")

let package = Package(
  name: "gateway",
  platforms: [.macOS(.v15)],
  dependencies: [
    // With a name, because the folder of the clone may have any name.
    .package(name: "swift-effects", path: "../.."),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.26.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.30.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
  ],
  targets: [
    // What both gateways share: it knows neither of them.
    .target(
      name: "GatewayCore",
      dependencies: [
        hummingbird, hummingbirdCore, httpClient, lifecycle, logging, nio, nioHTTP, nioHTTPTypes, nioPosix, httpTypes,
      ],
      path: "Core", swiftSettings: strict),
    // The service behind the gateways, slow and failing on demand.
    .target(
      name: "UpstreamService", dependencies: ["GatewayCore", hummingbird, logging, nio, httpTypes],
      path: "Upstream/Server", swiftSettings: strict),
    .executableTarget(
      name: "upstream", dependencies: ["UpstreamService", hummingbird, lifecycle, logging],
      path: "Upstream/Program", swiftSettings: strict),

    .target(
      name: "EffectGateway", dependencies: ["GatewayCore", runtime],
      path: "Effects", swiftSettings: strict),
    .target(name: "PlainGateway", dependencies: ["GatewayCore"], path: "Plain", swiftSettings: strict),
    .executableTarget(
      name: "gateway",
      dependencies: [
        "GatewayCore", "EffectGateway", "PlainGateway", "UpstreamService", hummingbird, httpClient, lifecycle, logging,
        nio, nioHTTP, unixSignals,
      ],
      path: "Program", swiftSettings: strict),

    .testTarget(
      name: "GatewayTests",
      dependencies: [
        "GatewayCore", "EffectGateway", "PlainGateway", "UpstreamService", "gateway", testing, httpClient,
        lifecycle, nio, nioEmbedded, nioHTTP, nioHTTPTypes, nioPosix, httpTypes,
      ],
      path: "Tests", swiftSettings: strict),
  ]
)
