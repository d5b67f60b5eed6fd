internal import FormProtocol
internal import JSONRPC
internal import Sessions

/// ``Method/fieldFocus``
enum FieldFocusMethod: ServedMethod {
  static func serve(_ params: FieldFocusParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    let (row, field) = try session.session.field(ofField: params.field)
    call.answer(InputAnswer(revision: session.apply(.focus(field: field, row: row), cause: .fieldFocus).revision))
  }
}
