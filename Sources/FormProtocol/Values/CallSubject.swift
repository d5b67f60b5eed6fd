package import JSON

/// The subject of a call, found without performing the call. The log uses it to name calls that took long. It contains
/// no value.
package struct CallSubject: Message {
  /// The session's number; nil if the call names none.
  package var session: Int64?
  /// The form's name.
  package var form: String?
  private var field: String?
  private var action: String?
  private var step: String?
  private var values: JSONObject?

  /// The maximum number of fields that are named, if a call changes many.
  private static let namesMax = 5

  /// The part of the document that the call is about: a field, an action, a step, or several fields; nil if it names
  /// none.
  package var cell: String? {
    if let name = field ?? action ?? step { return name }
    guard let values, !values.isEmpty else { return nil }
    let names = values.prefix(Self.namesMax).map(\.name).joined(separator: ", ")
    return values.count > Self.namesMax ? "\(names) and \(values.count - Self.namesMax) more" : names
  }

  package init() {}

  /// The subject of these params. Their problems do not matter here.
  package init(_ params: JSONNode?) {
    self = (try? MessageReader.read(Self.self, params, .lenient)) ?? Self()
  }

  package mutating func list(_ members: inout some MessageVisitor) {
    members.optional("session", &session, "The session.")
    members.optional("form", &form, "The form.")
    members.optional("field", &field, "The field.")
    members.optional("action", &action, "The action.")
    members.optional("step", &step, "The step.")
    members.optional("values", &values, "Values, by field.")
  }
}
