public import JSON

/// One option.
public struct Choice: Hashable, Sendable {
  /// The value to be sent.
  public var value = JSON.null
  /// The text that names the choice to the user; nil if neither the form nor its schema has one.
  public var label: String?
  /// The name of the choices that it belongs to, for the user.
  public var group: String?
  /// The text beside it.
  public var help: String?
  /// Whether it cannot be chosen. A field's initial value may be such a choice.
  public var isDisabled = false
  /// The further members that the form's author gave it.
  public var others: JSONObject = [:]

  package init(value: JSON, label: String?) {
    self.value = value
    self.label = label
  }
}

extension Choice: CheckedValue {
  package static let schemaName: StaticString? = "Choice"
  package static var expectation: String { "an object with value" }

  package static var schema: JSONObject {
    func text(_ description: String) -> JSON { ["type": "string", "description": .string(description)] }
    return [
      "type": "object", "description": "A value to choose. It has the further members that the form's author gave it.",
      "properties": [
        "value": ["description": "The value to be sent."], "label": text("Its name for the user."),
        "group": text("The name of the choices that it belongs to, for the user."), "help": text("The text beside it."),
        "disabled": [
          "type": "boolean",
          "description": "Whether it cannot be chosen. A field's initial value may be such a choice.",
        ],
      ],
      "required": ["value"], "additionalProperties": true,
    ]
  }

  package init?(_ written: JSONObject) {
    guard let value = written["value"] else { return nil }
    self.init(value: value, label: written["label"]?.stringValue)
    group = written["group"]?.stringValue
    help = written["help"]?.stringValue
    isDisabled = written["disabled"]?.boolValue ?? false
    let known = ["value", "label", "group", "help", "disabled"]
    others = JSONObject(uncheckedMembers: written.filter { !known.contains($0.name) })
  }

  package var written: JSONObject {
    var members: JSONObject = ["value": value]
    members["label"] = label.map { .string($0) }
    members["group"] = group.map { .string($0) }
    members["help"] = help.map { .string($0) }
    if isDisabled { members["disabled"] = true }
    for member in others { members[member.name] = member.value }
    return members
  }
}
