internal import Formats

/// Words of JSON Schema that its meta-schema does not list.
enum SchemaWords {
  /// The formats that are validated.
  static let formats = TextFormat.allCases.map(\.rawValue)
  /// Keywords that newer keywords replace; they are offered last.
  static let superseded: Set<String> = ["definitions", "dependencies", "$recursiveAnchor", "$recursiveRef"]

  /// The meanings of keywords (JSON Schema 2020-12, Core and Validation).
  static let meanings = [
    "type": "The type of the value, or a list of types.", "enum": "The values that are allowed.",
    "const": "The only value that is allowed.", "minLength": "The least number of characters.",
    "maxLength": "The largest number of characters.",
    "pattern": "A regular expression (ECMA-262) that the text matches.",
    "format": "The format of the text, such as email or date.", "minimum": "The least number.",
    "maximum": "The largest number.", "exclusiveMinimum": "The number is larger.",
    "exclusiveMaximum": "The number is smaller.", "multipleOf": "The number is a multiple of this one.",
    "properties": "The members of the object, each with its schema: the fields of the form.",
    "required": "The members that the object must have.",
    "additionalProperties": "The schema of members that `properties` and `patternProperties` do not list.",
    "patternProperties": "Schemas of members, by a regular expression for their names.",
    "propertyNames": "The schema of the members' names.", "minProperties": "The least number of members.",
    "maxProperties": "The largest number of members.",
    "dependentRequired": "By member: the members that must be there, too.",
    "dependentSchemas": "By member: the schema that the object then meets.",
    "items": "The schema of the elements: the fields of a row.",
    "prefixItems": "The schemas of the first elements, in order.", "contains": "Some elements meet this schema.",
    "minContains": "How many elements meet `contains`, at least.",
    "maxContains": "How many elements meet `contains`, at most.", "minItems": "The least number of elements.",
    "maxItems": "The largest number of elements.", "uniqueItems": "Whether no two elements are equal.",
    "unevaluatedItems": "The schema of elements that no other keyword looked at.",
    "unevaluatedProperties": "The schema of members that no other keyword looked at.",
    "allOf": "The value meets all of these schemas.", "anyOf": "The value meets at least one of these schemas.",
    "oneOf": "The value meets exactly one of these schemas.", "not": "The value does not meet this schema.",
    "if": "If the value meets this schema, `then` holds, else `else`.", "then": "Holds if `if` does.",
    "else": "Holds if `if` does not.", "$ref": "Another schema: `#/$defs/name`, or a file beside this one.",
    "$defs": "Schemas to which `$ref` refers.", "title": "A short name: the label of a field that has no other.",
    "description": "An explanation: the help of a field that has no other.",
    "default": "The value of the field at the beginning.", "examples": "Examples of values.",
    "readOnly": "The user cannot change the value.", "writeOnly": "The value is a secret: it is never shown.",
    "deprecated": "The value should not be used any more.",
  ]
}
