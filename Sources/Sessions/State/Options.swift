internal import CEL
internal import Forms
internal import JSON

/// What a field's value can be chosen from, as a formula gave it.
final class Options: Sendable {
  /// As the document has them: a list of `{value, label}`; nil where the formula went wrong.
  let json: JSON?
  private let values: Set<JSON>

  private init(_ json: JSON?, _ values: Set<JSON>) {
    self.json = json
    self.values = values
  }

  /// What a formula that went wrong lets choose: nothing, and no list is told.
  static let faulted = Options(nil, [])

  /// The options of a list: of values, or of maps with `value` and `label`. What is absent is left out. Nil for what is no list, and for a
  /// list in which nothing has a value.
  convenience init?(_ value: Value) {
    guard case .array(let elements)? = value.json else { return nil }
    var values: Set<JSON> = []
    let options = elements.compactMap { element -> JSON? in
      let option = Self.option(of: element)
      guard let value = option?["value"], values.insert(value).inserted else { return nil }
      return option
    }
    if options.isEmpty, elements.contains(where: { !$0.isNull }) { return nil }
    self.init(.array(options), values)
  }

  /// What they count for in ``Session/computedBytes``.
  var bytes: Int { 2 * json.bytes }

  /// An option as the document has it; nil for what is absent, and for a map without a value.
  private static func option(of element: JSON) -> JSON? {
    let (value, label): (JSON?, JSON?) =
      if case .object(let members) = element { (members["value"], members["label"]) } else { (element, nil) }
    guard let value = value?.withoutNullMembers, !value.isNull else { return nil }
    let text = label.flatMap { $0.isNull ? nil : $0 } ?? value
    return ["value": value, "label": .string(text.labelText)]
  }

  /// Whether a value can be chosen; of a list, each of its elements.
  func admit(_ value: JSON) -> Bool {
    if values.contains(value) { return true }
    if case .array(let elements) = value, json != nil { return elements.allSatisfy(values.contains) }
    return false
  }
}

extension JSON {
  /// A text as it is, anything else as JSON.
  fileprivate var labelText: String { stringValue ?? description }
}

extension Instance {
  /// Whether a lookup is loading that the options of a field come from.
  func loadsOptions(of field: Int) -> Bool {
    form.fields[field].lookups.contains { lookup($0)?.isLoading ?? false }
  }

  /// Whether the options of a field are what they should be: no lookup that they come from is loading, or has failed.
  func knowsOptions(of field: Int) -> Bool {
    form.fields[field].lookups.allSatisfy { lookup($0)?.isReliable ?? true }
  }

  /// What the value of a field can be chosen from; nil where anything can.
  func options(of field: Int) -> Options? {
    guard let computed = form.fields[field].computedOptions else { return nil }
    return computed.template == template ? own?.options[field] : session.own?.options[field]
  }

  /// Whether a field's value can be chosen. One that the schema refuses is not asked about, nor is a null that it admits.
  func isOffered(_ field: Int) -> Bool {
    let state = fields + field
    guard let options = options(of: field), !state.pointee.flags.contains(.readsAsAbsent),
      state.pointee.schemaErrors.isEmpty, let value = value(of: field, .shown), !value.isNull
    else { return true }
    return options.admit(value)
  }

  /// What the document has as the `options` of a field: its own, or of a list, by address, those that all rows have.
  func documentOptions(of field: Int) -> JSON? {
    guard let shared = form.sharedOptions[field] else { return own?.options[field]?.json }
    let members = shared.compactMap { field in
      own?.options[field]?.json.map { JSONObject.Member(name: form.fields[field].address, value: $0) }
    }
    return members.isEmpty ? nil : .object(JSONObject(uncheckedMembers: members))
  }
}
