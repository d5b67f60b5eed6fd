// swift-tools-version: 6.2
import PackageDescription

// Outside of the main package, so that programs that embed the module do not build its benchmark.
let package = Package(
  name: "reading-bench",
  dependencies: [.package(name: "formd", path: "../../..")],
  targets: [
    .executableTarget(name: "reading-bench", dependencies: [.product(name: "JSON", package: "formd")])
  ]
)
