internal import CEL
internal import Forms
internal import JSON

/// The values that a field can have, as a formula gave them.
final class Options: Sendable {
  /// The options in the document: a list of `{value, label}`. It is nil if the formula went wrong.
  let json: JSON?
  let values: Set<JSON>
  /// The values that cannot be chosen.
  let disabled: Set<JSON>
  /// Why choices are left out; nil if none is.
  let problem: String?

  private init(_ json: JSON?, _ values: Set<JSON>, disabled: Set<JSON> = [], problem: String? = nil) {
    self.json = json
    self.values = values
    self.disabled = disabled
    self.problem = problem
  }

  /// The options of a formula that went wrong: no value can be chosen, and the document has no list.
  static let faulted = Options(nil, [])

  /// The options of a list: of values, or of maps with `value` and `label`. Absent elements are left out, and so are
  /// maps with a member of a wrong type. It is nil if the value is not a list, or if no element has a value.
  convenience init?(_ value: Value) {
    guard case .array(let elements)? = value.json else { return nil }
    var values: Set<JSON> = []
    var disabled: Set<JSON> = []
    var problem: String?
    let options = elements.compactMap { element -> JSON? in
      if let found = element.objectValue?.choiceProblem {
        problem = problem ?? found
        return nil
      }
      let option = Self.option(of: element)
      guard let value = option?["value"], values.insert(value).inserted else { return nil }
      if option?["disabled"] == true { disabled.insert(value) }
      return option
    }
    let hasNone = options.isEmpty && elements.contains { !$0.isNull }
    if hasNone, problem == nil { return nil }
    self.init(hasNone ? nil : .array(options), values, disabled: disabled, problem: problem)
  }

  /// Their share of ``Session/computedBytes``.
  var bytes: Int { 2 * json.bytes }

  /// An option as the document has it. It is nil for an absent element, and for a map without a value.
  private static func option(of element: JSON) -> JSON? {
    let members = element.objectValue
    let (value, label) = members.map { ($0["value"], $0["label"]) } ?? (element, nil)
    guard let value = value?.withoutNullMembers, !value.isNull else { return nil }
    let text = label.flatMap { $0.isNull ? nil : $0 } ?? value
    var option: JSONObject = ["value": value, "label": .string(text.labelText)]
    for member in members ?? [:] where !["value", "label"].contains(member.name) {
      if let told = member.value.withoutNullMembers, !told.isNull { option[member.name] = told }
    }
    return .object(option)
  }
}

extension JSONObject {
  /// What is wrong with the members of a choice; nil if nothing is.
  fileprivate var choiceProblem: String? {
    let wrong = ChoiceMember.allCases.first { member in
      self[member.rawValue].map { !$0.isNull && !member.admits($0) } ?? false
    }
    return wrong.map { "\($0.requirement); the choice is left out" }
  }
}

extension JSON {
  /// A text is unchanged, any other value is JSON.
  fileprivate var labelText: String { stringValue ?? description }
}

extension Instance {
  func loadsOptions(of field: Int) -> Bool {
    form.fields[field].lookups.contains { hasLookup($0) { $0.isLoading } }
  }

  /// Whether the options of a field are current: no lookup for them is loading or has failed.
  func knowsOptions(of field: Int) -> Bool {
    !form.fields[field].lookups.contains { hasLookup($0) { !$0.isReliable } }
  }

  /// Whether a lookup is in a state: the lookup of this instance or of an instance around it, or the lookup of any row
  /// below it that is shown.
  private func hasLookup(_ number: Int, _ isWanted: (LookupState) -> Bool) -> Bool {
    let inner = form.lookups[number].template
    guard tables.pointee.templates[inner].depth > tables.pointee.templates[template].depth else {
      return lookup(number).map(isWanted) ?? false
    }
    var isFound = false
    forEachRow(of: inner) { row in
      if !isFound, row.isShown, let instanceExtras = row.instanceExtras {
        isFound = isWanted(instanceExtras.lookups[number])
      }
    }
    return isFound
  }

  /// The lookup of this instance, of an instance around it or of a row below it, if it is loading.
  func pendingLookup(_ number: Int) -> LookupState? {
    var found: LookupState?
    _ = hasLookup(number) { state in
      if state.isLoading { found = state }
      return state.isLoading
    }
    return found
  }

  /// The values that a field can have, or nil if it can have any value.
  func options(of field: Int) -> Options? {
    guard let computed = form.fields[field].computedOptions else { return nil }
    return computed.template == template ? instanceExtras?.options[field] : session.instanceExtras?.options[field]
  }

  /// Whether a field's value can be chosen. The test is skipped for a value that the schema refuses, and for a null
  /// that it admits.
  ///
  /// For a list without fields below it, each of its elements must be an option.
  func isOffered(_ field: Int) -> Bool {
    let state = fields.at(field)
    let options = options(of: field)
    let limit = form.fields[field].choiceLimit
    guard options != nil || limit != nil, !state.pointee.flags.contains(.readsAsAbsent),
      state.pointee.schemaErrors.isEmpty, let value = value(of: field, .shown), !value.isNull
    else { return true }
    // While the formula goes wrong, no value can be chosen.
    if let options, options.json == nil { return false }
    let admitsOther = form.fields[field].admitsOther
    func isOffered(_ value: JSON) -> Bool {
      if options?.disabled.contains(value) ?? false || limit?.disabled.contains(value) ?? false {
        return isInitialChoice(value, of: field)
      }
      guard let values = options?.values ?? limit?.values else { return true }
      return values.contains(value) || admitsOther && value.stringValue != nil
    }
    if isOffered(value) { return true }
    guard case .array(let elements) = value else { return false }
    return elements.allSatisfy(isOffered)
  }

  /// Whether a value is the field's initial value, or an element of the list's initial value. A value of a row that was
  /// added is neither.
  private func isInitialChoice(_ value: JSON, of field: Int) -> Bool {
    if let list = row?.list, list.element == field {
      return list.owner.trustsBeginning && list.initial.contains { $0.value == value }
    }
    guard trustsBeginning, let initial = initialValue(of: field) else { return false }
    return initial == value || initial.arrayValue?.contains(value) ?? false
  }

  /// The member `options` of a field in the document. For a field, it is its own options. For a list, it is the options
  /// that all rows share, by address.
  func documentOptions(of field: Int) -> JSON? {
    guard let shared = form.sharedOptions[field] else { return instanceExtras?.options[field]?.json }
    let members = shared.compactMap { field in
      instanceExtras?.options[field]?.json.map { JSONObject.Member(name: form.fields[field].address, value: $0) }
    }
    return members.isEmpty ? nil : .object(JSONObject(uncheckedMembers: members))
  }
}
