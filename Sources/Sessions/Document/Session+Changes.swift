internal import Forms
internal import JSON

extension Session {
  /// The values that differ from the initial values: members of objects one by one, lists and other values whole. A
  /// value that is gone is null. Hidden fields are left out, and so are values that follow a formula.
  var changes: JSONObject {
    var changes = changes(of: nil)
    let (now, initial) = extras?.otherMembers ?? (nil, nil)
    changes.addDifference(of: now, from: initial)
    return changes
  }

  private func changes(of field: Int?) -> JSONObject {
    var changes = JSONObject()
    for child in form.children(of: field)
    where fields[child].flags.isSuperset(of: [.isDirty, .isVisible]) {
      changes[form.fields[child].name] = change(of: child)
    }
    return changes
  }

  private func change(of field: Int) -> JSON {
    let value = value(of: field, .shown) ?? .null
    guard case .object(let whole) = value, case .object(let initial)? = wholeInitialValue(of: field) else {
      return value
    }
    let hasFields = tables.pointee.fields.at(field).hasFieldsBelow
    var changes = changes(of: field)
    changes.addDifference(
      of: hasFields ? fields[field].value?.objectValue : whole,
      from: hasFields ? initialValue(of: field)?.objectValue : initial
    )
    return .object(changes)
  }
}

extension JSONObject {
  /// Adds the members of the merge patch (RFC 7396) that turns one object into another.
  fileprivate mutating func addDifference(of now: JSONObject?, from initial: JSONObject?) {
    let patch = JSON.object(initial ?? [:]).mergePatch(to: .object(now ?? [:]))
    for member in patch?.objectValue ?? [:] { self[member.name] = member.value }
  }
}
