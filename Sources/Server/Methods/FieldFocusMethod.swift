internal import FormProtocol
internal import JSONRPC
internal import Sessions

/// ``Method/fieldFocus``
enum FieldFocusMethod: ServedMethod {
  static func serve(_ params: FieldFocusParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    let field = try session.session.form.field(ofField: params.field)
    call.answer(InputAnswer(revision: session.apply(.focus(field: field), cause: .fieldFocus).revision))
  }
}
