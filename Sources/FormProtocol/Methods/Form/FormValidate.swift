public import JSON

package struct FormValidateParams: Call, FormSourceParams {
  /// The name of a form that the daemon has; nil if a definition is given.
  package var form: String?
  /// A form that the client brings along; nil if a name is given.
  package var definition: JSONObject?
  /// The values by the names of their fields; nil: none is given.
  package var values: JSONObject?
  /// The language of messages; nil: the form's default.
  package var locale: String?
  /// The values that formulas read as `context`; nil: none.
  package var context: JSONObject?
  /// The time zone that decides what `today` is; nil: the daemon's.
  package var zone: String?
  /// Whether asynchronous checks are run too.
  package var checks = false
  /// The addresses that are judged, with everything inside them; nil: all.
  package var only: [String]?

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
    members.optional(
      "only",
      &only,
      "Addresses of fields. `isValid` and `errors` are only about these fields and the fields inside them, and only their checks run."
    )
  }

  package static let method = Method.formValidate
  package static let name: StaticString = "form/validate"
  package static let role: Role? = .client
  package static let isIdempotent = true
  package static let title = "Validates a set of values"
  package static let details =
    "The answer is the same as from a session that is opened with these values and `show: \"always\"`, but no session remains. Checks and lookups run only with `checks: true`, and actions never."
  package static let failures: [FormErrorCode] = [.unknownForm, .unknownField, .requestCancelled]
  package static var example: (params: Self, answer: FormVerdict) {
    var params = Self()
    params.form = "login"
    params.values = ["email": "kim"]
    var answer = FormVerdict(
      isValid: false,
      values: ["email": "kim"],
      errors: [
        InvalidValue(path: "/email", code: "email.shape", message: "That is not an email address."),
        InvalidValue(path: "/password", code: "required", message: "This is required."),
      ]
    )
    answer.document = [
      "isValid": false, "isPending": false, "isDirty": false, "errors": [],
      "messages": ["email": "That is not an email address.", "password": "This is required."], "fields": [:],
      "actions": [:], "outputs": [:],
    ]
    return (params, answer)
  }
}

/// A form's verdict on a set of values: the answer to `form/validate`.
public struct FormVerdict: Message, Sendable {
  /// Whether the values are valid; with `only`, whether these fields are.
  public var isValid = false
  /// The values as the form has them after its formulas, without hidden fields and without secrets.
  public var values = JSONObject()
  /// The errors that block, in the order of the fields, and then those of the form as a whole.
  public var errors: [InvalidValue] = []
  /// The output document that a session has if it is opened with the values.
  public var document = JSON.object([:])

  package init() {}

  /// A verdict without its document.
  package init(isValid: Bool, values: JSONObject, errors: [InvalidValue]) {
    self.isValid = isValid
    self.values = values
    self.errors = errors
  }

  package static let schemaName: StaticString? = "Validation"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("isValid", &isValid, "Whether the values are valid. With `only`, whether those fields are.")
    members.required(
      "values",
      &values,
      "The values, normalized and with computed ones, without hidden fields and without secrets."
    )
    members.required(
      "errors",
      &errors,
      "The errors that make the values invalid, in the order of the fields; errors of the form as a whole come last."
    )
    members.prepared("document", &document, as: OutputDocument.self, "The output document.")
  }
}

/// An error in a set of values.
public struct InvalidValue: Message, Sendable {
  /// The location in the values that were sent, as a JSON Pointer; in a list this is a position.
  public var path = ""
  /// The kind of the error, for programs.
  public var code = ""
  /// The error, in words.
  public var message = ""

  package init() {}

  package init(path: String, code: String, message: String) {
    self.path = path
    self.code = code
    self.message = message
  }

  package static let schemaName: StaticString? = "InvalidValue"
  package static let summary: StaticString = "An error in a set of values."

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required(
      "path",
      &path,
      "The location in the values that were sent, as a JSON Pointer; elements of lists are given by position. Empty for the form as a whole."
    )
    members.required("code", &code, "The kind of error: the id of a rule or a check, or a keyword of JSON Schema.")
    members.required("message", &message, "The message, for people.")
  }
}
