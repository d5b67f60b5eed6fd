internal import JSON

/// What the server does with an object before it judges it ("Custom Resources", "Field pruning" and "Defaulting").
extension StructuralSchema {
  /// The value without the members that nobody knows.
  ///
  /// - Parameters:
  ///   - pointer: where the value stands.
  ///   - dropped: gets where these members stood.
  func pruned(_ json: JSON, at pointer: JSONPointer, dropped: inout [JSONPointer]) -> JSON {
    switch (shape, json) {
    case (.object, .object(let members)):
      var kept = JSONObject()
      for member in members {
        let place = pointer.appending(member.name)
        if isResource, Self.resourceMembers.contains(member.name) {
          kept[member.name] = member.value
        } else if let property = property(named: member.name) {
          kept[member.name] = property.schema.pruned(member.value, at: place, dropped: &dropped)
        } else if keepsUnknown {
          kept[member.name] = member.value
        } else {
          dropped.append(place)
        }
      }
      return .object(kept)
    case (.map(let inner), .object(let members)):
      return .object(
        JSONObject(
          members.map { ($0.name, inner.pruned($0.value, at: pointer.appending($0.name), dropped: &dropped)) }
        )
      )
    case (.list(let inner, _), .array(let elements)):
      return .array(
        elements.enumerated().map { inner.pruned($1, at: pointer.appending($0), dropped: &dropped) }
      )
    default: return json
    }
  }

  /// The value with defaults in the place of what is absent. Where null is no value, it is absent, too.
  func completed(_ json: JSON) -> JSON {
    switch (shape, json) {
    case (.object(let properties), .object(var members)):
      for property in properties {
        let schema = property.schema
        let isAbsent = members[property.name].map { $0.isNull && !schema.isNullable } ?? true
        if isAbsent { members[property.name] = schema.defaultValue }
        if let value = members[property.name] { members[property.name] = schema.completed(value) }
      }
      return .object(members)
    case (.map(let inner), .object(let members)):
      return .object(
        JSONObject(
          members.compactMap { member in
            inner.completedPart(member.value).map { (member.name, $0) }
          }
        )
      )
    case (.list(let inner, _), .array(let elements)):
      return .array(elements.map { inner.completedPart($0) ?? .null })
    default: return json
    }
  }

  /// A value of a map or a list; nil where it is absent.
  private func completedPart(_ json: JSON) -> JSON? {
    if json.isNull, !isNullable { return defaultValue.map(completed) }
    return completed(json)
  }
}
