internal import JSON

// `unevaluatedItems`, `unevaluatedProperties` (core, section 11).

extension KeywordRule {
  /// Keywords about what all other keywords have left.
  static let unevaluated: [KeywordRule] = [
    KeywordRule(.unevaluatedItems, from: .draft2019, in: .unevaluated, parameters: ["item"]) {
      $0.compileUnevaluated($1, $2, &$3)
    },
    KeywordRule(.unevaluatedProperties, from: .draft2019, in: .unevaluated, parameters: ["property"]) {
      $0.compileUnevaluated($1, $2, &$3)
    },
  ]
}

extension SchemaCompiler {
  mutating func compileUnevaluated(_ keyword: Keyword, _ value: JSON, _ work: inout SchemaInProgress) {
    let operation: Instruction.Operation =
      keyword == .unevaluatedItems ? .unevaluatedItems : .unevaluatedProperties
    work.last.append(Instruction(operation: operation, keyword: keyword, a: child(work, keyword.rawValue)))
  }
}
