/// The results of one conformance suite.
struct SuiteResult {
  /// The suite's name, such as `cel/basic`.
  var name: String
  var passed = 0
  var failed: [(name: String, reason: String)] = []
  /// Cases that are not run, each with the reason.
  var skipped: [(name: String, reason: String)] = []

  init(name: String) {
    self.name = name
  }
}
