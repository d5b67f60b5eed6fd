internal import FormProtocol
internal import JSONRPC
internal import Sessions

/// ``Method/sessionReset``
enum SessionResetMethod: ServedMethod {
  static func serve(_ params: SessionResetParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    let input = Input.reset(keepValues: params.keepValues)
    try call.connection.sessions.admit(input, to: session)
    let turn = session.apply(input, cause: .sessionReset)
    call.answer(InputAnswer(revision: turn.revision))
  }
}
