internal import FormProtocol
internal import JSONRPC
internal import Sessions

/// ``Method/fieldFail``
enum FieldFailMethod: ServedMethod {
  static func serve(_ params: FieldFailParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    let (row, field) = try session.session.field(ofField: params.field)
    let input = Input.fail(field: field, row: row, message: params.message)
    try call.connection.sessions.admit(input, to: session)
    call.answer(InputAnswer(revision: session.apply(input, cause: .fieldFail).revision))
  }
}
