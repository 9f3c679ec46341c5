// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "layoutd",
  products: [
    .executable(name: "layoutd", targets: ["layoutd"]),
    .library(name: "CollectionLayout", targets: ["CollectionLayout"]),
    .library(name: "FuzzTargets", type: .static, targets: ["FuzzTargets"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .systemLibrary(name: "CGlibc"),
    .target(name: "System", dependencies: ["CGlibc"]),
    .target(
      name: "CollectionLayout", dependencies: ["System"],
      linkerSettings: [.linkedLibrary("m")]),
    .target(name: "LayoutSessions", dependencies: ["CollectionLayout", "System"]),
    .target(
      name: "CSimdJSON",
      linkerSettings: [.linkedLibrary("simdjson"), .linkedLibrary("stdc++")]),
    .target(name: "WireFormat", dependencies: ["CollectionLayout", "CSimdJSON", "System"]),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"])]),
    .target(name: "MicroHTTP", dependencies: ["CMicroHTTPD", "System"]),
    .systemLibrary(
      name: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
    .systemLibrary(name: "CHiredis", providers: [.apt(["libhiredis-dev"])]),
    .target(
      name: "RedisStore",
      dependencies: ["LayoutSessions", "System", "CHiredis", "CDeflate"]),
    .systemLibrary(
      name: "CHarfBuzz", pkgConfig: "harfbuzz", providers: [.apt(["libharfbuzz-dev"])]),
    .systemLibrary(
      name: "CGnuTLS", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"])]),
    .target(name: "CICU", linkerSettings: [.linkedLibrary("icuuc")]),
    .target(
      name: "CWoff2",
      linkerSettings: [.linkedLibrary("woff2dec"), .linkedLibrary("stdc++")]),
    .target(
      name: "TextMeasure",
      dependencies: ["CGnuTLS", "CHarfBuzz", "CICU", "CWoff2", "CollectionLayout"]),
    .executableTarget(name: "embed-files"),
    .plugin(name: "EmbedFiles", capability: .buildTool(), dependencies: ["embed-files"]),
    .target(name: "Embedded", plugins: ["EmbedFiles"]),
    .target(name: "Contract", dependencies: ["Embedded"]),
    .target(
      name: "LayoutService",
      dependencies: [
        "CollectionLayout", "LayoutSessions", "System", "WireFormat", "MicroHTTP", "Contract",
        "CDeflate", "Embedded", "TextMeasure",
        .product(name: "Logging", package: "swift-log"),
      ]),
    .executableTarget(
      name: "layoutd",
      dependencies: [
        "CGlibc", "CollectionLayout", "Contract", "LayoutService", "LayoutSessions", "System",
        "MicroHTTP", "RedisStore", "TextMeasure", "WireFormat",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .executableTarget(
      name: "layout-bench",
      dependencies: [
        "CGlibc", "CollectionLayout", "LayoutSessions", "System", "WireFormat", "CSimdJSON",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Benchmarks/layout-bench"),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "CollectionLayout", "LayoutService", "LayoutSessions", "MicroHTTP", "RedisStore",
        "TextMeasure", "WireFormat", .product(name: "Logging", package: "swift-log"),
      ],
      path: "Fuzz/Targets"),
    .target(name: "TestSupport", dependencies: ["LayoutSessions"], path: "Tests/TestSupport"),
    .target(
      name: "ServiceSupport",
      dependencies: [
        "CollectionLayout", "LayoutService", "LayoutSessions", "MicroHTTP", "TestSupport",
        "TextMeasure", .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/ServiceSupport"),
    .testTarget(name: "SystemTests", dependencies: ["System", "TestSupport"]),
    .testTarget(
      name: "CollectionLayoutTests", dependencies: ["CollectionLayout", "TestSupport"],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "LayoutSessionsTests",
      dependencies: ["LayoutSessions", "CollectionLayout", "TestSupport"]),
    .testTarget(
      name: "RedisStoreTests",
      dependencies: [
        "CollectionLayout", "LayoutService", "LayoutSessions", "MicroHTTP", "ServiceSupport",
        "RedisStore", "TestSupport",
      ]),
    .testTarget(
      name: "WireFormatTests",
      dependencies: ["CollectionLayout", "ServiceSupport", "TestSupport", "WireFormat"]),
    .testTarget(
      name: "TextMeasureTests", dependencies: ["CollectionLayout", "TextMeasure", "TestSupport"],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "MicroHTTPTests", dependencies: ["MicroHTTP", "System", "TestSupport"]),
    .testTarget(
      name: "RobustnessTests",
      dependencies: [
        "FuzzTargets", "LayoutService", "LayoutSessions", "MicroHTTP", "TestSupport", "layoutd",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "LayoutServiceTests",
      dependencies: [
        "CollectionLayout", "Contract", "LayoutService", "LayoutSessions", "MicroHTTP",
        "ServiceSupport", "System", "TestSupport", "TextMeasure", "WireFormat",
        .product(name: "Logging", package: "swift-log"),
      ],
      resources: [.copy("Fixtures")]),
  ],
  cxxLanguageStandard: .cxx17
)

// ONLY_TESTS=WireFormatTests,MicroHTTPTests builds and runs just these: most of a build are tests.
if let names = Context.environment["ONLY_TESTS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

// Nothing but `make bench` needs it.
if Context.environment["BENCH"] == nil { package.targets.removeAll { $0.name == "layout-bench" } }

// OPTIMIZED=1, which `Tests/swift` sets, compiles with -O what the tests spend their time in. The
// compiler takes longer for that, and the tests take much less.
let optimized =
  Context.environment["OPTIMIZED"] == "1" ? ["CollectionLayout", "TextMeasure", "WireFormat"] : []

// So that what a module shows of another is said by a `public import`, and needed.
for target in package.targets where ![.system, .plugin].contains(target.type) {
  target.swiftSettings = [.enableUpcomingFeature("InternalImportsByDefault")]
  if optimized.contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
  }
}
