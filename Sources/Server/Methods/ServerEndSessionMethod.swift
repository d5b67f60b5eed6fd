internal import FormProtocol
internal import Forms
internal import JSONRPC
internal import Logging
internal import Sessions

enum ServerEndSessionMethod: ServedMethod {
  static func serve(_ params: ServerEndSessionParams, _ call: ServedCall) throws(RPCError) {
    guard let session = call.server.keptSessions.all.first(where: { $0.number == params.session }) else {
      throw .unknownSession(params.session)
    }
    try session.checkStore(call.server)
    call.server.logger.notice(
      "a client has ended a kept session",
      metadata: [
        "form": "\(session.engineSession.form.name.forLog)", "session": "\(session.number)",
        "by": "\(call.connection.peer?.processID ?? 0)",
      ]
    )
    call.connection.audit(.serverEndSession, session)
    if session.sender(of: call.connection) != .nobody {
      call.connection.close(session)
    } else {
      session.end(closedBy: nil)
    }
    call.answer(ClosedSession(session: session.number), of: session)
  }
}
