internal import Budgets
internal import Formats
internal import Forms
internal import JSON
internal import JSONSchema
internal import LocaleFormats
internal import Texts

/// Migrates a snapshot to a form that has changed since.
///
/// The values of the snapshot are put together as one value, and taken apart by the fields of the current form. A
/// former text may be a list with rows today. A field that still exists keeps its state, also under another name. A
/// value without a field stays if its object admits other members, and is set aside otherwise (``SetAsideValues``).
/// Answers of checks and lookups are dropped, because they ask again. The context loses the members that the current
/// form does not describe, or whose values it does not admit.
extension ReadSnapshot {
  /// Makes it a snapshot of that form.
  ///
  /// - Returns: the addresses of the values that were set aside now.
  mutating func migrate(to form: Form) -> [String] {
    rename(for: form)
    var setAside = SetAsideValues(others["setAside"])
    setAside.giveBack(to: &self, for: form)
    let old = self
    var migration = Migration(of: self, to: form)
    migration.migrate()
    self = migration.kept
    let lost = setAside.collect(from: old, missingIn: self, of: form)
    var others = others.objectValue ?? [:]
    others["setAside"] = setAside.json
    self.others = .object(others)
    return lost
  }
}

private struct Migration {
  private let form: Form
  private let old: ReadSnapshot
  private(set) var kept: ReadSnapshot
  private var lastRow: Int
  private var budget = WorkBudget(units: Engine.turnBudget)
  /// How the session's user writes numbers and dates.
  private let conventions: LocaleConventions

  init(of old: ReadSnapshot, to form: Form) {
    self.form = form
    conventions = .first(of: old.opening["locale"]?.stringValue, form.locale)
    self.old = old
    kept = old
    lastRow = old.rows.keys.reduce(old.number("lastRow")) { max($0, $1) }
  }

  mutating func migrate() {
    kept.rows = [:]
    kept.watched = [:]
    kept.edits = []
    kept.context =
      old.context["now"]?.objectValue.flatMap { form.context?.admitted($0) }.map { ["now": .object($0)] } ?? [:]
    // Other top-level values count if a field has no value of its own.
    var whole = old.others["now"]?.objectValue ?? [:]
    if case .object(let members)? = old.value(of: old.form, below: []) {
      for member in members { whole[member.name] = member.value }
    }
    var instance = ReadInstance()
    for field in form.children(of: nil) {
      migrate(field, given: whole[form.fields[field].name].map { .some($0) }, old.form, into: &instance)
    }
    instance.checks = wanted(of: old.form, form.templates[0].checks)
    kept.form = instance
    var others = JSONObject()
    others["now"] = top(whole, old.others["now"])
    others["initial"] = top(old.others["initial"]?.objectValue ?? [:], old.others["initial"])
    kept.others = .object(others)
    var head = kept.head.objectValue ?? [:]
    head["lastRow"] = .integer(Int64(lastRow))
    head["revision"] = .integer(Int64(old.number("revision") + 1))
    kept.head = .object(head)
  }

  /// The top-level members that are not fields, or nil if there are none.
  private func top(_ members: JSONObject, _ before: JSON?) -> JSON? {
    let others = others(members, of: nil, before)
    return others.isEmpty ? nil : .object(others)
  }

  /// The members of an object that are not fields. A member that was not a field before stays, so that the schema
  /// judges it. A former field stays if the object admits such a member.
  ///
  /// - Parameter before: the members that are not fields in the snapshot.
  private func others(_ members: JSONObject, of field: Int?, _ before: JSON?) -> JSONObject {
    let unit = form.units[field.map { form.fields[$0].unit ?? 0 } ?? 0]
    var others = JSONObject()
    for member in members where form.field(named: member.name, in: field) == nil {
      if before?[member.name] != nil || unit.others.admits(member.name) { others[member.name] = member.value }
    }
    return others
  }

  /// The checks that taps have asked for, or that have asked. Their answers may have another meaning now.
  private func wanted(of old: ReadInstance, _ checks: Range<Int>) -> [UTF8Key: JSON] {
    var wanted: [UTF8Key: JSON] = [:]
    for check in checks {
      let id = UTF8Key(text: form.checks[check].id)
      let kept = JSONObject(
        ["isWanted", "isAsked"].compactMap { old.checks[id]?[$0] == true ? ($0, true as JSON) : nil }
      )
      if !kept.isEmpty { wanted[id] = .object(kept) }
    }
    return wanted
  }

  // MARK: Fields

  /// - Parameters:
  ///   - given: the field's value in the snapshot, or nil if the snapshot does not have the field.
  ///   - old: the instance in the snapshot.
  private mutating func migrate(_ number: Int, given: JSON??, _ old: ReadInstance, into instance: inout ReadInstance) {
    let field = form.fields[number]
    let before = old[field]?.objectValue
    // A field that is in the snapshot without a value has no value. Of an emptied list, the snapshot may have only the
    // rows that the list began with.
    let isKnown = before != nil || old.lists[UTF8Key(text: field.address)] != nil
    let given = given ?? (isKnown ? .some(nil) : nil)
    var state = before ?? [:]
    state["value"] =
      if field.mayFollow {
        field.isComputed ? nil : field.normalized(given ?? nil, conventions, budget: &budget)
      } else if field.unit == nil {
        field.normalized(given ?? field.initial, conventions, budget: &budget)
      } else if field.element != nil {
        migrate(list: number, given, old, into: &instance)
      } else {
        migrate(members: number, given, old, into: &instance)
      }
    let list = instance.lists[UTF8Key(text: field.address)]
    setBeginning(of: number, before, hasRows: list?.initial.isEmpty == false, &state)
    if field.mayFollow, !field.isComputed, state["value"] != nil {
      // A given value stays, and does not follow a suggestion.
      state["flags"] = .integer((state["flags"]?.integerValue ?? 0) | Int64(FieldFlags.follows.rawValue))
    }
    if !state.isEmpty { instance.fields[UTF8Key(text: field.address)] = .object(state) }
  }

  /// The value that a reset restores. If the snapshot has it, it is kept. Otherwise an unchanged field takes its
  /// current value, and any other field takes the form's initial value.
  ///
  /// - Parameter hasRows: whether it is a list that began with rows.
  private func setBeginning(of number: Int, _ before: JSONObject?, hasRows: Bool, _ state: inout JSONObject) {
    let field = form.fields[number]
    let name = PartWriter.initialName(of: field).description
    // The initial value of another kind of field does not apply to this one.
    let others = ["initial", "initialObject", "initialList"].filter { $0 != name && before?[$0] != nil }
    for other in others { state[other] = nil }
    guard others.isEmpty else { return }
    guard field.unit == nil else {
      if let initial = before?[name]?.arrayValue {
        state[name] = .array(beginning(of: number, initial.first))
      } else if hasRows {
        // The rows may be of a default that the form has no more.
        state[name] = [[]]
      }
      return
    }
    guard field.template == 0, !field.mayFollow, let before else { return }
    let flags = FieldFlags(rawValue: UInt32(truncatingIfNeeded: before["flags"]?.integerValue ?? 0))
    if before[name] == nil, !flags.contains(.isDirty) {
      state[name] = .array(state["value"].map { [$0] } ?? [])
    }
  }

  /// The initial value of an object or a list without its inner fields, or its initial value that was not an object or
  /// a list.
  private func beginning(of field: Int, _ before: JSON?) -> [JSON] {
    switch before {
    case nil: []
    case .object(let members)? where form.fields[field].element == nil: [.object(others(members, of: field, before))]
    case .some(let value): [value]
    }
  }

  private mutating func migrate(
    members field: Int,
    _ given: JSON??,
    _ old: ReadInstance,
    into instance: inout ReadInstance
  ) -> JSON? {
    var members: JSONObject?
    var isObject = true
    switch given {
    case nil, .some(nil), .some(.null?): break
    case .some(.string(let text)?) where text.isEmpty: break
    case .some(.object(let found)?): members = found
    default: isObject = false
    }
    var hasMembers = false
    for child in form.children(of: field) {
      let inner: JSON?? =
        switch given {
        case nil: nil
        case .some(.object): members?[form.fields[child].name].map { .some($0) }
        default: .some(nil)
        }
      let before = instance.fields.count
      migrate(child, given: inner, old, into: &instance)
      if instance.fields.count > before, hasValue(child, in: instance) { hasMembers = true }
    }
    guard let given else { return form.fields[field].ownInitial }
    guard isObject else { return given }
    guard let members else { return given == .null && form.fields[field].admitsNull && !hasMembers ? .null : nil }
    let others = others(members, of: field, old[form.fields[field]]?["value"])
    return others.isEmpty && hasMembers ? nil : .object(others)
  }

  /// Whether a value was found for a field or for one below it.
  private func hasValue(_ field: Int, in instance: ReadInstance) -> Bool {
    (field..<form.fields[field].end).contains { instance[form.fields[$0]]?["value"] != nil }
  }

  // MARK: Rows

  /// The rows keep their identities if there was a list with rows. Otherwise they are new.
  private mutating func migrate(
    list field: Int,
    _ given: JSON??,
    _ old: ReadInstance,
    into instance: inout ReadInstance
  ) -> JSON? {
    guard let element = form.fields[field].element else { return given ?? nil }
    let key = UTF8Key(text: form.fields[field].address)
    let before = old.lists[key]
    var list = ReadList()
    list.initial = before?.initial ?? []
    instance.lists[key] = list
    let whole = given ?? form.fields[field].initial
    guard case .array(let elements)? = whole else {
      if case .string(let text)? = whole, text.isEmpty { return nil }
      return whole == .null && !form.fields[field].admitsNull ? nil : whole
    }
    let ids = before.map { $0.rows.filter { kept.rows[$0] == nil } } ?? []
    for (position, value) in elements.enumerated() {
      let isOld = position < ids.count
      if !isOld { lastRow += 1 }
      let id = isOld ? ids[position] : lastRow
      let oldRow = isOld ? self.old.rows[id] ?? ReadInstance() : ReadInstance()
      var row = ReadInstance()
      // The entry shows that the row exists, whatever its content is.
      kept.rows[id] = row
      // An emptied row is null in the list.
      let given = isOld ? self.old.value(of: oldRow, below: form.fields[element].path) : value
      migrate(element, given: .some(given), oldRow, into: &row)
      row.checks = wanted(of: oldRow, form.templates[form.fields[element].template].checks)
      kept.rows[id] = row
      list.rows.append(id)
    }
    if given == nil {
      // The list is new, and begins with the rows of its default.
      list.initial = list.rows.map { id in
        let value = kept.value(of: kept.rows[id] ?? ReadInstance(), below: form.fields[element].path)
        return (id, value ?? (form.fields[element].type == .string ? "" : .null))
      }
    }
    instance.lists[key] = list
    return []
  }
}

extension ReadSnapshot {
  /// The values of an instance put together, or nil when there are none.
  ///
  /// - Parameter path: the path of the instance. It is empty for the form. For a row it is the address of its list, and
  ///   `*`.
  func value(of instance: ReadInstance, below path: [String], withSecrets: Bool = true) -> JSON? {
    var parts: [(path: [String], value: JSON)] = []
    for (address, state) in instance.fields {
      if !withSecrets, state[PartWriter.secretName.description] == true { continue }
      guard let value = state["value"], let tokens = JSONPointer(address: address.text)?.tokens,
        tokens.starts(with: path)
      else { continue }
      parts.append((Array(tokens[path.count...]), value))
    }
    for (address, list) in instance.lists where !list.rows.isEmpty {
      guard let tokens = JSONPointer(address: address.text)?.tokens, tokens.starts(with: path) else { continue }
      let rows = list.rows.map {
        value(of: self.rows[$0] ?? ReadInstance(), below: tokens + ["*"], withSecrets: withSecrets) ?? .null
      }
      parts.append((Array(tokens[path.count...]), .array(rows)))
    }
    var whole: JSON?
    // The value around a value comes before it, and the rows of a list come after the list.
    for (path, value) in parts.sorted(by: { $0.path.count < $1.path.count }) { whole.put(value, at: path[...]) }
    return whole
  }
}

extension JSON? {
  /// Puts a value into objects, which are made if they are missing. If another kind of value is in the way, nothing
  /// happens.
  fileprivate mutating func put(_ value: JSON, at path: ArraySlice<String>) {
    guard let name = path.first else {
      if self == nil || !(value.arrayValue ?? [.null]).isEmpty { self = value }
      return
    }
    var members: JSONObject
    switch self {
    case nil, .null?: members = [:]
    case .object(let found)?: members = found
    default: return
    }
    var inner = members[name]
    inner.put(value, at: path.dropFirst())
    members[name] = inner
    self = .object(members)
  }
}
