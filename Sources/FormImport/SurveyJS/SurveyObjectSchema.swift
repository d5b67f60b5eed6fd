internal import JSON

/// The schema of an object while its members are found.
struct SurveyObjectSchema {
  /// The names of the members, in order.
  private(set) var names: [String] = []
  /// The types of the members for formulas.
  private(set) var shapes: [String: SurveyShape] = [:]
  private var properties = JSONObject()
  private var required: [String] = []

  /// Whether there is such a member.
  func has(_ name: String) -> Bool { shapes[name] != nil }

  /// Adds a member.
  mutating func add(_ name: String, _ schema: JSONObject, _ shape: SurveyShape, isRequired: Bool) {
    names.append(name)
    shapes[name] = shape
    properties[name] = .object(schema)
    if isRequired { required.append(name) }
  }

  /// Changes the schema of a member.
  mutating func replace(_ name: String, _ schema: JSONObject, isRequired: Bool) {
    properties[name] = .object(schema)
    if isRequired, !required.contains(name) { required.append(name) }
  }

  /// Whether a member is required.
  var hasRequired: Bool { !required.isEmpty }

  var schema: JSON {
    var schema: JSONObject = ["type": "object"]
    if !required.isEmpty { schema["required"] = .array(required.map { .string($0) }) }
    schema["properties"] = .object(properties)
    return .object(schema)
  }

  /// The type of the object for formulas.
  var shape: SurveyShape { .object(shapes) }
}
