extension ConformanceFolder {
  /// The suites of the modules beside JSON Schema, by the folder that they run.
  static let otherRunners: [(folder: String, run: (String) -> [SuiteResult])] = [
    ("cel", { runCELSuite(folder: $0) })
  ]
}
