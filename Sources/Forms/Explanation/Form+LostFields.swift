internal import JSON
internal import JSONSchema
internal import Texts

extension Form {
  /// The addresses of the fields of an earlier version whose values a migration to this form sets aside: this form has
  /// no such field, no field that was renamed from it, and its schema does not admit the member. A field inside such a
  /// field is not listed.
  package func fieldsLost(from old: Form) -> [String] {
    var lost: [String] = []
    var end = 0
    for (number, field) in old.fields.enumerated() where number >= end {
      let path = currentPath(of: field.path)
      if self.field(on: path) != nil || field.path.last == "*" || admitsMember(path) { continue }
      // A computed value is not lost: it comes from other values.
      if !field.isComputed { lost.append(field.address) }
      end = max(end, old.endOfFields(inside: number))
    }
    return lost
  }

  /// The path of a field in this form, given its path in an earlier version.
  package func currentPath(of old: [String]) -> [String] {
    var path: [String] = []
    for name in old {
      let renamed = fields.first { field in
        field.renamedFrom?.hasSameUTF8(as: name) == true && field.path.dropLast().elementsEqual(path)
      }
      path = field(on: path + [name]) == nil ? renamed?.path ?? path + [name] : path + [name]
    }
    return path
  }

  /// Whether the schema admits a member that is not a field.
  private func admitsMember(_ path: [String]) -> Bool {
    guard let name = path.last else { return false }
    if path.count == 1 { return units[0].others.admits(name) }
    guard let around = field(on: path.dropLast()) else { return admitsMember(path.dropLast()) }
    // A field without fields inside it holds any value.
    return fields[around].unit.map { units[$0].others.admits(name) } ?? true
  }

  /// The end of the fields inside a field, with the fields of its rows, which follow it.
  private func endOfFields(inside field: Int) -> Int {
    var end = field + 1
    while end < fields.count, fields[end].path.starts(with: fields[field].path) { end += 1 }
    return end
  }
}
