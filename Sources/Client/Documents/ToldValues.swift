internal import JSON

/// A session's values from the daemon: first all of them, and later the values that changed without this program's
/// input. The daemon names a value in a list by its row's identity, and the document has the row's position.
struct ToldValues {
  /// The values. The rows of each list are in the order of the document.
  private(set) var values: JSONObject

  /// Creates the initial values.
  init(_ values: JSONObject) {
    self.values = values
  }

  /// Follows a change of the document. Rows that moved are moved here, too, and removed rows are removed. Inserted rows
  /// are null until their values arrive.
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

  /// Sets a value from the daemon.
  ///
  /// - Parameters:
  ///   - value: nil if the value was removed.
  ///   - address: the value's address.
  ///   - document: the current document.
  mutating func set(_ value: JSON?, at address: String, in document: JSON) {
    guard let path = JSONPointer(address: address)?.tokens[...], !path.isEmpty else { return }
    values.set(value, at: path, in: document)
  }
}

extension JSON {
  /// The value with its rows in the order of a patch. `before` is the state of this value in the document before the
  /// patch.
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

  /// The value with another value inside it. Missing objects and rows on the path are created. A row that was removed
  /// is ignored.
  ///
  /// - Parameter state: the state of this value in the document.
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
    // A row keeps its position, even if its value is removed.
    rows[position] = rows[position].setting(value, at: path.dropFirst(), in: row)
    return .array(rows)
  }
}

extension JSONObject {
  /// Sets or removes a value inside this object.
  ///
  /// - Parameters:
  ///   - path: at least one name.
  ///   - state: the state of the object in the document.
  fileprivate mutating func set(_ value: JSON?, at path: ArraySlice<String>, in state: JSON) {
    guard let name = path.first else { return }
    if path.count == 1 {
      self[name] = value
    } else {
      self[name] = (self[name] ?? .null).setting(value, at: path.dropFirst(), in: state["fields"]?[name] ?? [:])
    }
  }
}
