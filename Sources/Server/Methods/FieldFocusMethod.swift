internal import FormProtocol
internal import JSONRPC
internal import SessionCalls
internal import Sessions

/// ``Method/fieldFocus``
enum FieldFocusMethod: ServedMethod {
  static func serve(_ params: FieldFocusParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    let input = try params.input(for: session.session)
    let turn = try call.apply(input, to: session, cause: .fieldFocus)
    call.answer(InputAnswer(revision: turn.revision), of: session)
  }
}
