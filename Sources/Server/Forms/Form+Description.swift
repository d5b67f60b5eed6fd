internal import Forms
internal import JSON

extension Form {
  /// What a client needs to draw the form: the answer to `form/describe`.
  func description(locale wanted: String?) -> JSON {
    let locale = wanted ?? self.locale ?? ""
    func text(_ text: Text?) -> JSON? {
      text.map { .string($0.resolved(for: locale, default: self.locale)) }
    }
    var result = JSONObject()
    result["form"] = .string(name)
    if !locale.isEmpty { result["locale"] = .string(locale) }
    result["title"] = text(title)
    result["fields"] = .array(
      fields.map { field in
        var entry: JSONObject = ["name": .string(field.name), "type": .string(field.type.nameForClients)]
        entry["label"] = text(field.label)
        entry["placeholder"] = text(field.placeholder)
        entry["help"] = text(field.help)
        entry["show"] = .string(field.show.rawValue)
        entry["isSecret"] = .bool(field.isSecret)
        entry["isRequired"] = .bool(field.isRequiredBySchema)
        if !field.options.isEmpty {
          entry["options"] = .array(
            field.options.map { option in
              var choice: JSONObject = ["value": option.value]
              if let title = option.title { choice["title"] = .string(title) }
              return .object(choice)
            }
          )
        }
        if !field.isSecret, let initial = field.initial { entry["initial"] = initial }
        return .object(entry)
      }
    )
    result["actions"] = .array(
      actions.map { action in
        var entry: JSONObject = ["name": .string(action.name)]
        entry["label"] = text(action.label)
        return .object(entry)
      }
    )
    result["outputs"] = .array(outputs.map { .string($0.name) })
    return .object(result)
  }
}

extension FieldType {
  /// A hint for the control to draw; `any` where the schema leaves it open.
  fileprivate var nameForClients: String {
    switch self {
    case .string: "string"
    case .integer: "integer"
    case .number: "number"
    case .bool: "boolean"
    case .dynamic: "any"
    }
  }
}
