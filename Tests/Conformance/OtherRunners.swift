extension ConformanceFolder {
  /// The suites of the modules beside JSON Schema, by the folder that they run.
  static let otherRunners: [(folder: String, run: @Sendable (String) -> [SuiteResult])] = [
    ("cel", { runCELSuite(folder: $0) }),
    ("json-parsing", { runJSONParsingSuite(folder: $0) }),
    ("jsonrpc", { runJSONRPCSuite(folder: $0) }),
    ("rx", { runRxSuite(folder: $0) }),
  ]
}
