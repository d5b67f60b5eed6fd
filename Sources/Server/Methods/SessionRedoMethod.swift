internal import FormProtocol
internal import JSONRPC
internal import SessionCalls
internal import Sessions

/// ``Method/sessionRedo``
enum SessionRedoMethod: ServedMethod {
  static func serve(_ params: SessionRedoParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    let input = try params.input(for: session.session)
    try session.admit(input)
    let turn = try call.apply(input, to: session, cause: .sessionRedo)
    call.answer(InputAnswer(revision: turn.revision), of: session)
  }
}
