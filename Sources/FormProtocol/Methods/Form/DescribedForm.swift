package import JSON

/// The form that a call is about: a form that could be opened, or the form of a session.
package enum DescribedForm: Sendable {
  /// A form that the daemon has, or a definition that the client brings along.
  case source(FormSource)
  /// The form that a session of the connection was opened with.
  case session(Int64)
}

/// Params that name a form, include a form, or mean the form of a session.
package protocol DescribedFormParams: Message {
  /// The name of a form that the daemon has.
  var form: String? { get set }
  /// A form that the client brings along.
  var definition: JSONObject? { get set }
  /// A session of the connection.
  var session: Int64? { get set }
  /// The language of the texts; nil: the session's, or the form's default.
  var locale: String? { get set }
}

extension DescribedFormParams {
  package mutating func list(_ members: inout some MessageVisitor) {
    members.optional("form", &form, "A form's name.")
    members.optional("definition", &definition, "A form definition.")
    members.optional("session", &session, "The session whose form is meant.")
    members.optional(
      "locale",
      &locale,
      "The language of texts. The default is the session's language, or the form's default locale."
    )
  }

  package func check(_ reader: inout MessageReader) {
    let given = [("form" as StaticString, form != nil), ("definition", definition != nil), ("session", session != nil)]
      .filter(\.1)
    if given.count > 1 {
      reader.note(.value, "one of form, definition and session", atMember: given[1].0)
    } else if !reader.has("form") && !reader.has("definition") && !reader.has("session") {
      reader.note(.required, "one of form, definition and session", atMember: "form")
    }
  }

  /// The form that was given; ``check(_:)`` has ensured that there is one.
  package var described: DescribedForm {
    if let session { return .session(session) }
    return .source(definition.map { .definition($0) } ?? .form(form ?? ""))
  }
}
