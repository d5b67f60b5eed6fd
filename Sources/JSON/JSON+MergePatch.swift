extension JSON {
  /// Applies a JSON Merge Patch (RFC 7396, section 2): members of the patch replace members of the value, `null`
  /// removes, objects merge, everything else is replaced whole.
  public mutating func merge(_ patch: JSON) {
    guard case .object(let changes) = patch else {
      self = patch
      return
    }
    var members = objectValue ?? JSONObject()
    self = .null  // So that the members are not shared while they are changed.
    for change in changes {
      if change.value.isNull {
        members[change.name] = nil
      } else {
        var target = members[change.name] ?? .null
        target.merge(change.value)
        members[change.name] = target
      }
    }
    self = .object(members)
  }

  /// The merge patch that turns this value into the other, or nil when they are equal.
  ///
  /// The patch is exact when neither value holds a `null` outside of arrays, because a merge patch cannot express one.
  public func mergePatch(to other: JSON) -> JSON? {
    guard case .object(let before) = self, case .object(let after) = other else {
      return self == other ? nil : other
    }
    var patch = JSONObject()
    for member in before where after[member.name] == nil {
      patch[member.name] = .null
    }
    for member in after {
      if let old = before[member.name] {
        if let change = old.mergePatch(to: member.value) { patch[member.name] = change }
      } else {
        patch[member.name] = member.value
      }
    }
    return patch.isEmpty ? nil : .object(patch)
  }

  /// The value without the `null` members of its objects, at every depth outside of arrays; nil for `null` itself.
  public var withoutNullMembers: JSON? {
    switch self {
    case .null: nil
    case .object(let members):
      .object(
        JSONObject(
          uncheckedMembers: members.compactMap { member in
            member.value.withoutNullMembers.map { JSONObject.Member(name: member.name, value: $0) }
          }
        )
      )
    default: self
    }
  }
}
