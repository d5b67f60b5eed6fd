internal import DocumentProperties
package import JSON

// The output document of a session as JSON Schema. Its members with names of formd come from the lists of properties.
// No member is required, because a session with `watch` has only parts of the document.

/// The output document of a session.
package enum OutputDocument: DescribedValue {
  package static let schemaName: StaticString? = "Document"

  package static var schemaParts: [any DescribedValue.Type] {
    [DocumentError.self, FieldEntry.self, StepEntry.self, LookupEntry.self, ActionEntry.self]
  }

  package static var schema: JSONObject {
    var members = FormProperty.schemas
    members["messages"] = .object(.byName(String.self, "The messages to be shown, by the address of the field."))
    members["fields"] = .object(.byName(FieldEntry.self, "The fields, by name, in the order of the form."))
    members["steps"] = .object(.byName(StepEntry.self, "The steps, by id, in order; absent in a form without steps."))
    members["lookups"] = .object(.byName(LookupEntry.self, "The lookups, by name; absent in a form without lookups."))
    members["actions"] = .object(.byName(ActionEntry.self, "The actions, by name, in order."))
    members["outputs"] = ["type": "object", "description": "The computed outputs, by name."]
    return [
      "type": "object",
      "description":
        "The output document of a session. If the session is opened with `watch`, it has only the watched parts.",
      "properties": .object(members),
    ]
  }
}

/// An error or a warning in the document.
private enum DocumentError: DescribedValue {
  static let schemaName: StaticString? = "FormError"

  static var schemaParts: [any DescribedValue.Type] { [ProblemSeverity.self, TextProblem.Source.self] }

  static var schema: JSONObject {
    [
      "type": "object", "description": "An error or a warning in the document.",
      "properties": [
        "code": .described(String.self, "The id of a rule or a check, or a keyword of JSON Schema."),
        "path": .described(String.self, "The place inside the field's value, as a JSON Pointer; absent for the value."),
        "severity": .described(ProblemSeverity.self, "A warning does not block. Nor does an error of a server."),
        "source": .described(TextProblem.Source.self, "What found the error."),
        "message": .described(String.self, "The text for the user."),
        "params": .described(JSONObject.self, "The values that the text can use, by name."),
      ],
      "required": ["code", "severity", "source", "message", "params"],
    ]
  }
}

/// The entry of a field.
private enum FieldEntry: DescribedValue {
  static let schemaName: StaticString? = "FieldState"

  static var schemaParts: [any DescribedValue.Type] { [DocumentError.self, Choice.self, RowEntry.self] }

  static var schema: JSONObject {
    [
      "type": "object",
      "description": "The state of a field. In a row, members with their default are absent.",
      "properties": .object(members),
    ]
  }

  /// The members, which rows have, too. Clients take the defaults from here (`scripts/lib/client_types.py`).
  static var members: JSONObject {
    var members = JSONObject(
      FieldProperty.inDocument.map { property in
        var schema = property.about.schema
        schema["default"] = property.about.usualValue
        return (property.name, .object(schema))
      }
    )
    let choices = JSON.object([Choice].schema)
    members["options"] = [
      "description":
        "The choices that a formula gives. A list has the choices that are equal for all its rows, by address.",
      "anyOf": [choices, ["type": "object", "additionalProperties": choices]],
    ]
    members["fields"] = .object(.byName(FieldEntry.self, "The fields inside of it, by name."))
    members["rows"] = .object(.byName(RowEntry.self, "The rows of a list, by identity."))
    return members
  }
}

/// The entry of a row.
private enum RowEntry: DescribedValue {
  static let schemaName: StaticString? = "RowState"

  static var schemaParts: [any DescribedValue.Type] { [FieldEntry.self, LookupEntry.self] }

  static var schema: JSONObject {
    var members = FieldEntry.members
    members["outputs"] = ["type": "object", "description": "The computed outputs of the row, by name."]
    members["lookups"] = .object(.byName(LookupEntry.self, "The lookups of the row, by name."))
    return [
      "type": "object",
      "description": "The state of a row. In a row and its fields, members with their default are absent.",
      "properties": .object(members),
    ]
  }
}

/// The entry of a step.
private enum StepEntry: DescribedValue {
  static let schemaName: StaticString? = "StepState"

  static var schema: JSONObject {
    ["type": "object", "description": "The state of a step.", "properties": .object(StepProperty.schemas)]
  }
}

/// The entry of a lookup.
private enum LookupEntry: DescribedValue {
  static let schemaName: StaticString? = "LookupState"

  static var schema: JSONObject {
    ["type": "object", "description": "The state of a lookup.", "properties": .object(LookupProperty.schemas)]
  }
}

/// The entry of an action.
private enum ActionEntry: DescribedValue {
  static let schemaName: StaticString? = "ActionState"

  static var schema: JSONObject {
    ["type": "object", "description": "The state of an action.", "properties": .object(ActionProperty.schemas)]
  }
}

extension PropertyList {
  /// The properties in the document, as schemas by name.
  fileprivate static var schemas: JSONObject {
    JSONObject(inDocument.map { ($0.name, .object($0.about.schema)) })
  }
}

extension Property {
  /// The value that rows leave out; nil if rows never leave the member out.
  fileprivate var usualValue: JSON? {
    switch kind {
    case .bool: .bool(isUsuallyTrue)
    case .errors: []
    case .number, .text, .value, .rows: nil
    }
  }

  fileprivate var schema: JSONObject {
    var schema: JSONObject =
      switch kind {
      case .bool: Bool.schema
      case .number: Int.schema
      case .text: String.schema
      case .value: JSON.schema
      case .errors: ["type": "array", "items": .object(DocumentError.schemaReference)]
      case .rows: [String].schema
      }
    schema["description"] = .string(meaning.description)
    return schema
  }
}
