internal import JSON

extension FormAssembler {
  /// The group of fields that a keyword is about, if each branch of it requires one of them, and says nothing else.
  mutating func group(of part: SchemaPart) -> SchemaGroup? {
    guard let keyword = part.location.tokens.last, keyword == "anyOf" || keyword == "oneOf", !part.readsOthers,
      part.fields.count > 1, part.fields.count <= GroupKind.fieldsMax,
      let branches = definition.schema.value(at: part.location)?.arrayValue, branches.count == part.fields.count,
      branches.allSatisfy({ $0.objectValue?.count == 1 && $0["required"]?.arrayValue?.count == 1 })
    else { return nil }
    let kind: GroupKind = keyword == "oneOf" ? .exactlyOne : .atLeastOne
    let errors = part.fields.map { schemaError(keyword, of: fields.shapes[$0], else: BuiltInTexts.group(kind)) }
    return SchemaGroup(kind: kind, errors: errors)
  }
}
