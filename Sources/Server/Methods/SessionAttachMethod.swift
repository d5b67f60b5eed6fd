internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import Sessions

/// ``Method/sessionAttach``
enum SessionAttachMethod: ServedMethod {
  static func serve(_ params: SessionAttachParams, _ call: ServedCall) throws(RPCError) {
    try call.needAnswer()
    let found = try call.server.keptSessions.session(SessionKey(text: params.key))
    guard let kept = found.kept else { preconditionFailure("session \(found.id) has a key and is not kept") }
    let session = try found.attach(call.connection)
    let missed = params.sequence.map { sequence in
      kept.events(after: call.server.faults.through(.repeatEvents, sequence, broken: sequence - 1))
    }
    let state = AttachedSession(
      session: session.id,
      form: session.session.form.name,
      revision: session.session.revision,
      values: session.session.values().objectValue ?? [:],
      events: missed?.events ?? [],
      eventsLost: missed?.lost ?? 0,
      key: params.rotate ? kept.rotateKey(of: session).text : nil,
      isMigrated: session !== found
    )
    call.connection.answer(call.token, state, documentOf: session)
    session.updates(of: call.connection) { $0.documentTold(revision: session.session.revision) }
  }
}
