// swift-tools-version: 6.2
import PackageDescription

// Outside of the main package, so that nobody who embeds the module builds its benchmark.
let package = Package(
  name: "reading-bench",
  dependencies: [.package(name: "formd", path: "../../..")],
  targets: [
    .executableTarget(name: "reading-bench", dependencies: [.product(name: "JSON", package: "formd")])
  ]
)
