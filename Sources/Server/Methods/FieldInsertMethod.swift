internal import FormProtocol
internal import JSONRPC
internal import SessionCalls
internal import Sessions

/// ``Method/fieldInsert``
enum FieldInsertMethod: ServedMethod {
  static func serve(_ params: FieldInsertParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    let input = try params.input(for: session.session)
    try session.admit(input)
    let turn = try call.apply(input, to: session, cause: .fieldInsert)
    let rows = turn.rows.map { Int64($0) }
    call.answer(
      params.values == nil
        ? InsertAnswer(revision: turn.revision, row: rows[0]) : InsertAnswer(revision: turn.revision, rows: rows),
      of: session
    )
  }
}
