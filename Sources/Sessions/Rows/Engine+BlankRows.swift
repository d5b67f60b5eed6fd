internal import Forms
internal import JSON

/// Blank rows of lists that ignore them. They stay in the document. The schema, rules, checks, formulas and requests do
/// not see them.
extension Engine {
  /// Finds out whether a row is blank.
  ///
  /// - Parameter element: the field that represents the row.
  func computeBlank(_ element: Int, _ instance: Instance) {
    guard let row = instance.row else { return }
    let isBlank = !row.hasContent
    guard isBlank != row.isBlank else { return }
    row.isBlank = isBlank
    forgetAllValues()
    row.list.isIndexStale = true
    row.list.gatheredColumns = []
    changed(.isBlank, ofField: element, in: row)
    changed(.rows, ofField: row.list.field, in: row.list.owner)
  }
}

extension Instance {
  /// Whether it is a blank row, or inside one.
  @inline(__always)
  var isIgnored: Bool { template != 0 && isInBlankRow }

  @inline(never)
  private var isInBlankRow: Bool {
    var next = row
    while let row = next {
      if row.isBlank { return true }
      next = row.list.owner.row
    }
    return false
  }
}

extension Row {
  /// Whether an input has given a value to one of its fields, or to a field of a row in it. The schema's default is not
  /// such a value, and an empty text, list or object is not a value. The value of a hidden field counts, because it
  /// appears again with the field.
  var hasContent: Bool {
    ownFields.contains { field in
      if isList(field), list(of: field).rows.contains(where: \.hasContent) { return true }
      let state = fields.at(field)
      if state.pointee.flags.contains(.follows) || state.pointee.value.isEmpty { return false }
      return state.pointee.value != form.fields[field].ownInitial
    }
  }
}

extension JSON? {
  /// Whether there is no value, or an empty one.
  fileprivate var isEmpty: Bool {
    switch self {
    case nil, .null?: true
    case .string(let text)?: text.isEmpty
    case .array(let elements)?: elements.isEmpty
    case .object(let members)?: members.isEmpty
    default: false
    }
  }
}
