internal import FormProtocol
internal import Forms
internal import JSONRPC
internal import Sessions

enum SessionListMethod: ServedMethod {
  static func serve(_ params: SessionListParams, _ call: ServedCall) throws(RPCError) {
    let sessions = call.connection.sessions.all
    for session in sessions { try session.checkLease() }
    call.answer(
      SessionList(
        sessions.map {
          SessionList.Entry(session: $0.number, form: $0.engineSession.form.name, revision: $0.engineSession.revision)
        }
      )
    )
  }
}
