internal import JSON

extension FailureCollector {
  /// Annotations that are the keyword's own value: meta-data, `format`, content, and keywords that are not known.
  mutating func annotateMetaData(_ schema: Int32, _ value: JSON) {
    guard collectsAnnotations, case .object(let members) = program.sources[Int(schema)].value else { return }
    let source = program.sources[Int(schema)]
    if source.dialect.draft.hidesSiblingsOfReferences && members["$ref"] != nil { return }
    for member in members where isAnnotation(member.name, source.dialect, value, beside: members) {
      annotate(schema, member.name, member.value)
    }
  }

  private func isAnnotation(_ name: String, _ dialect: Dialect, _ value: JSON, beside: JSONObject) -> Bool {
    guard let keyword = Keyword(rawValue: name), dialect.draft.has(keyword) else {
      switch name {
      case dialect.draft.identifierKeyword, "$schema", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary",
        "$comment", "$defs",
        "definitions":
        return false
      default:
        return true
      }
    }
    switch keyword {
    case .title, .description, .default, .deprecated, .readOnly, .writeOnly, .examples:
      return dialect.vocabularies.contains(.metaData)
    case .format:
      return true
    case .contentEncoding, .contentMediaType:
      // They are about texts only (validation, section 8.1).
      return dialect.vocabularies.contains(.content) && value.stringValue != nil
    case .contentSchema:
      return dialect.vocabularies.contains(.content) && value.stringValue != nil && beside["contentMediaType"] != nil
    default:
      return false
    }
  }
}
