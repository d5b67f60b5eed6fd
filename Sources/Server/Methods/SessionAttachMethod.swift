internal import Configuration
internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import Sessions

enum SessionAttachMethod: ServedMethod {
  static func serve(_ params: SessionAttachParams, _ call: ServedCall) throws(RPCError) {
    try call.needAnswer()
    if params.onlyPublic { call.connection.hearsOnlyPublic = true }
    try call.connection.beginLongWait()
    call.server.findSession(SessionKey(text: params.key), takes: params.take) { [server = call.server] found in
      call.connection.endLongWait()
      guard !call.connection.state.isGone else { return }
      do throws(RPCError) {
        try attach(found.get(), params, call)
      } catch {
        call.connection.fail(call.token, error)
      }
      // The session may have come from the store, outside an entry of the connection.
      server.closeLaterIfDone(call.connection)
    }
  }

  private static func attach(
    _ found: FoundSession,
    _ params: SessionAttachParams,
    _ call: ServedCall
  ) throws(RPCError) {
    guard let kept = found.session.kept else {
      preconditionFailure("session \(found.session.number) has a key and is not kept")
    }
    let hadIt = found.session.sender(of: call.connection) != .nobody
    let session = try found.session.attach(call.connection)
    call.connection.audit(.sessionAttach, session)
    var heard = 1..<1
    session.updates(of: call.connection) { heard = $0.heard }
    let missed = params.sequence.map { kept.events(after: $0, heard: heard) }
    let state = AttachedSession(
      session: session.number,
      form: session.engineSession.form.name,
      revision: session.engineSession.revision,
      values: session.engineSession.values().objectValue ?? [:],
      events: session.visibleEvents(missed?.events ?? [], onlyPublic: call.connection.hearsOnlyPublic),
      eventsLost: missed?.lost ?? 0,
      key: params.rotate ? kept.rotateKey(of: session).text : nil,
      isMigrated: found.isMigrated || session !== found.session
    )
    call.connection.answer(call.token, state, documentOf: session, introduces: !hadIt)
    session.updates(of: call.connection) {
      $0.documentSent(revision: session.engineSession.revision)
      $0.eventsSent(after: params.sequence, next: kept.nextEvent)
    }
  }
}
