internal import FormProtocol
internal import JSONRPC
internal import SessionCalls
internal import Sessions

/// ``Method/fieldBlur``
enum FieldBlurMethod: ServedMethod {
  static func serve(_ params: FieldBlurParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    let input = try params.input(for: session.session)
    let turn = try call.apply(input, to: session, cause: .fieldBlur)
    call.answer(InputAnswer(revision: turn.revision), of: session)
  }
}
