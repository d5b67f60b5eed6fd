package import JSON

/// The source of a form.
package enum FormSource: Sendable {
  /// A form that the daemon has, by its name.
  case form(String)
  /// A definition that the client brings along, private to the session.
  case definition(JSONObject)

  /// Whether the client brings the definition along.
  package var isOwn: Bool { definition != nil }

  /// The definition that the client brings along; nil: it names a form.
  package var definition: JSONObject? {
    if case .definition(let definition) = self { definition } else { nil }
  }
}

/// Params that name a form or bring one along.
package protocol FormSourceParams: Message {
  /// The name of a form that the daemon has.
  var form: String? { get }
  /// A form that the client brings along.
  var definition: JSONObject? { get }
}

extension FormSourceParams {
  package func check(_ reader: inout MessageReader) {
    if form != nil && definition != nil {
      reader.note(.value, "form or definition, not both", atMember: "definition")
    } else if !reader.has("form") && !reader.has("definition") {
      reader.note(.required, "form or definition", atMember: "form")
    }
  }

  /// The form or definition that was given; ``check(_:)`` has ensured that there is exactly one.
  package var source: FormSource {
    if let definition { .definition(definition) } else { .form(form ?? "") }
  }
}
