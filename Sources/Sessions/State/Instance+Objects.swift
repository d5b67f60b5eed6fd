internal import Forms
internal import JSON

/// Values of fields with fields below them: put together, and taken apart.
extension Instance {
  /// For whom a value is put together.
  enum ValueView {
    /// Everything.
    case all
    /// What inputs have given: without what formulas give.
    case given
    /// Without secrets.
    case told
    /// What is shown: for formulas.
    case shown
    /// The same for the schema: an object that must have a value is there, if only as an empty one.
    case judged
  }

  /// A field's value with those of the fields below it; nil when absent.
  func value(of field: Int, _ view: ValueView) -> JSON? {
    let row = tables.pointee.fields + field
    let state = fields + field
    switch view {
    case .all: break
    case .given: if state.pointee.flags.contains(.follows) { return nil }
    case .told: if form.fields[field].isSecret { return nil }
    case .shown, .judged: if !state.pointee.flags.contains(.isVisible) { return nil }
    }
    guard row.pointee.group >= 0 else { return state.pointee.value }
    if row.pointee.list >= 0 { return value(ofList: field, view) }
    let others: JSONObject?
    switch state.pointee.value {
    case nil: others = nil
    case .object(let members)?: others = members
    case let other?: return other
    }
    // What must have a value inside of an object that is not there does not make it be there.
    if view == .judged && !state.pointee.flags.contains(.isJudged) { return nil }
    let members = members(of: field, others, view)
    return members.isEmpty && others == nil && view != .judged ? nil : .object(members)
  }

  /// The value of a list: those of its rows. One that is empty keeps its place; one that is hidden has none where only what is shown counts.
  private func value(ofList field: Int, _ view: ValueView) -> JSON? {
    let list = list(of: field)
    guard case .array? = fields[field].value else {
      return fields[field].value ?? (view == .judged && fields[field].flags.contains(.isJudged) ? [] : nil)
    }
    if view == .told, form.fields[list.element].isSecret { return nil }
    let countsHidden = view == .all || view == .given || view == .told
    let rows = countsHidden ? list.rows : list.shownRows
    return .array(rows.map { value(of: $0, view) })
  }

  /// The fields right below a field, or of the top level, as members of an object, and the others behind them.
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

  /// The value that an object-level keyword reads: an object, or a list. Of one that only asks what is there, what is there is null.
  func value(readBy part: SchemaPart) -> JSON {
    guard let field = form.units[part.unit].field, isList(field) else { return .object(values(readBy: part)) }
    return value(of: field, .judged) ?? []
  }

  /// The rows that a keyword counts; nil where it reads something else.
  func rowsCounted(by part: SchemaPart) -> RowList? {
    guard part.readsPresenceAlone, let field = form.units[part.unit].field, isList(field) else { return nil }
    return list(of: field)
  }

  private func values(readBy part: SchemaPart) -> JSONObject {
    var members: [JSONObject.Member] = []
    members.reserveCapacity(part.fields.count)
    for field in part.fields {
      if part.readsPresenceAlone {
        let isThere = !fields[field].flags.isDisjoint(with: .isJudged) || !fields[field].flags.contains(.isAbsent)
        if isThere { members.append(JSONObject.Member(name: form.fields[field].name, value: .null)) }
      } else if let value = value(of: field, .judged) {
        members.append(JSONObject.Member(name: form.fields[field].name, value: value))
      }
    }
    guard part.readsOthers else { return JSONObject(uncheckedMembers: members) }
    let others = form.units[part.unit].field.map { fields[$0].value?.objectValue } ?? session.extras?.others.now
    for other in others ?? [:] { members.append(other) }
    return JSONObject(uncheckedMembers: members)
  }

  /// What a value of a field with fields below it has beside theirs: see ``FieldState/value``. An object that they make has nothing
  /// beside them, and goes with the last of them.
  ///
  /// - Parameter hasMembers: whether one of the fields right below has a value of its own in it.
  func ownPart(of value: JSON?, for field: Int, hasMembers: Bool) -> JSON? {
    switch value {
    case nil: return nil
    case .null?: return form.fields[field].admitsNull ? .null : nil
    case .string(let text)? where text.isEmpty: return nil
    case .object(let members)?:
      let others = members.filter { form.field(named: $0.name, in: field) == nil }
      return others.isEmpty && hasMembers ? nil : .object(others)
    case let other?: return other
    }
  }

  /// Whether a field right below has a value that an input has given.
  func hasMembers(_ field: Int) -> Bool { form.children(of: field).contains { hasValue($0) } }

  /// Whether a field has a value that an input has given, shown or not.
  func hasValue(_ field: Int) -> Bool {
    fields[field].value != nil && !fields[field].flags.contains(.follows)
      || tables.pointee.fields[field].group >= 0 && hasMembers(field)
  }

  /// Whether all that is around a field can have members: neither something else than an object or list, nor null.
  func isInsideOfObjects(_ field: Int) -> Bool {
    var around = Place(field, in: self).around
    while let place = around {
      if place.instance.isNoObject(place.field) || place.state.pointee.value == .null { return false }
      around = place.around
    }
    return true
  }

  /// Whether a field with fields below it holds something that is no object (or, of a list with rows, no list), so that no field below it can
  /// have a value.
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
  /// The members that are wanted.
  fileprivate func filter(_ isWanted: (Member) -> Bool) -> JSONObject {
    JSONObject(uncheckedMembers: Array(self).filter(isWanted))
  }
}
