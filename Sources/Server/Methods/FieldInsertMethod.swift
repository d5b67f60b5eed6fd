internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import Sessions

/// ``Method/fieldInsert``
enum FieldInsertMethod: ServedMethod {
  static func serve(_ params: FieldInsertParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    let place = try session.session.place(ofField: params.field)
    guard let list = place.field, session.session.isList(place) else {
      throw .noRow("/field", "the address of a list with rows")
    }
    let position = try position(params.at, in: place, session.session)
    let values = params.values.map { $0.map { JSON?.some($0) } } ?? [params.value]
    let input = Input.insert(list: list, row: place.row, at: position, values)
    guard session.session.mayInsert(values, into: place) else {
      throw .noRow("/field", "a list that is one, and rows that are not too deep")
    }
    try call.connection.sessions.admit(input, to: session)
    let turn = session.apply(input, cause: .fieldInsert)
    let rows = turn.rows.map { Int64($0) }
    call.answer(
      params.values == nil
        ? InsertAnswer(revision: turn.revision, row: rows[0]) : InsertAnswer(revision: turn.revision, rows: rows)
    )
  }

  /// Before which row the new ones come.
  private static func position(
    _ reference: RowReference?,
    in list: FieldPlace,
    _ session: Session
  ) throws(RPCError) -> Int {
    let rows = session.rows(of: list)
    switch reference {
    case nil: return rows.count
    case .position(let position)?:
      guard position <= rows.count else { throw .noRow("/at", "a position from 0 to \(rows.count)") }
      return position
    case .identity(let row)?:
      return try session.position(ofRow: Int(clamping: row), in: list, at: "/at")
    }
  }
}

extension Session {
  /// The position of a row in a list.
  ///
  /// - Throws: 1004 for a row that is not there, with the reason where it was.
  func position(ofRow row: Int, in list: FieldPlace, at path: String) throws(RPCError) -> Int {
    if let position = rows(of: list).firstIndex(of: row) { return position }
    // The address tells what has become of it.
    let address = self.address(of: FieldPlace(row: list.row, field: list.field, rest: ["#\(row)"]))
    _ = try place(ofField: address, at: path)
    throw .unknownField(address, closest: nil)
  }
}
