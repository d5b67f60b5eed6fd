internal import FormProtocol
internal import Forms
internal import JSONRPC
internal import Sessions

/// ``Method/fieldMove``
enum FieldMoveMethod: ServedMethod {
  static func serve(_ params: FieldMoveParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    let (row, list) = try session.session.row(ofField: params.field)
    let rows = session.session.rows(of: list)
    let own = rows.firstIndex(of: row) ?? 0
    let position: Int
    switch params.to {
    case .position(let to):
      guard to < rows.count else { throw .noRow("/to", "a position from 0 to \(rows.count - 1)") }
      position = to
    case .identity(let other):
      let to = try session.session.position(ofRow: Int(clamping: other), in: list, at: "/to")
      // Without the row itself, those behind it stand one place before.
      position = to > own ? to - 1 : to
    }
    call.answer(InputAnswer(revision: session.apply(.move(row: row, to: position), cause: .fieldMove).revision))
  }
}
