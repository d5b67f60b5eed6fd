internal import CEL
internal import Forms
internal import JSON

/// What a field's value can be chosen from, as a formula gave it.
final class Options: Sendable {
  /// As the document has them: a list of `{value, label}`.
  let json: JSON
  private let values: Set<JSON>
  /// What they count for in ``Session/computedBytes``.
  let bytes: Int

  /// The options of a list: of values, or of maps with `value` and `label`. What is absent is left out. Nil for what is no list.
  init?(_ value: Value) {
    guard case .array(let elements)? = value.json else { return nil }
    var values: Set<JSON> = []
    json = .array(
      elements.compactMap { element in
        let option = Self.option(of: element)
        guard let value = option?["value"], values.insert(value).inserted else { return nil }
        return option
      }
    )
    self.values = values
    bytes = 2 * json.approximateBytes
  }

  /// An option as the document has it; nil for what is absent, and for a map without a value.
  private static func option(of element: JSON) -> JSON? {
    let (value, label) =
      if case .object(let members) = element { (members["value"], members["label"]) } else {
        (element, nil) as (JSON?, JSON?)
      }
    guard let value = value?.withoutNullMembers, !value.isNull else { return nil }
    return ["value": value, "label": .string((label ?? value).labelText)]
  }

  /// Whether a value can be chosen; of a list, each of its elements.
  func admit(_ value: JSON) -> Bool {
    if values.contains(value) { return true }
    if case .array(let elements) = value { return elements.allSatisfy(values.contains) }
    return false
  }
}

extension JSON {
  /// A text as it is, anything else as JSON.
  fileprivate var labelText: String { stringValue ?? description }
}

extension Instance {
  /// What the value of a field can be chosen from; nil where anything can.
  func options(of field: Int) -> Options? {
    guard let computed = form.fields[field].computedOptions else { return nil }
    return computed.template == template ? own?.options[field] : session.own?.options[field]
  }

  /// What the document has as the `options` of a field: its own, or of a list, by address, those that all rows have.
  func documentOptions(of field: Int) -> JSON? {
    guard let shared = form.sharedOptions[field] else { return own?.options[field]?.json }
    let members = shared.compactMap { field in
      own?.options[field].map { JSONObject.Member(name: form.fields[field].address, value: $0.json) }
    }
    return members.isEmpty ? nil : .object(JSONObject(uncheckedMembers: members))
  }
}
