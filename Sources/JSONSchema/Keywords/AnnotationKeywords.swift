internal import JSON

// Meta-data (validation, section 9) and content (section 8): shapes are checked, nothing is asserted. `contentSchema`
// is compiled only if something refers to it.

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
