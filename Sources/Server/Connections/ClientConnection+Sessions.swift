internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import Sessions
internal import Texts

extension ClientConnection {
  // MARK: Methods

  func openSession(_ request: RPCRequest, _ token: RequestToken) throws(RPCError) {
    let params = try read(SessionOpenParams.init, request)
    guard token.wantsAnswer else { throw .invalidRequest(reason: "idNeeded") }
    try checkSessionQuota()
    let form = try form(params.source)
    var options = OpenOptions(locale: params.locale, values: try values(params.values, of: form))
    if params.showsAlways { options.show = .always }
    options.watch = params.watch?.compactMap { JSONPointer($0) }
    let slot = open(form, options, hasOwnDefinition: params.source.isOwn, isHidden: false)
    if let values = options.values, request.textBytes > Self.smallBytes {
      do throws(RPCError) {
        try hold(values, in: slot)
      } catch {
        end(slot)
        throw error
      }
    }
    sessions.append(slot)
    let result = rpc.beginResult(token)
    result.append(#"{"session":"#)
    result.write(slot.id)
    result.append(byte: UInt8(ascii: ","))
    writeState(slot, into: result)
    rpc.endResult(token)
    // An update of the first turn's effects must come after the number by which the client knows the session.
    route(slot, cause: "session/open")
  }

  func closeSession(_ request: RPCRequest, _ token: RequestToken) throws(RPCError) {
    let slot = try slot(try read(SessionParams.init, request).session)
    failWaits(of: slot)
    end(slot)
    sessions.removeAll { $0 === slot }
    answer(token, ["session": .integer(slot.id)])
  }

  func getSession(_ request: RPCRequest, _ token: RequestToken) throws(RPCError) {
    let params = try read(SessionGetParams.init, request)
    let slot = try slot(params.session)
    guard token.wantsAnswer else { throw .invalidRequest(reason: "idNeeded") }
    let result = rpc.beginResult(token)
    result.append(#"{"session":"#)
    result.write(slot.id)
    result.append(#","form":"#)
    result.write(slot.session.form.name)
    result.append(byte: UInt8(ascii: ","))
    writeState(slot, into: result)
    if params.explain {
      result.truncate(to: result.count - 1)
      result.append(#","explanation":"#)
      result.write(slot.session.explanation())
      result.append(byte: UInt8(ascii: "}"))
    }
    rpc.endResult(token)
  }

  func listSessions(_ request: RPCRequest, _ token: RequestToken) throws(RPCError) {
    _ = try read(NoParams.init, request)
    let list = sessions.map { slot -> JSON in
      [
        "session": .integer(slot.id), "form": .string(slot.session.form.name),
        "revision": .integer(Int64(slot.session.revision)),
      ]
    }
    answer(token, ["sessions": .array(list)])
  }

  /// `"revision":…,"document":…,"values":…}`
  private func writeState(_ slot: SessionSlot, into result: OutputBuffer) {
    result.append(#""revision":"#)
    result.write(slot.session.revision)
    result.append(#","document":"#)
    daemon.engine.writeDocument(of: slot.session, into: result)
    result.append(#","values":"#)
    result.write(slot.session.values())
    result.append(byte: UInt8(ascii: "}"))
    slot.delivered = slot.session.revision
  }

  // MARK: Life of a session

  func checkSessionQuota() throws(RPCError) {
    let limits = daemon.limits
    if sessions.count >= limits.sessionsPerConnectionMax {
      throw .quotaExceeded("sessionsPerConnectionMax", limits.sessionsPerConnectionMax)
    }
    if daemon.sessionCount >= limits.sessionsMax {
      throw .overloaded("sessionsMax", limits.sessionsMax, retryAfterMs: 1000)
    }
  }

  func open(_ form: Form, _ options: OpenOptions, hasOwnDefinition: Bool, isHidden: Bool) -> SessionSlot {
    let session = daemon.engine.open(form, options: options, at: daemon.now)
    let id = isHidden ? 0 : daemon.nextSession()
    daemon.sessionCount += 1
    if !isHidden { daemon.statistics.sessionsOpened += 1 }
    if hasOwnDefinition {
      definitionCount += 1
      daemon.definitionCount += 1
    }
    return SessionSlot(
      id: id,
      session: session,
      connection: self,
      isHidden: isHidden,
      hasOwnDefinition: hasOwnDefinition
    )
  }

  /// Cancels all that the session has in flight and forgets it. The caller takes it off the list.
  func end(_ slot: SessionSlot) {
    guard !slot.isClosed else { return }
    slot.isClosed = true
    daemon.sessionCount -= 1
    if slot.hasOwnDefinition {
      definitionCount -= 1
      daemon.definitionCount -= 1
    }
    let bytes = slot.valueBytes.values.reduce(0, +)
    valueBytes -= bytes
    daemon.valueBytes -= bytes
    if slot.timerDeadline != nil { daemon.unschedule(slot) }
    let runs = slot.runs
    slot.runs = []
    for run in runs { run.cancel() }
  }

  // MARK: Forms

  /// The form that the params name or bring along.
  func form(_ source: SessionOpenParams.Source) throws(RPCError) -> Form {
    switch source {
    case .form(let name):
      if let form = daemon.catalog.form(named: name) { return form }
      throw .unknownForm(name, closest: closestName(to: name, among: daemon.catalog.forms.map(\.name)))
    case .definition(let node):
      return try compile(node)
    }
  }

  private func compile(_ node: JSONNode) throws(RPCError) -> Form {
    let limits = daemon.limits
    if definitionCount >= limits.definitionsPerConnectionMax {
      throw .quotaExceeded("definitionsPerConnectionMax", limits.definitionsPerConnectionMax)
    }
    if daemon.definitionCount >= limits.definitionsMax {
      throw .overloaded("definitionsMax", limits.definitionsMax, retryAfterMs: 1000)
    }
    let text = daemon.pool.take()
    defer { daemon.pool.give(text) }
    let root = node.value()
    text.write(root)
    guard text.count <= limits.definitionBytesMax else {
      throw .quotaExceeded("definitionBytesMax", limits.definitionBytesMax)
    }
    // Providers are clients like itself; whose provider is asked is seen when it is asked.
    let allowed = daemon.configuration.definitions
    let compilation = Form.compile(
      root,
      capabilities: FormCapabilities(services: allowed.services, databases: allowed.databases, providers: nil)
    )
    guard let form = compilation.form else {
      throw .invalidParams(
        compilation.diagnostics.filter { $0.severity == .error }.prefix(InvalidParams.faultsMax).map(\.inParams)
      )
    }
    return form
  }

  /// The initial values, if they are all of fields that the form has.
  func values(_ node: JSONNode?, of form: Form) throws(RPCError) -> JSONObject? {
    guard let values = node?.value().objectValue else { return nil }
    for member in values where form.field(named: member.name) == nil { throw form.unknownField(member.name) }
    return values
  }
}

extension SessionOpenParams.Source {
  /// Whether the client brings the definition along.
  var isOwn: Bool {
    if case .definition = self { true } else { false }
  }
}

extension Diagnostic {
  /// As a fault of `session/open`'s params.
  var inParams: JSON {
    .object([
      "path": .string("/definition" + pointer.description), "code": .string(code),
      "expected": .string(remedy ?? message),
      "message": .string(message),
    ])
  }
}
