internal import JSON

// `allOf`, `anyOf`, `oneOf`, `not`, `if`, `then`, `else` (core, section 10.2).

extension KeywordRule {
  /// Applicators to the value itself.
  static let inPlace: [KeywordRule] = [
    KeywordRule(.allOf, in: .applicator) { $0.compileInPlace($1, $2, &$3) },
    KeywordRule(.anyOf, in: .applicator, parameters: ["causes"]) { $0.compileInPlace($1, $2, &$3) },
    KeywordRule(.oneOf, in: .applicator, parameters: ["matches", "causes"]) { $0.compileInPlace($1, $2, &$3) },
    KeywordRule(
      .not,
      in: .applicator,
      parameters: [],
      texts: """
        en|This is not allowed.
        en.named|{this} is excluded by "not".
        ko|허용되지 않는 값입니다.
        ko.named|"not"이 금지하는 값입니다.
        de|Dieser Wert ist nicht erlaubt.
        de.named|Dieser Wert ist durch "not" ausgeschlossen.
        fr|Cette valeur n’est pas autorisée.
        fr.named|Cette valeur est exclue par "not".
        es|Este valor no está permitido.
        es.named|Este valor está excluido por "not".
        pt|Este valor não é permitido.
        pt.named|Este valor é excluído por "not".
        it|Questo valore non è consentito.
        it.named|Questo valore è escluso da "not".
        ja|この値は使えません。
        ja.named|"not"によって除外されている値です。
        zh|不允许使用此值。
        zh.named|此值被“not”排除。
        """
    ) { $0.compileInPlace($1, $2, &$3) },
    KeywordRule(.if, from: .draft7, in: .applicator) { $0.compileInPlace($1, $2, &$3) },
    KeywordRule(.then, from: .draft7, in: .applicator) { $0.compileInPlace($1, $2, &$3) },
    KeywordRule(.else, from: .draft7, in: .applicator) { $0.compileInPlace($1, $2, &$3) },
  ]
}

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
    case .allOf, .anyOf, .oneOf:
      guard let elements = value.arrayValue, !elements.isEmpty else {
        report(work, keyword.rawValue, "\(keyword.rawValue) must be an array with at least one schema")
        return
      }
      let schemas = elements.indices.map { child(work, keyword.rawValue, String($0)) }
      let operation: Instruction.Operation =
        switch keyword {
        case .allOf: .allOf
        case .anyOf: .anyOf
        case .oneOf: .oneOf
        default: keyword.failAsMisplaced()
        }
      work.emit(operation, keyword, tables.addList(schemas), Int32(schemas.count))
    default: keyword.failAsMisplaced()
    }
  }
}
