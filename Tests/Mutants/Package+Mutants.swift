// `scripts/lib/mutants.py` adds these lines to Package.swift in its copy, which has no other tests.

package.targets.removeAll { $0.type == .test || $0.path?.hasPrefix("Tests/") ?? false && $0.name != "Randomness" }
package.targets.append(
  .executableTarget(
    name: "mutants",
    dependencies: [
      "Budgets", "CEL", "Configuration", "FormProtocol", "Formats", "Forms", "JSON", "Randomness", "Server",
      "SessionCalls", "SessionStore", "Sessions", "SourceTexts", "Times",
      .product(name: "Logging", package: "swift-log"),
    ],
    path: "Tests",
    exclude: ["Randomness"],
    sources: ["Mutants/Program", "ServerTests/Simulations", "ServerTests/Support", "SimulationTests"],
    swiftSettings: strict + [.define("MUTANTS")]
  )
)
// Optimized, because compiling so takes less time than the lives of unoptimized code.
for target in package.targets where target.type == .regular || target.type == .executable {
  target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-O"])]
}
