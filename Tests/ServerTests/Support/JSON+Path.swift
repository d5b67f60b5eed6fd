import JSON

extension JSON {
  /// Several steps at once: `at("error", "code")`.
  func at(_ names: String...) -> JSON? {
    names.reduce(self as JSON?) { $0?[$1] }
  }
}
