internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import Sessions

enum SessionGetMethod: ServedMethod {
  static func serve(_ params: SessionGetParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    try call.needAnswer()
    try session.checkLease()
    let state = CurrentSession(
      session: session.number,
      form: session.engineSession.form.name,
      revision: session.engineSession.revision,
      values: session.engineSession.values().objectValue ?? [:],
      explanation: params.explain ? session.engineSession.explanation().objectValue : nil
    )
    call.connection.answer(call.token, state, documentOf: session)
    session.updates(of: call.connection) { $0.documentSent(revision: session.engineSession.revision) }
  }
}
