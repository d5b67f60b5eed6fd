// swift-tools-version: 6.2
import PackageDescription

/// One set of rules for every target: Swift 6 mode, warnings are errors, imports are internal unless they say otherwise.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
  name: "formd",
  products: [],
  targets: [
    // JSON: values, pointers, patches; libjansson reads, our own writer writes.
    .systemLibrary(
      name: "CJansson",
      pkgConfig: "jansson",
      providers: [.apt(["libjansson-dev"])]
    ),
    .target(name: "JSON", dependencies: ["CJansson"], swiftSettings: strict),
    .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: strict),
  ]
)
