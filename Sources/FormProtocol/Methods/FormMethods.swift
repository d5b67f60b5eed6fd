package import JSON
internal import JSONRPC

/// `form/list`; it has no params.
enum FormList {
  static let method = MethodDescription(
    name: "form/list",
    summary: "The forms that the daemon has",
    description: "In the order of their names.",
    result: Shape.object([
      (
        "forms",
        Shape.array(
          of: Shape.object(
            [
              ("form", Shape.string("The form's name.")), ("locale", Shape.string("Its default locale.")),
              ("fields", Shape.array(of: Shape.string("A field."), "Its fields, in order.")),
              ("actions", Shape.array(of: Shape.string("An action."), "Its actions, in order.")),
            ],
            optional: ["locale"]
          ),
          "The forms."
        )
      )
    ]),
    example: .init(
      params: [:],
      result: ["forms": [["form": "login", "locale": "ko", "fields": ["email", "password"], "actions": ["login"]]]]
    )
  )
}

/// Params of `form/describe`.
package struct FormDescribeParams {
  /// The form's name.
  package var form: String
  package var locale: String?

  /// Reads the params.
  package init(_ params: JSONNode?) throws(InvalidParams) {
    var reader = ParamsReader()
    var form: String?
    var hasForm = false
    var locale: String?
    reader.forEachMember(of: params, names: "form, locale") { name, node, reader in
      if name.equals("form") {
        hasForm = true
        form = reader.string(node, "form")
      } else if name.equals("locale") {
        locale = reader.string(node, "locale")
      } else {
        return false
      }
      return true
    }
    if !hasForm { reader.note("/form", .required, "a form's name") }
    try reader.check()
    guard let form else { throw InvalidParams(reader.faults) }
    self.form = form
    self.locale = locale
  }

  static let method = MethodDescription(
    name: "form/describe",
    summary: "What a client needs to draw a form",
    description: "Fields in order with labels, placeholders, choices and initial values; actions; outputs.",
    params: [
      .required("form", Shape.string("The form's name.")),
      .optional("locale", Shape.string("The language of texts.")),
    ],
    result: Shape.map("The description."),
    failures: [.unknownForm],
    example: .init(
      params: ["form": "login", "locale": "en"],
      result: [
        "form": "login", "locale": "en",
        "fields": [["name": "email", "label": "Email", "isSecret": false]], "actions": [["name": "login"]],
      ]
    )
  )
}

/// Params of `form/validate`.
package struct FormValidateParams {
  /// Where the form comes from.
  package var source: SessionOpenParams.Source
  package var locale: String?
  /// The values to be judged.
  package var values: JSONNode?
  /// Whether asynchronous checks are run too.
  package var checks: Bool

  /// Reads the params.
  package init(_ params: JSONNode?) throws(InvalidParams) {
    var reader = ParamsReader()
    var form: String?
    var definition: JSONNode?
    var hasSource = false
    var locale: String?
    var values: JSONNode?
    var checks = false
    reader.forEachMember(of: params, names: "form, definition, values, locale, checks") { name, node, reader in
      if name.equals("form") {
        hasSource = true
        form = reader.string(node, "form")
      } else if name.equals("definition") {
        hasSource = true
        definition = reader.object(node, "definition")
      } else if name.equals("values") {
        values = reader.object(node, "values")
      } else if name.equals("locale") {
        locale = reader.string(node, "locale")
      } else if name.equals("checks") {
        checks = reader.bool(node, "checks")
      } else {
        return false
      }
      return true
    }
    if !hasSource {
      reader.note("/form", .required, "form or definition")
    } else if form != nil && definition != nil {
      reader.note("/definition", .value, "form or definition, not both")
    }
    try reader.check()
    if let form {
      source = .form(form)
    } else if let definition {
      source = .definition(definition)
    } else {
      throw InvalidParams([.init(path: "/form", code: .required, expected: "form or definition")])
    }
    self.locale = locale
    self.values = values
    self.checks = checks
  }

  static let method = MethodDescription(
    name: "form/validate",
    summary: "Judges a set of values",
    description:
      "As a session opened with these values and `show: \"always\"` would; no session stays. Checks run only with `checks: true`, actions never.",
    params: [
      .optional("form", Shape.string("A form's name.")),
      .optional("definition", Shape.map("A form definition.")),
      .optional("values", Shape.map("Values by field.")),
      .optional("locale", Shape.string("The language of messages.")),
      .optional("checks", Shape.boolean("Runs the asynchronous checks too; the answer waits for them.")),
    ],
    result: Shape.object([
      ("isValid", Shape.boolean("Whether the values are valid.")), ("document", Shape.document),
    ]),
    failures: [.unknownForm, .unknownField, .draining, .overloaded, .quotaExceeded],
    example: .init(
      params: ["form": "login", "values": ["email": "kim"]],
      result: [
        "isValid": false,
        "document": [
          "isValid": false, "isPending": false, "isDirty": false, "errors": [],
          "messages": ["email": "That is not an email address."], "fields": [:], "actions": [:], "outputs": [:],
        ],
      ]
    )
  )
}
