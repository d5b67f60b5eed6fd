public import Forms
public import JSON
internal import Texts

/// Addresses of a session's places: the form's addresses, with a position or an identity for each row on the way.
extension Session {
  /// The place at an address: a field of the form or of a row, or a place inside a field's value.
  ///
  /// - Throws: the reason why the address is not valid. Only the value shows whether a place inside it exists.
  public func place(at address: String) throws(AddressFault) -> FieldPlace {
    if !form.hasRows { return try form.place(at: address) }
    guard let pointer = JSONPointer(address: address) else { throw .notAPointer }
    let (_, place) = try walk(pointer.tokens, below: nil) { list, token, isLast throws(AddressFault) in
      // Behind the last row. It is valid only at the end of an address.
      if token == "-", !isLast { throw .noPosition }
      return token == "-" ? nil : try list.row(at: token)
    }
    try form.checkIsAdmitted(place)
    return place
  }

  /// The instance that contains a place: the session itself, or a row. Nil if the row is gone.
  func instance(of row: Int) -> Instance? { row == 0 ? self : extras?.rows[row] }

  /// How many rows there are, in all lists.
  public var rowCount: Int { extras?.rows.count ?? 0 }

  /// The rows of a list, by identity, in order.
  public func rows(of place: FieldPlace) -> [Int] {
    guard let field = place.field, let instance = instance(of: place.row), instance.isList(field) else { return [] }
    return instance.list(of: field).rows.map(\.id)
  }

  /// The value of a place's field. Nil when it is absent, or when the row is gone. Secret values are included: for
  /// tests.
  package func value(of place: FieldPlace) -> JSON? {
    place.field.flatMap { instance(of: place.row)?.value(of: $0) }
  }

  /// Whether a place is a computed field, which takes no input, or is inside the value of one.
  public func isComputed(_ place: FieldPlace) -> Bool { place.field.map { form.fields[$0].isComputed } ?? false }

  /// Whether a place is a row as a whole.
  public func isRow(_ place: FieldPlace) -> Bool {
    place.rest.isEmpty && place.field.map { form.fields[$0].list != nil } ?? false
  }

  /// The list that a row is in.
  public func list(of row: Int) -> FieldPlace? {
    (extras?.rows[row]).map { FieldPlace(row: $0.list.owner.rowID, field: $0.list.field, rest: []) }
  }

  /// The address of a field, with the identities of the rows that contain it, and with the place inside its value.
  public func address(of place: FieldPlace) -> String {
    guard let field = place.field, let instance = instance(of: place.row) else {
      return JSONPointer(tokens: place.rest).address
    }
    let address = instance.address(of: field)
    if place.rest.isEmpty { return address }
    return JSONPointer(tokens: (JSONPointer(address: address)?.tokens ?? [address]) + place.rest).address
  }

  /// Whether rows of those values can be put into a list: the place is a list, and no value is too deep.
  public func mayInsert(_ values: [JSON?], into place: FieldPlace) -> Bool {
    guard let field = place.field, let instance = instance(of: place.row) else { return false }
    return instance.isReachable(field) && !instance.isNoObject(field)
      && values.allSatisfy { !FieldChange(field: field, path: ["-"], value: $0).isTooDeep }
  }

  /// Whether a field is a list with rows.
  public func isList(_ place: FieldPlace) -> Bool {
    place.rest.isEmpty && place.field.map { form.fields[$0].element != nil } ?? false
  }
}

extension RowList {
  /// The row at a position, or of an identity: `0`, `#7`.
  func row(at token: String) throws(AddressFault) -> Row {
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
  /// Positions count the rows that are shown, as the schema does.
  ///
  /// - Returns: the instance that has the field, and the place.
  func deepestPlace(on path: [String], below field: Int?) -> (instance: Instance, place: FieldPlace) {
    walk(path, below: field) { list, token, _ in JSONPointer.arrayIndex(token).flatMap(list.shownRow) }
  }

  /// Walks inwards from a field, or from the top level, as long as there are fields.
  ///
  /// - Parameter row: finds the row for a name on the path. It also gets whether the name is the last one. If it
  ///   returns nil, the path ends before the row.
  /// - Returns: the instance that has the field, and the place.
  func walk<Failure: Error>(
    _ path: [String],
    below field: Int?,
    _ row: (RowList, String, Bool) throws(Failure) -> Row?
  ) throws(Failure) -> (instance: Instance, place: FieldPlace) {
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
    return (instance, FieldPlace(row: instance.rowID, field: field, rest: Array(rest)))
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
