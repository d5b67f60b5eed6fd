// swift-tools-version: 6.2
import PackageDescription

// Outside of the main package, so that programs that embed the module do not build its benchmark.
let package = Package(
  name: "schema-bench",
  dependencies: [.package(name: "formd", path: "../../..")],
  targets: [
    .executableTarget(
      name: "schema-bench",
      dependencies: [
        .product(name: "JSON", package: "formd"), .product(name: "JSONSchema", package: "formd"),
      ]
    )
  ]
)
