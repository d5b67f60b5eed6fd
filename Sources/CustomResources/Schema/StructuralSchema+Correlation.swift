internal import JSON

/// Which part of an old object becomes which part of the new one.
extension StructuralSchema {
  /// Each part of a value: its name or position, its schema, and what it was before; nil where that cannot be known, or it was not there.
  func parts(of value: JSON, old: JSON?) -> [Part] {
    switch (shape, value) {
    case (.object, .object(let members)), (.map, .object(let members)):
      return members.compactMap { member in
        schema(ofMember: member.name).map { schema in
          Part(token: member.name, schema: schema, value: member.value, old: isAtomic ? nil : old?[member.name])
        }
      }
    case (.list(let inner, let kind), .array(let elements)):
      let earlier = Self.elementsByKey(old, kind)
      return elements.enumerated().map { position, element in
        Part(
          token: String(position),
          schema: inner,
          value: element,
          old: Self.key(of: element, kind).flatMap { earlier[$0] }
        )
      }
    default: return []
    }
  }

  /// A part of a value.
  struct Part {
    let token: String
    let schema: StructuralSchema
    let value: JSON
    let old: JSON?
  }

  /// What tells an element of a list from the others; nil where only its position does.
  static func key(of element: JSON, _ kind: ListKind) -> JSON? {
    guard case .map(let keys) = kind else { return nil }
    return .array(keys.map { element[$0] ?? .null })
  }

  private static func elementsByKey(_ list: JSON?, _ kind: ListKind) -> [JSON: JSON] {
    var elements: [JSON: JSON] = [:]
    for element in list?.arrayValue ?? [] { if let key = key(of: element, kind) { elements[key] = element } }
    return elements
  }

  /// Whether the value at that place is as it was; of a part whose past cannot be known, whether what it is a part of is.
  ///
  /// - Parameter isUnchanged: what is known so far.
  func isUnchanged(at tokens: ArraySlice<String>, in value: JSON, old: JSON?, _ isUnchanged: Bool = false) -> Bool {
    let isSame = old.map { $0 == value } ?? isUnchanged
    guard let token = tokens.first, let part = parts(of: value, old: old).first(where: { $0.token == token }) else {
      return isSame
    }
    return part.schema.isUnchanged(at: tokens.dropFirst(), in: part.value, old: part.old, isSame)
  }
}
