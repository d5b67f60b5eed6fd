internal import CEL
internal import Forms
internal import JSON

/// The values that a field can have, as a formula gave them.
final class Options: Sendable {
  /// The options in the document: a list of `{value, label}`. It is nil if the formula went wrong.
  let json: JSON?
  private let values: Set<JSON>

  private init(_ json: JSON?, _ values: Set<JSON>) {
    self.json = json
    self.values = values
  }

  /// The options of a formula that went wrong: no value can be chosen, and the document has no list.
  static let faulted = Options(nil, [])

  /// The options of a list: of values, or of maps with `value` and `label`. Absent elements are left out. It is nil if
  /// the value is not a list, or if no element of the list has a value.
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

  /// Their share of ``Session/computedBytes``.
  var bytes: Int { 2 * json.bytes }

  /// An option as the document has it. It is nil for an absent element, and for a map without a value.
  private static func option(of element: JSON) -> JSON? {
    let (value, label): (JSON?, JSON?) =
      if case .object(let members) = element { (members["value"], members["label"]) } else { (element, nil) }
    guard let value = value?.withoutNullMembers, !value.isNull else { return nil }
    let text = label.flatMap { $0.isNull ? nil : $0 } ?? value
    return ["value": value, "label": .string(text.labelText)]
  }

  /// Whether a value can be chosen. For a list, each of its elements must be an option.
  func admit(_ value: JSON) -> Bool {
    if values.contains(value) { return true }
    if case .array(let elements) = value, json != nil { return elements.allSatisfy(values.contains) }
    return false
  }
}

extension JSON {
  /// A text is unchanged, any other value is JSON.
  fileprivate var labelText: String { stringValue ?? description }
}

extension Instance {
  /// Whether a lookup for the options of a field is loading.
  func loadsOptions(of field: Int) -> Bool {
    form.fields[field].lookups.contains { hasLookup($0) { $0.isLoading } }
  }

  /// Whether the options of a field are current: no lookup for them is loading or has failed.
  func knowsOptions(of field: Int) -> Bool {
    !form.fields[field].lookups.contains { hasLookup($0) { !$0.isReliable } }
  }

  /// Whether a lookup is in a state: the lookup of this instance or of an instance around it, or the lookup of any row
  /// below it that is shown.
  private func hasLookup(_ index: Int, _ isWanted: (LookupState) -> Bool) -> Bool {
    let inner = form.lookups[index].template
    guard tables.pointee.templates[inner].depth > tables.pointee.templates[template].depth else {
      return lookup(index).map(isWanted) ?? false
    }
    var isFound = false
    forEachRow(of: inner) { row in
      if !isFound, row.isShown, let own = row.own { isFound = isWanted(own.lookups[index]) }
    }
    return isFound
  }

  /// The lookup of this instance, of an instance around it or of a row below it, if it is loading.
  func pendingLookup(_ index: Int) -> LookupState? {
    var found: LookupState?
    _ = hasLookup(index) { state in
      if state.isLoading { found = state }
      return state.isLoading
    }
    return found
  }

  /// The values that a field can have, or nil if it can have any value.
  func options(of field: Int) -> Options? {
    guard let computed = form.fields[field].computedOptions else { return nil }
    return computed.template == template ? own?.options[field] : session.own?.options[field]
  }

  /// Whether a field's value can be chosen. The test is skipped for a value that the schema refuses, and for a null
  /// that it admits.
  func isOffered(_ field: Int) -> Bool {
    let state = fields.at(field)
    guard let options = options(of: field), !state.pointee.flags.contains(.readsAsAbsent),
      state.pointee.schemaErrors.isEmpty, let value = value(of: field, .shown), !value.isNull
    else { return true }
    return options.admit(value)
  }

  /// The member `options` of a field in the document. For a field, it is its own options. For a list, it is the options
  /// that all rows share, by address.
  func documentOptions(of field: Int) -> JSON? {
    guard let shared = form.sharedOptions[field] else { return own?.options[field]?.json }
    let members = shared.compactMap { field in
      own?.options[field]?.json.map { JSONObject.Member(name: form.fields[field].address, value: $0) }
    }
    return members.isEmpty ? nil : .object(JSONObject(uncheckedMembers: members))
  }
}
