// swift-tools-version: 6.2
import PackageDescription

// Outside of the main package, so that programs that embed the module do not build its benchmark.
let package = Package(
  name: "cel-bench",
  dependencies: [.package(name: "formd", path: "../../..")],
  targets: [
    .target(name: "CAllocationCount"),
    .executableTarget(
      name: "cel-bench",
      dependencies: [
        "CAllocationCount", .product(name: "Budgets", package: "formd"), .product(name: "CEL", package: "formd"),
        .product(name: "Formats", package: "formd"), .product(name: "JSON", package: "formd"),
      ]
    ),
  ]
)
