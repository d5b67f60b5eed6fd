// swift-tools-version: 6.2
import PackageDescription

// Outside of the main package, so that programs that embed the engine do not build its benchmark.
let package = Package(
  name: "engine-bench",
  dependencies: [.package(name: "formd", path: "../../..")],
  targets: [
    .systemLibrary(name: "CAllocatedBytes"),
    .executableTarget(
      name: "engine-bench",
      dependencies: [
        "CAllocatedBytes", .product(name: "Forms", package: "formd"), .product(name: "JSON", package: "formd"),
        .product(name: "Sessions", package: "formd"), .product(name: "Times", package: "formd"),
      ]
    ),
  ]
)
