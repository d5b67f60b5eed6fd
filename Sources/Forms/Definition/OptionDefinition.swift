internal import JSON
internal import SourceTexts
internal import Texts

/// A choice of a field.
struct OptionDefinition {
  /// The value as a text.
  var name: String
  var pointer: JSONPointer
  /// The value; nil if only its label is given, by its name.
  var value: JSON?
  var label: Text?
  var group: Text?
  var help: Text?
  var isDisabled = false
  /// The further members, which clients get as they are.
  var others = JSONObject()
}

extension OptionDefinition {
  /// The keys of a choice, each with its schema.
  static let keys: JSONObject = [
    "value": ["description": "The value to be sent.", "not": ["type": "null"]],
    "label": ["$ref": "#/$defs/text", "description": "Its name for the user."],
    "group": ["$ref": "#/$defs/text", "description": "The name of the choices that it belongs to, for the user."],
    "help": ["$ref": "#/$defs/text", "description": "The text beside it."],
    "disabled": [
      "type": "boolean", "description": "Whether it cannot be chosen. Only as an initial value it is no error.",
      "default": false,
    ],
  ]

  static let schema: JSON = [
    "type": "object", "description": "A choice. Clients get further members as they are.", "required": ["value"],
    "properties": .object(keys),
    "examples": [["value": "air", "label": "By air", "group": "Express", "disabled": true]],
  ]
}

extension OptionDefinition {
  /// The `options` of a field, unless they are a formula: labels by value, or a list of choices.
  static func all(
    _ members: JSONObject,
    at pointer: JSONPointer,
    _ what: String,
    _ reader: inout DefinitionReader
  ) -> [OptionDefinition] {
    guard let block = members["options"] else { return [] }
    let pointer = pointer.appending("options")
    switch block {
    case .object(let entries):
      return entries.compactMap { entry in
        let pointer = pointer.appending(entry.name)
        let text = reader.text(entry.value, at: pointer, what: "the text for \"\(entry.name)\"")
        return text.map { OptionDefinition(name: entry.name, pointer: pointer, label: $0) }
      }
    case .array(let elements):
      if elements.isEmpty {
        reader.collector.report(
          "emptyOptions",
          at: pointer,
          "\"options\" of \(what) lists no choice, so it does nothing",
          remedy: "list the choices, or leave it out",
          severity: .warning
        )
      }
      var found: [OptionDefinition] = []
      for (index, element) in elements.enumerated() {
        guard let option = OptionDefinition(reading: element, at: pointer.appending(index), with: &reader) else {
          continue
        }
        if found.contains(where: { $0.value == option.value }) {
          reader.collector.report(
            "duplicateOption",
            at: option.pointer,
            "\"options\" of \(what) has the value \(option.value ?? .null) twice",
            remedy: "keep one of them"
          )
        }
        found.append(option)
      }
      return found
    default:
      reader.wrongType(
        block,
        at: pointer,
        expected: "an object from value to text, a list of choices, or a formula",
        what: "\"options\" of \(what)"
      )
      return []
    }
  }

  private init?(reading element: JSON, at pointer: JSONPointer, with reader: inout DefinitionReader) {
    let what = "a choice"
    guard case .object(let members) = element else {
      reader.wrongType(element, at: pointer, expected: "an object with \"value\"", what: what)
      return nil
    }
    guard let value = members["value"], !value.isNull else {
      reader.missing("value", at: pointer, what: what)
      return nil
    }
    self.init(name: value.optionName, pointer: pointer, value: value)
    label = reader.text(members, "label", at: pointer, what: what)
    group = reader.text(members, "group", at: pointer, what: what)
    help = reader.text(members, "help", at: pointer, what: what)
    isDisabled = reader.bool(members, "disabled", at: pointer, what: what) ?? false
    others = JSONObject(uncheckedMembers: members.filter { Self.keys[$0.name] == nil })
    for member in others where !reader.collector.isFull && !member.name.utf8.starts(with: "x-".utf8) {
      guard let meant = closestName(to: member.name, among: Self.keys.names) else { continue }
      reader.collector.report(
        "unknownKey",
        at: pointer.appending(member.name),
        spot: .name,
        "clients get \"\(member.name)\" of this choice, and formd does not know it",
        remedy: .meant(meant),
        severity: .warning
      )
    }
  }
}
