internal import Forms
internal import JSON
internal import Texts

/// Values of a session that its form has no place for. They wait for a version of the form that has one.
struct SetAsideValues {
  /// Each with the identity of its row, which is 0 for the form itself.
  private var values: [(row: Int, address: String, value: JSON)] = []

  /// The values of a snapshot's member `setAside`.
  init(_ json: JSON?) {
    for row in json?.objectValue ?? [:] {
      for member in row.value.objectValue ?? [:] {
        values.append((Int(row.name) ?? 0, member.name, member.value))
      }
    }
  }

  /// The member `setAside` of a snapshot; nil if there are no values.
  var json: JSON? {
    var rows = JSONObject()
    for (row, address, value) in values {
      var members = rows["\(row)"]?.objectValue ?? [:]
      members[address] = value
      rows["\(row)"] = .object(members)
    }
    return rows.isEmpty ? nil : .object(rows)
  }

  /// Puts values back for which a form has a field, if the snapshot has nothing there.
  mutating func giveBack(to snapshot: inout ReadSnapshot, for form: Form) {
    values.removeAll { row, address, value in
      guard let path = JSONPointer(address: address)?.tokens,
        let field = form.field(on: form.currentPath(of: path))
      else { return false }
      let key = UTF8Key(text: form.fields[field].address)
      func put(_ instance: inout ReadInstance) -> Bool {
        guard instance.fields[key] == nil, instance.lists[key] == nil else { return false }
        // The value differs from the field's initial value, so a reset does not restore it.
        instance.fields[key] = ["value": value, "flags": .integer(Int64(FieldFlags.isDirty.rawValue))]
        return true
      }
      if row == 0 { return put(&snapshot.form) }
      guard var instance = snapshot.rows[row], put(&instance) else { return false }
      snapshot.rows[row] = instance
      return true
    }
  }

  /// Takes the values of a snapshot that its migration has not kept, except secrets.
  ///
  /// - Returns: their addresses, without duplicates.
  mutating func collect(from old: ReadSnapshot, missingIn new: ReadSnapshot, of form: Form) -> [String] {
    // Rows that are gone have no values.
    values.removeAll { $0.row != 0 && new.rows[$0.row] == nil }
    let count = values.count
    var before = old.value(of: old.form, below: [], withSecrets: false)?.objectValue ?? [:]
    var after = new.value(of: new.form, below: [])?.objectValue ?? [:]
    if old.others["areSecret"] != true {
      for member in old.others["now"]?.objectValue ?? [:] where before[member.name] == nil {
        before[member.name] = member.value
      }
    }
    for member in new.others["now"]?.objectValue ?? [:] { after[member.name] = member.value }
    collect(.object(before), missingIn: .object(after), at: [], row: 0, form)
    for field in form.fields where field.element != nil {
      guard let element = field.element.map({ form.fields[$0].path }) else { continue }
      for (id, row) in new.rows.sorted(by: { $0.key < $1.key }) {
        guard let oldRow = old.rows[id], let value = old.value(of: oldRow, below: element, withSecrets: false) else {
          continue
        }
        collect(value, missingIn: new.value(of: row, below: element), at: element, row: id, form)
      }
    }
    var names: [String] = []
    for value in values.dropFirst(count) where !names.contains(value.address) {
      names.append(value.address)
    }
    return names
  }

  private mutating func collect(_ old: JSON, missingIn new: JSON?, at path: [String], row: Int, _ form: Form) {
    guard case .object(let members) = old else { return }
    let kept = new?.objectValue ?? [:]
    for member in members {
      let path = path + [member.name]
      if let value = kept[member.name] {
        // The rows of a list are compared one by one.
        collect(member.value, missingIn: value, at: path, row: row, form)
      } else if form.field(on: path) == nil {
        values.append((row, JSONPointer(tokens: path).address, member.value))
      } else {
        // The field exists, and its own value has become none. Members inside it may have no place.
        collect(member.value, missingIn: nil, at: path, row: row, form)
      }
    }
  }
}

extension UTF8Key {
  /// Whether it is an address at or below a path.
  fileprivate func isBelow(_ path: [String]) -> Bool {
    JSONPointer(address: text)?.tokens.starts(with: path) ?? false
  }
}

/// Renamed fields: the parts of a snapshot get the names of the current form.
extension ReadSnapshot {
  /// Renames the fields of an earlier version.
  mutating func rename(for form: Form) {
    // A field follows the field around it, which is renamed before.
    for field in form.fields {
      guard let name = field.renamedFrom else { continue }
      rename(Array(field.path.dropLast()) + [name], to: field.path)
    }
  }

  private mutating func rename(_ old: [String], to new: [String]) {
    form.rename(old, to: new)
    for id in rows.keys { rows[id]?.rename(old, to: new) }
    guard old.count == 1, var members = others.objectValue else { return }
    for part in ["now", "initial"] {
      members[part] = members[part]?.renaming(old[...], to: new[0])
    }
    others = .object(members)
  }
}

extension ReadInstance {
  fileprivate mutating func rename(_ old: [String], to new: [String]) {
    if fields.keys.contains(where: { $0.isBelow(new) }) { return }
    fields = fields.renamed(old, to: new)
    lists = lists.renamed(old, to: new)
    guard let name = new.last else { return }
    // Values of objects, and initial values, have the names of members inside.
    for (key, state) in fields {
      guard let path = JSONPointer(address: key.text)?.tokens, old.count > path.count, old.starts(with: path),
        var members = state.objectValue
      else { continue }
      members["value"] = members["value"]?.renaming(old[path.count...], to: name)
      if let initial = members["initialObject"]?.arrayValue {
        members["initialObject"] = .array(initial.map { $0.renaming(old[path.count...], to: name) })
      }
      fields[key] = .object(members)
    }
    for (key, var list) in lists {
      guard let path = JSONPointer(address: key.text).map({ $0.tokens + ["*"] }), old.count > path.count,
        old.starts(with: path)
      else { continue }
      list.initial = list.initial.map { ($0.id, $0.value.renaming(old[path.count...], to: name)) }
      lists[key] = list
    }
  }
}

extension Dictionary where Key == UTF8Key {
  /// The addresses at or below a path, with another path in its place.
  fileprivate func renamed(_ old: [String], to new: [String]) -> Self {
    Dictionary(
      map { key, value in
        guard let tokens = JSONPointer(address: key.text)?.tokens, tokens.starts(with: old) else { return (key, value) }
        return (UTF8Key(text: JSONPointer(tokens: new + tokens.dropFirst(old.count)).address), value)
      },
      uniquingKeysWith: { first, _ in first }
    )
  }
}

extension JSON {
  /// The value with another name for the member at a path, unless it has a member of that name.
  fileprivate func renaming(_ path: ArraySlice<String>, to name: String) -> JSON {
    guard let first = path.first else { return self }
    switch self {
    case .object(var members):
      if path.count == 1 {
        guard members[first] != nil, members[name] == nil else { return self }
        return .object(JSONObject(members.map { ($0.name.hasSameUTF8(as: first) ? name : $0.name, $0.value) }))
      }
      members[first] = members[first]?.renaming(path.dropFirst(), to: name)
      return .object(members)
    case .array(let elements) where first == "*":
      return .array(elements.map { $0.renaming(path.dropFirst(), to: name) })
    default: return self
    }
  }
}
