internal import FormProtocol
internal import JSONRPC
internal import SessionMessages
internal import Sessions

/// ``Method/sessionReset``
enum SessionResetMethod: ServedMethod {
  static func serve(_ params: SessionResetParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    try call.connection.sessions.admit(params.input, to: session)
    let turn = session.apply(params.input, cause: .sessionReset)
    call.answer(InputAnswer(revision: turn.revision))
  }
}
