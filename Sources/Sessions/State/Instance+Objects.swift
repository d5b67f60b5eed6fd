internal import Forms
internal import JSON

/// Values of fields with fields below them: put together, and taken apart.
extension Instance {
  /// The purpose for which a value is put together.
  enum ValueView {
    /// Everything.
    case all
    /// The values that inputs have given, without the values that formulas give.
    case given
    /// Without secrets.
    case told
    /// The values that are shown: for formulas.
    case shown
    /// The values that are shown, without secrets.
    case shownAndTold
    /// The shown values as the schema reads them, and as requests send them: a required object exists, if only as an
    /// empty one.
    case judged
  }

  /// A field's value with the values of the fields below it. It is nil when absent.
  func value(of field: Int, _ view: ValueView) -> JSON? {
    let entry = tables.pointee.fields.at(field)
    let state = fields.at(field)
    switch view {
    case .all: break
    case .given: if state.pointee.flags.contains(.follows) { return nil }
    case .told: if form.fields[field].isSecret { return nil }
    case .shownAndTold:
      if form.fields[field].isSecret || !state.pointee.flags.contains(.isVisible) { return nil }
    case .shown, .judged: if !state.pointee.flags.contains(.isVisible) { return nil }
    }
    guard entry.hasFieldsBelow else { return state.pointee.value }
    if entry.pointee.list >= 0 { return value(ofList: field, view) }
    let others: JSONObject?
    switch state.pointee.value {
    case nil: others = nil
    case .object(let members)?: others = members
    case let other?: return other
    }
    // A required member of an absent object does not create the object.
    if view == .judged && !state.pointee.flags.contains(.isJudged) { return nil }
    let members = members(of: field, others, view)
    return members.isEmpty && others == nil && view != .judged ? nil : .object(members)
  }

  /// The value of a list: the values of its rows. An empty row keeps its position. If only
  /// shown values count, hidden rows and ignored rows have none.
  private func value(ofList field: Int, _ view: ValueView) -> JSON? {
    let list = list(of: field)
    guard case .array? = fields[field].value else {
      return fields[field].value ?? (view == .judged && fields[field].flags.contains(.isJudged) ? [] : nil)
    }
    if view == .told || view == .shownAndTold, form.fields[list.element].isSecret { return nil }
    let countsAll = view == .all || view == .given || view == .told
    let rows = countsAll ? list.rows : list.countedRows
    return .array(rows.map { value(of: $0, view) })
  }

  /// Whether a field is a list with rows that must be present and is absent: it is judged as an empty list.
  func isJudgedAsEmptyList(_ field: Int) -> Bool { isList(field) && fields[field].flags.contains(.isJudged) }

  /// The fields right below a field, or of the top level, as members of an object, with the other members behind them.
  func members(of field: Int?, _ others: JSONObject?, _ view: ValueView) -> JSONObject {
    var members: [JSONObject.Member] = []
    for child in form.children(of: field) {
      if let value = value(of: child, view) {
        members.append(JSONObject.Member(name: form.fields[child].name, value: value))
      }
    }
    for other in others ?? [:] { members.append(other) }
    return JSONObject(uncheckedMembers: members)
  }

  /// The value that an object-level keyword reads: an object, or a list. If the keyword only asks which values exist,
  /// they are null.
  func value(readBy keyword: ObjectKeyword) -> JSON {
    guard let field = form.units[keyword.unit].field, isList(field) else { return .object(values(readBy: keyword)) }
    return value(of: field, .judged) ?? []
  }

  /// The rows that a keyword counts, or nil if it reads something else.
  func rowsCounted(by keyword: ObjectKeyword) -> RowList? {
    guard keyword.readsPresenceAlone, let field = form.units[keyword.unit].field, isList(field) else { return nil }
    return list(of: field)
  }

  private func values(readBy keyword: ObjectKeyword) -> JSONObject {
    var members: [JSONObject.Member] = []
    members.reserveCapacity(keyword.fields.count)
    for field in keyword.fields {
      if keyword.readsPresenceAlone {
        let isThere = !fields[field].flags.isDisjoint(with: .isJudged) || !fields[field].flags.contains(.isEmpty)
        if isThere { members.append(JSONObject.Member(name: form.fields[field].name, value: .null)) }
      } else if let value = value(of: field, .judged) {
        members.append(JSONObject.Member(name: form.fields[field].name, value: value))
      }
    }
    guard keyword.readsOtherMembers else { return JSONObject(uncheckedMembers: members) }
    let others =
      form.units[keyword.unit].field.map { fields[$0].value?.objectValue } ?? session.extras?.otherMembers.now
    for other in others ?? [:] { members.append(other) }
    return JSONObject(uncheckedMembers: members)
  }

  /// The part of a field's value that is not in the fields below it: see ``FieldState/value``. An object that only
  /// these fields create has no such part, and goes with the last field.
  ///
  /// - Parameter hasMembers: whether one of the fields right below has a value of its own in it.
  func ownPart(of value: JSON?, for field: Int, hasMembers: Bool) -> JSON? {
    switch value {
    case nil: return nil
    case .null?: return form.fields[field].admitsNull ? .null : nil
    case .string(let text)? where text.isEmpty: return nil
    case .object(let members)?:
      let others = members.filter { form.field(named: members[$0].name, in: field) == nil }
      return others.isEmpty && hasMembers ? nil : .object(others)
    case let other?: return other
    }
  }

  /// Whether a field right below has a value that an input has given.
  func hasMembers(_ field: Int) -> Bool { form.children(of: field).contains { hasValue($0) } }

  /// Whether a field has a value that an input has given, shown or not.
  func hasValue(_ field: Int) -> Bool {
    fields[field].value != nil && !fields[field].flags.contains(.follows)
      || tables.pointee.fields.at(field).hasFieldsBelow && hasMembers(field)
  }

  /// Whether everything around a field can have members: each is an object or a list, and not null.
  func isInsideOfObjects(_ field: Int) -> Bool {
    LiveField(field, in: self).allAround.allSatisfy { live in
      !live.instance.isNoObject(live.field) && live.state.pointee.value != .null
    }
  }

  /// Whether an input has removed an object around a field.
  func isInsideRemoved(_ field: Int) -> Bool {
    LiveField(field, in: self).allAround.contains { $0.state.pointee.flags.contains(.isRemoved) }
  }

  /// Whether the value of a field with fields below it is not an object. For a list with rows, it is whether the value
  /// is not a list. Then no field below it can have a value.
  @inline(__always)
  func isNoObject(_ field: Int) -> Bool {
    switch fields[field].value {
    case nil, .null?: false
    case .object?: isList(field)
    case .array?: !isList(field)
    default: true
    }
  }
}

extension JSON? {
  /// Whether it is null or an object without members.
  var isNullOrEmpty: Bool {
    switch self {
    case .null?: true
    case .object(let members)?: members.isEmpty
    default: false
    }
  }
}

extension JSONObject {
  /// The members at the positions that are wanted.
  func filter(_ isWanted: (_ position: Int) -> Bool) -> JSONObject {
    JSONObject(uncheckedMembers: indices.lazy.filter(isWanted).map { self[$0] })
  }
}
