public import JSON

package struct FormSchemaParams: Call, DescribedFormParams {
  /// The name of a form that the daemon has.
  package var form: String?
  /// A form that the client brings along.
  package var definition: JSONObject?
  /// The session whose form is meant.
  package var session: Int64?
  /// The language of the texts; nil: the session's, or the form's default.
  package var locale: String?

  package init() {}

  package static let method = Method.formSchema
  package static let name: StaticString = "form/schema"
  package static let role: Role? = .client
  package static let isIdempotent = true
  package static let title = "A form's JSON Schema, with texts"
  package static let details =
    "One of `form`, `definition` and `session` selects the form. For tools that know only JSON Schema: labels are `title`, help is `description`, options are a `oneOf` of `const` and `title`. It accepts the same values as the form's own schema."
  package static let failures: [FormErrorCode] = [.unknownSession, .unknownForm]
  package static var example: (params: Self, answer: FormSchema) {
    var params = Self()
    params.form = "login"
    params.locale = "en"
    var answer = FormSchema()
    answer.form = "login"
    answer.requestedLocale = "en"
    answer.locale = "en"
    answer.schema = [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "required": ["email"],
      "properties": ["email": ["type": "string", "maxLength": 254, "title": "Email"]],
    ]
    return (params, answer)
  }
}

/// A form's JSON Schema, with texts: the answer to `form/schema`.
public struct FormSchema: Message, Sendable {
  /// The form's name.
  public var form = ""
  /// The language that was requested: by the call, else by the session; nil if neither names one.
  public var requestedLocale: String?
  /// The language of the texts, as in ``FormDescription/locale``.
  public var locale: String?
  /// The JSON Schema of the form's values.
  public var schema = JSONObject()

  package init() {}

  package static let schemaName: StaticString? = "FormSchema"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("form", &form, "The form's name.")
    members.optional("requestedLocale", &requestedLocale, "The requested language.")
    members.optional("locale", &locale, "The language of the texts: the form's closest language to the requested one.")
    members.required("schema", &schema, "The schema of the form's values.")
  }
}
