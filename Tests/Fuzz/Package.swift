// swift-tools-version: 6.2
import PackageDescription

// Fuzz targets for libFuzzer, outside of the main package: they need their own flags. `scripts/fuzz` builds and runs
// them. A target is a folder in Sources with one function, LLVMFuzzerTestOneInput. The function passes the input to
// `runInput` of FuzzCost, which reports an input that costs too much. The seeds of a target are in Corpus, under its
// name.

/// libFuzzer brings the main function.
func fuzzTarget(_ name: String, _ dependencies: [String]) -> Target {
  .executableTarget(
    name: name,
    dependencies: ["FuzzCost"] + dependencies.map { .product(name: $0, package: "formd") },
    swiftSettings: [.swiftLanguageMode(.v6), .unsafeFlags(["-parse-as-library"])]
  )
}

let package = Package(
  name: "fuzz",
  dependencies: [.package(name: "formd", path: "../..")],
  targets: [
    .target(name: "FuzzCost", swiftSettings: [.swiftLanguageMode(.v6)]),
    fuzzTarget("FuzzCEL", ["Budgets", "CEL", "Formats", "JSON"]),
    fuzzTarget("FuzzEditor", ["JSON", "LanguageServer"]),
    fuzzTarget("FuzzForms", ["Budgets", "Forms", "JSON", "Sessions", "SourceTexts", "Times"]),
    fuzzTarget("FuzzJSONSchema", ["Budgets", "Formats", "JSON", "JSONSchema"]),
    fuzzTarget("FuzzTexts", ["DataLanguages", "JSON", "SourceTexts"]),
  ]
)
