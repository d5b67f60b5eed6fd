internal import DocumentProperties
internal import JSON

extension Play {
  /// The document with which the session of the form `kit` begins.
  static let firstDocument: JSON = [
    "isValid": false, "isPending": false, "isDirty": false, "errors": [], "messages": ["note": "This is required."],
    "fields": ["email": field, "note": field],
    "actions": ["send": ["isEnabled": true, "isLoading": false, "attempts": 0]], "outputs": ["color": "gray"],
  ]

  /// A field without a value.
  private static let field: JSON = {
    let flags = FieldProperty.inDocument.map(\.about).filter { $0.kind == .bool }
    var members = JSONObject(flags.map { ($0.name.description, .bool($0.isUsuallyTrue)) })
    members["isEmpty"] = true
    members["errors"] = []
    return .object(members)
  }()

  /// The description of the form `kit`.
  static let description: JSON = [
    "form": "kit",
    "fields": [
      ["name": "email", "address": "email", "type": "string", "show": "blur", "isSecret": false, "isRequired": false],
      ["name": "note", "address": "note", "type": "string", "show": "blur", "isSecret": false, "isRequired": false],
    ],
    "actions": [["name": "send"]], "outputs": ["color"],
  ]

  /// An event of the action `send`.
  static func event(_ number: Int64, kind: String = "succeeded") -> JSON {
    ["seq": .integer(number), "action": "send", "run": .integer(number), "kind": .string(kind)]
  }
}

extension JSON {
  /// The value in a message for people.
  var shortened: String {
    let text = description
    return text.count <= 300 ? text : text.prefix(300) + "…"
  }
}
