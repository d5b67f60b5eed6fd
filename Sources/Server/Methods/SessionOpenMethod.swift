internal import CEL
internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import SessionCalls
internal import Sessions
internal import Times

enum SessionOpenMethod: ServedMethod {
  static func serve(_ params: SessionOpenParams, _ call: ServedCall) throws(RPCError) {
    try call.needAnswer()
    if params.onlyPublic { call.connection.hearsOnlyPublic = true }
    try InvalidParams.checkLength(of: params.locale, at: "/locale")
    let zone = try call.zone(named: params.zone)
    let keep = try call.keptDuration(params.keep)
    if keep != nil { try call.server.checkRoomForKept() }
    try call.withForm(params.source) { form throws(RPCError) in try open(form, params, in: zone, keep: keep, call) }
  }

  private static func open(
    _ form: Form,
    _ params: SessionOpenParams,
    in zone: Zone,
    keep: Duration?,
    _ call: ServedCall
  ) throws(RPCError) {
    let options = OpenOptions(
      locale: params.locale,
      zone: zone,
      values: params.values,
      context: try form.admitted(context: params.context),
      show: params.show.map { _ in .always },
      watch: params.watch
    )
    // Other clients may have opened kept sessions since the first check.
    if keep != nil { try call.server.checkRoomForKept() }
    let kept = keep.map { (key: SessionKey.random(), time: $0) }
    let (session, turn) = try call.connection.sessions.open(
      form,
      options,
      on: call.connection,
      hasOwnDefinition: params.source.isOwn,
      kept: kept.map { kept in
        { KeptSession(kept.key, for: kept.time, by: call.connection, definition: params.source.definition) }
      }
    )
    let state = SessionState(
      session: session.number,
      revision: session.engineSession.revision,
      values: session.engineSession.values().objectValue ?? [:],
      key: kept?.key.text
    )
    call.connection.audit(.sessionOpen, session)
    call.connection.answer(call.token, state, documentOf: session, introduces: true)
    // The results of the first turn's effects are sent after the number by which the client knows the session.
    session.carryOut(turn, cause: .sessionOpen, call.server)
  }
}
