internal import JSON

// `unevaluatedItems`, `unevaluatedProperties` (core, section 11).

extension SchemaCompiler {
  mutating func compileUnevaluated(_ keyword: Keyword, _ value: JSON, _ work: inout SchemaInProgress) {
    let operation: Instruction.Operation =
      keyword == .unevaluatedItems ? .unevaluatedItems : .unevaluatedProperties
    work.last.append(Instruction(operation: operation, keyword: keyword, a: child(work, keyword.rawValue)))
  }
}
