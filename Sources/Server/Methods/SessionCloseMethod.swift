internal import FormProtocol
internal import JSONRPC
internal import Sessions

enum SessionCloseMethod: ServedMethod {
  static func serve(_ params: SessionCloseParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    call.connection.audit(.sessionClose, session)
    call.connection.close(session)
    call.answer(ClosedSession(session: session.number), of: session)
  }
}
