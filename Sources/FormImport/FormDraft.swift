internal import Forms
internal import JSON

/// A definition while it is made.
struct FormDraft {
  /// The form's name.
  var name: String
  /// The form's title.
  var title: JSON?
  /// A note for readers of the definition.
  var note: JSON?
  /// The language of the texts.
  var locale: String?
  /// The word for the values of hidden fields, `keep` or `clear`; nil for the default.
  var whenHidden: JSON?
  /// The schema of the values.
  var schema: JSON = ["type": "object"]
  /// The rules, in order.
  var rules: [JSON] = []
  /// The lookups, by name.
  var lookups = JSONObject()
  /// The steps, in order.
  var steps: [JSON] = []
  /// The actions, by name.
  var actions = JSONObject()
  /// The outputs, by name.
  var outputs = JSONObject()
  /// The texts for formulas, by name.
  var texts = JSONObject()
  /// The additions to fields, by address.
  private(set) var fields = JSONObject()
  /// For parts of the definition, by their pointers, the location in the input from which they were made.
  private(set) var origins: [JSONPointer: JSONPointer] = [:]

  init(name: String) {
    self.name = name
  }

  /// Gives a field a key of its entry in `fields`.
  ///
  /// - Parameters:
  ///   - key: `label`, `help`, `visible`, ...
  ///   - field: the field's location; `*` for the rows of a list.
  ///   - origin: the location in the input.
  mutating func set(_ key: String, of field: JSONPointer, to value: JSON, from origin: JSONPointer? = nil) {
    let address = Self.address(of: field)
    var entry = fields[address]?.objectValue ?? JSONObject()
    entry[key] = value
    fields[address] = .object(entry)
    if let origin { origins[JSONPointer(tokens: ["fields", address, key])] = origin }
  }

  /// A key of a field's entry in `fields`; nil if it has none.
  func value(of key: String, _ field: JSONPointer) -> JSON? {
    fields[Self.address(of: field)]?[key]
  }

  /// Says from which location in the input a part of the definition was made.
  mutating func set(_ part: JSONPointer, from origin: JSONPointer) {
    origins[part] = origin
  }

  /// A field's address as the author writes it: a plain name for a field that is not inside another one.
  static func address(of field: JSONPointer) -> String {
    guard field.tokens.count == 1, let name = field.tokens.first, !name.hasPrefix("/"), !name.isEmpty else {
      return field.description
    }
    return name
  }

  var definition: JSON {
    var members: JSONObject = ["form": .string(name)]
    members["title"] = title
    members["description"] = note
    members["locale"] = locale.map { .string($0) }
    members["whenHidden"] = whenHidden
    members["schema"] = schema
    for (key, object) in [("fields", fields), ("lookups", lookups)] where !object.isEmpty {
      members[key] = .object(object)
    }
    for (key, list) in [("rules", rules), ("steps", steps)] where !list.isEmpty { members[key] = .array(list) }
    for (key, object) in [("actions", actions), ("outputs", outputs), ("texts", texts)] where !object.isEmpty {
      members[key] = .object(object)
    }
    return .object(members)
  }
}
