internal import Budgets
public import Forms
public import JSON
internal import Texts

/// Addresses in a session: the form's addresses, with a position or an identity for each row on the way.
extension Session {
  /// Resolves an address: to a field of the form or of a row, or to a value inside a field's value.
  ///
  /// - Throws: the reason why the address is not valid. Only the field's value shows whether it has such a part.
  public func resolve(_ address: String) throws(AddressError) -> ResolvedAddress {
    if !form.hasRows { return try form.resolve(address) }
    // A name is a field at the top.
    if address.utf8.first != UInt8(ascii: "/"), let field = form.field(at: address) {
      return ResolvedAddress(field: field, rest: [])
    }
    guard let pointer = JSONPointer(address: address) else { throw .notAPointer }
    let (_, target) = try walk(pointer.tokens, below: nil) { list, token, isLast throws(AddressError) in
      // Behind the last row. It is valid only at the end of an address.
      if token == "-", !isLast { throw .noPosition }
      return token == "-" ? nil : try list.row(at: token)
    }
    try form.checkIsAdmitted(target)
    return target
  }

  /// The instance that contains a field: the session itself, or a row. Nil if the row is gone.
  func instance(of row: Int) -> Instance? { row == 0 ? self : extras?.rows[row] }

  /// How many rows there are, in all lists.
  public var rowCount: Int { extras?.rows.count ?? 0 }

  /// The rows of a list, by identity, in order.
  public func rows(of target: ResolvedAddress) -> [Int] {
    guard let field = target.field, let instance = instance(of: target.row), instance.isList(field) else { return [] }
    return instance.list(of: field).rows.map(\.id)
  }

  /// The values of a list's rows, in order.
  package func values(of target: ResolvedAddress) -> [JSON] {
    guard let field = target.field, let instance = instance(of: target.row), instance.isList(field) else { return [] }
    return instance.list(of: field).rows.map { instance.value(of: $0, .all) }
  }

  /// A value as an element of a list keeps it, after `normalize` and `coerce`. Nil when the value is empty, or when the
  /// field is not a list with rows.
  package func normalized(_ value: JSON, asElementOf target: ResolvedAddress) -> JSON? {
    guard let element = target.field.flatMap({ form.fields[$0].element }) else { return nil }
    var budget = WorkBudget(units: Engine.turnBudget)
    return form.fields[element].normalized(value, conventions, budget: &budget)
  }

  /// The value of the field. Nil when it is absent, or when the row is gone. Secret values are included: for tests.
  package func value(of target: ResolvedAddress) -> JSON? {
    target.field.flatMap { instance(of: target.row)?.value(of: $0) }
  }

  /// Whether an address names a computed field, which takes no input, or a part of its value.
  public func isComputed(_ target: ResolvedAddress) -> Bool { target.field.map { form.fields[$0].isComputed } ?? false }

  /// Whether an address names a field that only programs may change, or a part of its value.
  public func isReadOnly(_ target: ResolvedAddress) -> Bool { target.field.map { form.fields[$0].isReadOnly } ?? false }

  /// Whether an address names a row as a whole.
  public func isRow(_ target: ResolvedAddress) -> Bool {
    target.rest.isEmpty && target.field.map { form.fields[$0].list != nil } ?? false
  }

  /// The list that a row is in; nil if the session has no such row.
  public func list(of row: Int) -> ResolvedAddress? {
    (extras?.rows[row]).map { ResolvedAddress(row: $0.list.owner.rowID, field: $0.list.field, rest: []) }
  }

  /// The address of a field, with the identities of the rows that contain it, and with the path inside its value.
  public func address(of target: ResolvedAddress) -> String {
    guard let field = target.field, let instance = instance(of: target.row) else {
      return JSONPointer(tokens: target.rest).address
    }
    let address = instance.address(of: field)
    if target.rest.isEmpty { return address }
    return JSONPointer(tokens: (JSONPointer(address: address)?.tokens ?? [address]) + target.rest).address
  }

  /// Whether rows of those values can be put into a list: the target is a list, and no value is too deep.
  public func mayInsert(_ values: [JSON?], into target: ResolvedAddress) -> Bool {
    guard let field = target.field, let instance = instance(of: target.row) else { return false }
    return instance.isReachable(field) && !instance.isNoObject(field)
      && values.allSatisfy { !FieldChange(field: field, path: ["-"], value: $0).isTooDeep }
  }

  /// Whether a field is a list with rows.
  public func isList(_ target: ResolvedAddress) -> Bool {
    target.rest.isEmpty && target.field.map { form.fields[$0].element != nil } ?? false
  }
}

extension RowList {
  /// The row at a position, or of an identity: `0`, `#7`.
  func row(at token: String) throws(AddressError) -> Row {
    guard token.utf8.first == UInt8(ascii: "#") else {
      guard let position = JSONPointer.arrayIndex(token) else { throw .unknown }
      guard position < rows.count else { throw .noPosition }
      return rows[position]
    }
    guard let id = JSONPointer.arrayIndex(String(token.dropFirst())), let table = owner.session.extras?.rows,
      table.hasBeen(id)
    else { throw .unknown }
    guard let row = table[id] else { throw .removed }
    guard row.list === self else { throw .moved }
    return row
  }
}

extension Instance {
  /// The deepest field on a path that begins at a field's members, or at the top level, and the rest of the path.
  /// Positions are those among the rows that count, as the schema does.
  ///
  /// - Returns: the instance that has the field, and the address.
  func resolveDeepest(on path: [String], below field: Int?) -> (instance: Instance, target: ResolvedAddress) {
    walk(path, below: field) { list, token, _ in JSONPointer.arrayIndex(token).flatMap(list.countedRow) }
  }

  /// Walks inwards from a field, or from the top level, as long as there are fields.
  ///
  /// - Parameter row: finds the row for a name on the path. It also gets whether the name is the last one. If it
  ///   returns nil, the path ends before the row.
  /// - Returns: the instance that has the field, and the address.
  func walk<Failure: Error>(
    _ path: [String],
    below field: Int?,
    _ row: (RowList, String, Bool) throws(Failure) -> Row?
  ) throws(Failure) -> (instance: Instance, target: ResolvedAddress) {
    var instance: Instance = self
    var field = field
    var rest = path[...]
    while let token = rest.first {
      if let list = field, instance.isList(list) {
        guard let next = try row(instance.list(of: list), token, rest.count == 1) else { break }
        instance = next
        field = next.element
      } else if let next = form.field(named: token, in: field) {
        field = next
      } else {
        break
      }
      rest.removeFirst()
    }
    return (instance, ResolvedAddress(row: instance.rowID, field: field, rest: Array(rest)))
  }

  /// The identity of the row, or 0 for the form.
  var rowID: Int { row?.id ?? 0 }

  /// The address of a field, with the identities of the rows that contain it.
  func address(of field: Int) -> String {
    template == 0 ? form.fields[field].address : JSONPointer(tokens: path(of: field)).address
  }

  /// The address of one of its lookups. A row's lookup has the row's identity in its address.
  func address(ofLookup lookup: Int) -> String {
    guard let row else { return form.lookups[lookup].address }
    return JSONPointer(tokens: path(of: row.element) + [form.lookups[lookup].name]).address
  }

  /// The names in its address.
  private func path(of field: Int) -> [String] {
    let own = form.fields[field].path
    guard let row else { return own }
    return row.list.owner.path(of: row.list.field) + ["#\(row.id)"]
      + own.dropFirst(form.fields[row.element].path.count)
  }
}
