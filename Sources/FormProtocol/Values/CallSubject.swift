package import JSON

/// What a call is about, as far as that can be told without doing it: for the log, which names what took long. No value is in it.
package struct CallSubject: Message {
  /// The session's number; nil where the call names none.
  package var session: Int64?
  /// The form's name.
  package var form: String?
  private var field: String?
  private var action: String?
  private var step: String?

  /// What of the document the call is about: a field, an action or a step.
  package var cell: String? { field ?? action ?? step }

  package init() {}

  /// What these params are about. What is wrong with them does not matter here.
  package init(_ params: JSONNode?) {
    self = (try? MessageReader.read(Self.self, params, .lenient)) ?? Self()
  }

  package mutating func list(_ members: inout some MessageVisitor) {
    members.optional("session", &session, "The session.")
    members.optional("form", &form, "The form.")
    members.optional("field", &field, "The field.")
    members.optional("action", &action, "The action.")
    members.optional("step", &step, "The step.")
  }
}
