internal import FormProtocol
internal import JSONRPC
internal import Sessions

/// ``Method/fieldBlur``
enum FieldBlurMethod: ServedMethod {
  static func serve(_ params: FieldBlurParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    let (row, field) = try session.session.field(ofField: params.field)
    call.answer(InputAnswer(revision: session.apply(.blur(field: field, row: row), cause: .fieldBlur).revision))
  }
}
