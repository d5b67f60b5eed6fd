internal import JSON

// `allOf`, `anyOf`, `oneOf`, `not`, `if`, `then`, `else` (core, section 10.2).

extension SchemaCompiler {
  mutating func compileInPlace(_ keyword: Keyword, _ value: JSON, _ work: inout SchemaInProgress) {
    switch keyword {
    case .not:
      work.emit(.not, keyword, child(work, "not"))
    case .if:
      let then = work.members["then"] == nil ? -1 : child(work, "then")
      let otherwise = work.members["else"] == nil ? -1 : child(work, "else")
      work.emit(.conditional, keyword, child(work, "if"), then, otherwise)
    case .then, .else:
      // Read with `if`; without one they mean nothing, but they still must be schemas.
      if work.members["if"] == nil { _ = child(work, keyword.rawValue) }
    default:
      guard let elements = value.arrayValue, !elements.isEmpty else {
        report(work, keyword.rawValue, "\(keyword.rawValue) must be an array with at least one schema")
        return
      }
      let schemas = elements.indices.map { child(work, keyword.rawValue, String($0)) }
      let operation: Instruction.Operation =
        switch keyword {
        case .allOf: .allOf
        case .anyOf: .anyOf
        default: .oneOf
        }
      work.emit(operation, keyword, tables.addList(schemas), Int32(schemas.count))
    }
  }
}
