internal import Forms
public import JSON
internal import Texts

/// Identifies a value of a session. When it changes without the client that shows it, the client gets it.
public enum ValueID: Hashable, Sendable {
  /// A field of the form (0), or of the row of that identity, with everything inside it.
  case field(Int, row: Int)
  /// A top-level member that is not a field.
  case member(String)

  // Names are bytes: two names that differ only in their normal form are different.
  public static func == (left: ValueID, right: ValueID) -> Bool {
    switch (left, right) {
    case (.field(let a, let row), .field(let b, let other)): a == b && row == other
    case (.member(let a), .member(let b)): a.hasSameUTF8(as: b)
    default: false
    }
  }

  init(_ field: Int, in instance: Instance) { self = .field(field, row: instance.rowID) }

  init(_ live: LiveField) { self.init(live.field, in: live.instance) }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .field(let field, let row):
      hasher.combine(field)
      hasher.combine(row)
    case .member(let name): hasher.combine(UTF8Key(text: name))
    }
  }
}

/// A value that a client's input has changed. The clients that share the session get the current value.
package struct GivenValue {
  package let id: ValueID
  /// The sender of the input, from ``Engine/apply(_:to:by:at:)``.
  package let sender: Sender
}

extension Session {
  /// The values that contain a value, and the value itself, which comes first.
  package func valuesAround(_ id: ValueID) -> [ValueID] {
    guard case .field(let field, let row) = id, let instance = instance(of: row) else { return [id] }
    return LiveField(field, in: instance).outwards.map { ValueID($0.field, in: $0.instance) }
  }

  /// The fields that the user is in, or whose delayed changes have not taken effect. For tests.
  package var editedValues: [ValueID] {
    var ids: [ValueID] = []
    forEachField { live in
      let isFocused = live.state.pointee.flags.contains(.isFocused)
      if isFocused || live.instance.instanceExtras?.delays[live.field]?.held != nil { ids.append(ValueID(live)) }
    }
    return ids
  }

  /// The current values by address, and the addresses that have no value. A value that is a secret is in neither. The
  /// values go to the client.
  public func told(_ ids: some Sequence<ValueID>) -> (values: JSONObject, absent: [String]) {
    var values = JSONObject()
    var absent: [String] = []
    for id in ids {
      let address: String
      let value: JSON?
      let isSecret: Bool
      switch id {
      case .field(let field, let row):
        // A row that has gone since is sent with its list.
        guard let instance = instance(of: row) else { continue }
        address = instance.address(of: field)
        value = instance.value(of: field, .told)
        isSecret = form.fields[field].isSecret && instance.value(of: field) != nil
      case .member(let name):
        address = JSONPointer(tokens: [name]).address
        isSecret = form.units[0].areOthersSecret
        value = isSecret ? nil : extras?.otherMembers.now?[name]
      }
      if let value { values[address] = value } else if !isSecret { absent.append(address) }
    }
    return (values, absent)
  }
}
