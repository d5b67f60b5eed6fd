internal import JSON

/// Alternatives for an object. One member, the tag, says which alternative is meant.
struct TaggedUnion {
  /// One alternative.
  struct Alternative {
    /// Its location, behind references.
    let pointer: JSONPointer
    /// Its schema, behind references.
    let schema: JSON
    /// The tags that mean it.
    let tags: [JSON]
    /// Its name for people.
    let label: String
  }

  /// The name of the member.
  let tag: String
  /// The alternatives that are not null, in order.
  let alternatives: [Alternative]
  /// Whether each alternative requires the tag.
  let isTagRequired: Bool

  /// All tags, in order.
  var tags: [JSON] { alternatives.flatMap(\.tags) }

  /// Finds the tag of the alternatives in a schema.
  ///
  /// - Parameters:
  ///   - keyword: `oneOf` or `anyOf`.
  ///   - declared: the members that the object has outside of the alternatives.
  ///   - hint: the member on which the alternatives probably depend.
  /// - Returns: nil if the schema has no alternatives with a tag.
  init?(
    _ schema: JSONObject,
    at pointer: JSONPointer,
    _ keyword: String,
    in document: SchemaDocument,
    declared: Set<String> = [],
    hint: String? = nil
  ) {
    guard let elements = schema[keyword]?.arrayValue else { return nil }
    let place = pointer.appending(keyword)
    let resolved = elements.enumerated().map { document.resolved($0.element, at: place.appending($0.offset)) }
      .filter { $0.schema["type"] != "null" }
    guard resolved.count > 1 else { return nil }
    let discriminator = schema["discriminator"]?["propertyName"]?.stringValue
    let own = Set(schema["properties"]?.objectValue?.names ?? []).union(declared)
    let candidates =
      [discriminator, hint].compactMap(\.self)
      + Self.members(of: resolved[0].schema, in: document).filter { $0 != discriminator && $0 != hint }
    for candidate in candidates {
      let tags = resolved.map { Self.tags(candidate, of: $0.schema, at: $0.pointer, in: document, depth: 0) }
      guard tags.allSatisfy({ !$0.isEmpty }), Set(tags.joined()).count == tags.joined().count else { continue }
      let isRequired = resolved.allSatisfy {
        Self.requires(candidate, $0.schema, at: $0.pointer, in: document)
      }
      guard isRequired || candidate == discriminator || candidate == hint || own.contains(candidate) else { continue }
      tag = candidate
      isTagRequired = isRequired
      alternatives = zip(resolved, tags).map { alternative, tags in
        let name = alternative.pointer.tokens.last.flatMap { Int($0) == nil ? $0 : nil }
        // Several tags of one alternative need a text each.
        let title = tags.count == 1 ? alternative.schema["title"]?.stringValue ?? name : nil
        return Alternative(
          pointer: alternative.pointer,
          schema: alternative.schema,
          tags: tags,
          label: title.map { ReadableName.isIdentifier($0) ? ReadableName.label($0) : $0 }
            ?? tags.compactMap(\.stringValue).map(ReadableName.label).joined(separator: ", ")
        )
      }
      return
    }
    return nil
  }

  /// The names of the members of a schema, also behind references and in `allOf`.
  static func members(of schema: JSON, in document: SchemaDocument, depth: Int = 0) -> [String] {
    guard depth < 16 else { return [] }
    let schema = document.resolved(schema, at: .root).schema
    var names = schema["properties"]?.objectValue?.names ?? []
    for keyword in ["allOf", "anyOf", "oneOf"] {
      for inner in schema[keyword]?.arrayValue ?? [] {
        for name in members(of: inner, in: document, depth: depth + 1) where !names.contains(name) {
          names.append(name)
        }
      }
    }
    return names
  }

  /// The constants of a member of a schema; none if the member can have other values.
  static func tags(
    _ name: String,
    of schema: JSON,
    at pointer: JSONPointer,
    in document: SchemaDocument,
    depth: Int
  ) -> [JSON] {
    guard depth < 8 else { return [] }
    if let property = schema["properties"]?[name] {
      let member = document.resolved(property, at: pointer).schema
      if let constant = member["const"] { return FormulaText.literal(constant) == nil ? [] : [constant] }
      if let values = member["enum"]?.arrayValue {
        return values.allSatisfy { FormulaText.literal($0) != nil } ? values : []
      }
    }
    for inner in schema["allOf"]?.arrayValue ?? [] {
      let found = document.resolved(inner, at: pointer)
      let tags = tags(name, of: found.schema, at: found.pointer, in: document, depth: depth + 1)
      if !tags.isEmpty { return tags }
    }
    for keyword in ["oneOf", "anyOf"] {
      let inner = (schema[keyword]?.arrayValue ?? []).map { element in
        let found = document.resolved(element, at: pointer)
        return tags(name, of: found.schema, at: found.pointer, in: document, depth: depth + 1)
      }
      if !inner.isEmpty, inner.allSatisfy({ !$0.isEmpty }) {
        return inner.joined().reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
      }
    }
    return []
  }

  /// Whether a schema requires a member, also behind references and in `allOf`.
  static func requires(
    _ name: String,
    _ schema: JSON,
    at pointer: JSONPointer,
    in document: SchemaDocument,
    depth: Int = 0
  ) -> Bool {
    guard depth < 8 else { return false }
    if schema["required"]?.arrayValue?.contains(.string(name)) == true { return true }
    func inner(_ keyword: String) -> [Bool] {
      (schema[keyword]?.arrayValue ?? []).map { element in
        let found = document.resolved(element, at: pointer)
        return requires(name, found.schema, at: found.pointer, in: document, depth: depth + 1)
      }
    }
    if inner("allOf").contains(true) { return true }
    for keyword in ["oneOf", "anyOf"] {
      let all = inner(keyword)
      if !all.isEmpty, all.allSatisfy(\.self) { return true }
    }
    return false
  }
}
