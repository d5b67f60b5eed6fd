public import JSON

/// Params of `form/validate`.
package struct FormValidateParams: Call, FormSourceParams {
  /// The name of a form that the daemon has; nil if a definition is given.
  package var form: String?
  /// A form that the client brings along; nil if a name is given.
  package var definition: JSONObject?
  /// The values to be judged.
  package var values: JSONObject?
  /// The language of messages; nil: the form's default.
  package var locale: String?
  /// The values that formulas read as `context`; nil: none.
  package var context: JSONObject?
  /// The time zone that decides what `today` is; nil: the daemon's.
  package var zone: String?
  /// Whether asynchronous checks are run too.
  package var checks = false

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.optional("form", &form, "A form's name.")
    members.optional("definition", &definition, "A form definition.")
    members.optional("values", &values, "The values.")
    members.optional("locale", &locale, "The language of messages.")
    members.optional(
      "context",
      &context,
      "The values that formulas read as `context`; the form's `context` admits them."
    )
    members.optional("zone", &zone, "The time zone that decides what `today` is. The default is the daemon's.")
    members.flag("checks", &checks, "Runs the asynchronous checks and the lookups too; the answer waits for them.")
  }

  package static let method = Method.formValidate
  package static let title = "Validates a set of values"
  package static let details =
    "The answer is the same as from a session that is opened with these values and `show: \"always\"`, but no session remains. Checks and lookups run only with `checks: true`, and actions never."
  package static let failures: [FormErrorCode] = [
    .unknownForm, .unknownField, .requestCancelled, .overloaded, .quotaExceeded,
  ]
  package static var example: (params: Self, answer: Verdict) {
    var params = Self()
    params.form = "login"
    params.values = ["email": "kim"]
    var answer = Verdict(isValid: false)
    answer.document = [
      "isValid": false, "isPending": false, "isDirty": false, "errors": [],
      "messages": ["email": "That is not an email address."], "fields": [:], "actions": [:], "outputs": [:],
    ]
    return (params, answer)
  }
}

/// A form's verdict on a set of values: the answer to `form/validate`.
public struct Verdict: Message, Sendable {
  /// Whether the values are valid.
  public var isValid = false
  /// The output document that a session has if it is opened with the values.
  public var document = JSON.object([:])

  package init() {}

  /// A verdict without its document.
  package init(isValid: Bool) {
    self.isValid = isValid
  }

  package static let schemaName: StaticString? = "Validation"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("isValid", &isValid, "Whether the values are valid.")
    members.prepared("document", &document, as: OutputDocument.self, "The output document.")
  }
}
