internal import FormProtocol
internal import JSONRPC
internal import SessionCalls
internal import Sessions

/// ``Method/sessionReset``
enum SessionResetMethod: ServedMethod {
  static func serve(_ params: SessionResetParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    try session.admit(params.input)
    let turn = try call.apply(params.input, to: session, cause: .sessionReset)
    call.answer(InputAnswer(revision: turn.revision), of: session)
  }
}
