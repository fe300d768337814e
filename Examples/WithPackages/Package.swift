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

/// What a server consists of.
let server: [Target.Dependency] = [
  .product(name: "HummingbirdCore", package: "hummingbird"),
  .product(name: "HTTPTypes", package: "swift-http-types"),
  .product(name: "Logging", package: "swift-log"),
  .product(name: "NIOCore", package: "swift-nio"),
  .product(name: "NIOPosix", package: "swift-nio"),
]

/// What requests pages of a server. Not `URLSession`: on Linux with Swift 6.3 it may block, or end the process, when a request is
/// cancelled at the moment when its answer arrives (swift-corelibs-foundation#5412).
let client: [Target.Dependency] = [
  .product(name: "AsyncHTTPClient", package: "async-http-client"),
  .product(name: "NIOHTTP1", package: "swift-nio"),
]

/// What a WebSocket consists of.
let webSockets: [Target.Dependency] = ["NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket"].map {
  .product(name: $0, package: "swift-nio")
}

let package = Package(
  name: "with-packages",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Inspector", targets: ["Inspector", "InspectorCore"]),
    .library(name: "Adapters", targets: ["Adapters"]),
  ],
  dependencies: [
    // With a name, because the folder of the clone may have any name.
    .package(name: "swift-effects", path: "../.."),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.26.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
  ],
  targets: [
    .target(
      name: "Adapters",
      dependencies: [
        .product(name: "EffectRuntime", package: "swift-effects"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      path: "Adapters", swiftSettings: strict),
    .testTarget(
      name: "AdapterTests",
      dependencies: [
        "Adapters",
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
      ],
      path: "Tests", swiftSettings: strict),

    // How many connections a server has.
    .target(
      name: "ConnectionLimit", dependencies: [.product(name: "NIOCore", package: "swift-nio")],
      path: "Connections", swiftSettings: strict),
    .target(
      name: "LocalServer",
      dependencies: ["ConnectionLimit", .product(name: "NIOHTTPTypes", package: "swift-nio-extras")] + server,
      path: "Server", swiftSettings: strict),
    .executableTarget(
      name: "articles",
      dependencies: ["LocalServer", .product(name: "EffectRuntime", package: "swift-effects")] + server + client,
      path: "05-articles/Sources", swiftSettings: strict),
    .testTarget(
      name: "ArticlesTests",
      dependencies: ["articles", "LocalServer", .product(name: "EffectTesting", package: "swift-effects")],
      path: "05-articles/Tests", swiftSettings: strict),

    .executableTarget(
      name: "downloads",
      dependencies: ["LocalServer", .product(name: "EffectRuntime", package: "swift-effects")] + server + client,
      path: "06-downloads/Sources", swiftSettings: strict),
    .testTarget(
      name: "DownloadsTests",
      dependencies: ["downloads", "LocalServer", .product(name: "EffectTesting", package: "swift-effects")],
      path: "06-downloads/Tests", swiftSettings: strict),

    .executableTarget(
      name: "chat",
      dependencies: ["ConnectionLimit", .product(name: "EffectRuntime", package: "swift-effects")] + webSockets,
      path: "08-chat/Sources", swiftSettings: strict),
    .testTarget(
      name: "ChatTests",
      dependencies: [
        "chat", "ConnectionLimit",
        .product(name: "EffectTesting", package: "swift-effects"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ] + webSockets,
      path: "08-chat/Tests", swiftSettings: strict),

    .executableTarget(
      name: "link-check",
      dependencies: ["LocalServer", .product(name: "EffectRuntime", package: "swift-effects")] + server + client,
      path: "09-link-check/Sources", swiftSettings: strict),
    .testTarget(
      name: "LinkCheckTests",
      dependencies: [
        "link-check", "LocalServer",
        .product(name: "EffectTesting", package: "swift-effects"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
      ],
      path: "09-link-check/Tests", swiftSettings: strict),

    .target(name: "TimelinePage", path: "TimelinePage", resources: [.embedInCode("Page")], swiftSettings: strict),

    // The core knows nothing of HTTP: a benchmark uses it without a server.
    .target(
      name: "InspectorCore", dependencies: [.product(name: "EffectRuntime", package: "swift-effects")],
      path: "19-inspector/Core", swiftSettings: strict),
    .target(
      name: "Inspector",
      dependencies: [
        "ConnectionLimit", "InspectorCore", "TimelinePage",
        .product(name: "EffectRuntime", package: "swift-effects"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
      ] + server,
      path: "19-inspector/Server",
      resources: ["page.html", "page.css", "page.js", "list.js", "moment.js", "tools.js"].map {
        .embedInCode("Page/\($0)")
      },
      swiftSettings: strict),
    .executableTarget(
      name: "inspector-demo",
      dependencies: ["Inspector", "InspectorCore", .product(name: "EffectRuntime", package: "swift-effects")],
      path: "19-inspector/Demo", swiftSettings: strict),
    .testTarget(
      name: "InspectorTests",
      dependencies: [
        "ConnectionLimit", "Inspector", "InspectorCore", "LocalServer",
        .product(name: "EffectTesting", package: "swift-effects"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ] + server,
      path: "19-inspector/Tests", swiftSettings: strict),

    // The client library of PostgreSQL, from the system.
    .systemLibrary(
      name: "CPostgres", path: "16-orders/CPostgres", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .executableTarget(
      name: "orders", dependencies: ["CPostgres", .product(name: "EffectRuntime", package: "swift-effects")],
      path: "16-orders/Sources", swiftSettings: strict),
    .testTarget(
      name: "OrdersTests", dependencies: ["orders", .product(name: "EffectTesting", package: "swift-effects")],
      path: "16-orders/Tests", swiftSettings: strict),

    .executableTarget(
      name: "race-lab",
      dependencies: ["LocalServer", "TimelinePage", .product(name: "EffectRuntime", package: "swift-effects")] + server,
      path: "18-race-lab/Sources",
      resources: [.embedInCode("page.html"), .embedInCode("page.css"), .embedInCode("page.js")],
      swiftSettings: strict),
    .testTarget(
      name: "RaceLabTests",
      dependencies: ["race-lab", "LocalServer", .product(name: "EffectTesting", package: "swift-effects")],
      path: "18-race-lab/Tests", swiftSettings: strict),
  ]
)
