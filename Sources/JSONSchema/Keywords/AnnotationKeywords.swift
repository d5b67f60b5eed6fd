internal import JSON

// Meta-data (validation, section 9) and content (section 8): shapes are checked, nothing is asserted. `contentSchema`
// is compiled only if something refers to it.

extension KeywordRule {
  /// Keywords that say something about the value, and assert nothing.
  static let annotations: [KeywordRule] = [
    KeywordRule(.title) { $0.compileAnnotation($1, $2, $3) },
    KeywordRule(.description) { $0.compileAnnotation($1, $2, $3) },
    KeywordRule(.default) { $0.compileAnnotation($1, $2, $3) },
    KeywordRule(.deprecated, from: .draft2019) { $0.compileAnnotation($1, $2, $3) },
    KeywordRule(.readOnly, from: .draft7) { $0.compileAnnotation($1, $2, $3) },
    KeywordRule(.writeOnly, from: .draft7) { $0.compileAnnotation($1, $2, $3) },
    KeywordRule(.examples, from: .draft6) { $0.compileAnnotation($1, $2, $3) },
    KeywordRule(.contentEncoding, from: .draft7) { $0.compileAnnotation($1, $2, $3) },
    KeywordRule(.contentMediaType, from: .draft7) { $0.compileAnnotation($1, $2, $3) },
    KeywordRule(.contentSchema, from: .draft2019) { $0.compileAnnotation($1, $2, $3) },
  ]
}

extension SchemaCompiler {
  mutating func compileAnnotation(_ keyword: Keyword, _ value: JSON, _ work: SchemaInProgress) {
    let name = keyword.rawValue
    switch keyword {
    case .title, .description, .contentEncoding, .contentMediaType:
      if value.stringValue == nil { report(work, name, "\(name) must be a string") }
    case .deprecated, .readOnly, .writeOnly:
      if value.boolValue == nil { report(work, name, "\(name) must be true or false") }
    case .examples:
      if value.arrayValue == nil { report(work, name, "examples must be an array") }
    default:
      break
    }
  }
}
