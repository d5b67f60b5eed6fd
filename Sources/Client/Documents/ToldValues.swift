internal import JSON

/// A session's values as the daemon tells them: all of them once, and later those that moved by themselves. A place in a list is told by
/// its row's identity, and the document says where that row stands.
struct ToldValues {
  /// The values; of each list, the rows stand in the order of the document.
  private(set) var values: JSONObject

  /// Those values.
  init(_ values: JSONObject) {
    self.values = values
  }

  /// The document changed: rows that moved have moved here, too, those that went are gone, and those that came are null until they are
  /// told.
  ///
  /// - Parameters:
  ///   - patch: a JSON Merge Patch against the document.
  ///   - before: the document without the patch.
  mutating func documentChanged(by patch: JSON, from before: JSON) {
    guard let changed = patch["fields"]?.objectValue else { return }
    let known = before["fields"]
    for field in changed {
      values[field.name] = values[field.name]?.withRowsInOrder(of: field.value, from: known?[field.name] ?? [:])
    }
  }

  /// A value was told.
  ///
  /// - Parameters:
  ///   - value: nil where there is none any more.
  ///   - address: the value's place.
  ///   - document: the document as it is now.
  mutating func set(_ value: JSON?, at address: String, in document: JSON) {
    guard let path = JSONPointer(address: address)?.tokens[...], !path.isEmpty else { return }
    values.set(value, at: path, in: document)
  }
}

extension JSON {
  /// The value with its rows where a patch says. `before` is what the document said of this value, which the patch changes.
  fileprivate func withRowsInOrder(of patch: JSON, from before: JSON) -> JSON {
    switch self {
    case .object(var members):
      for field in patch["fields"]?.objectValue ?? [:] {
        let known = before["fields"]?[field.name] ?? [:]
        members[field.name] = members[field.name]?.withRowsInOrder(of: field.value, from: known)
      }
      return .object(members)
    case .array(let elements):
      let order = before["order"]?.arrayValue ?? []
      guard order.count == elements.count else { return self }
      var rows = JSONObject(zip(order, elements).map { ($0.stringValue ?? "", $1) })
      for row in patch["rows"]?.objectValue ?? [:] {
        let known = before["rows"]?[row.name] ?? [:]
        rows[row.name] = rows[row.name]?.withRowsInOrder(of: row.value, from: known)
      }
      return .array((patch["order"]?.arrayValue ?? order).map { rows[$0.stringValue ?? ""] ?? .null })
    case .null, .bool, .integer, .real, .decimal, .string:
      return self
    }
  }

  /// The value with another one at a place inside. Objects and rows that are missing on the way are made; a row that is not there any more
  /// is left alone.
  ///
  /// - Parameter state: what the document says of this value.
  fileprivate func setting(_ value: JSON?, at path: ArraySlice<String>, in state: JSON) -> JSON {
    guard let name = path.first else { return value ?? .null }
    guard let order = state["order"]?.arrayValue else {
      var members = objectValue ?? [:]
      members.set(value, at: path, in: state)
      return .object(members)
    }
    let position =
      name.utf8.first == UInt8(ascii: "#")
      ? order.firstIndex(of: .string(String(name.dropFirst()))) : JSONPointer.arrayIndex(name)
    guard let position, position < order.count else { return self }
    var rows = arrayValue ?? []
    if rows.count != order.count { rows = Array(repeating: .null, count: order.count) }
    let row = state["rows"]?[order[position].stringValue ?? ""] ?? [:]
    // A row that is emptied keeps its place.
    rows[position] = rows[position].setting(value, at: path.dropFirst(), in: row)
    return .array(rows)
  }
}

extension JSONObject {
  /// Sets the value at a place inside of this object, or with nil takes it away.
  ///
  /// - Parameters:
  ///   - path: at least one name.
  ///   - state: what the document says of the object.
  fileprivate mutating func set(_ value: JSON?, at path: ArraySlice<String>, in state: JSON) {
    guard let name = path.first else { return }
    if path.count == 1 {
      self[name] = value
    } else {
      self[name] = (self[name] ?? .null).setting(value, at: path.dropFirst(), in: state["fields"]?[name] ?? [:])
    }
  }
}
