internal import CEL
internal import Configuration
internal import FormProtocol
internal import Forms
internal import JSONRPC
internal import SessionCalls
internal import Sessions
internal import Times

/// How the server serves a method that does not only feed a session (``InputCall``). Each is a type with a file of its
/// own. The switch below is the list of all methods.
protocol ServedMethod {
  /// The params of the method, with the type of its answer.
  associatedtype Params: Call

  /// Does the work of the method, and answers, now or later.
  ///
  /// - Throws: the error that answers the call instead. Nothing was done then, except that a client that asks for what
  ///   is public gets no more from then on (``ClientConnection/hearsOnlyPublic``).
  static func serve(_ params: Params, _ call: ServedCall) throws(RPCError)
}

/// A call of a method that is being served.
struct ServedCall {
  let connection: ClientConnection
  let token: RequestToken

  var server: FormServer { connection.server }

  @inline(__always)
  func answer(_ answer: some MemberValue) {
    connection.answer(token, answer)
  }

  /// Answers the call with the new state of a session.
  func answer(_ answer: some MemberValue, of session: LiveSession) {
    connection.answer(token, answer, of: session)
  }

  /// How long a session is to be kept; nil if the params do not say it.
  ///
  /// - Throws: ``RPCErrorCode/invalidParams`` for an invalid duration, ``FormErrorCode/quotaExceeded`` for one that is
  ///   too long.
  func keptDuration(_ text: String?) throws(RPCError) -> Duration? {
    guard let text else { return nil }
    // A year is a valid duration, but more than the limit admits.
    guard let keep = duration(from: text, hoursMax: 24 * 366), keep > .zero else {
      throw .invalidParams([
        .init(path: "/keep", code: .value, expected: "a duration such as 30s, 10m or 1h")
      ])
    }
    if keep > .milliseconds(server.limits[.keepMax]) { throw server.limits.quotaExceeded(.keepMax) }
    return keep
  }

  /// The session that the params mean.
  @inline(__always)
  func session(_ number: Int64?) throws(RPCError) -> LiveSession {
    try connection.sessions.session(number)
  }

  /// Goes on with the form of another session, which params name or bring along: at once, or when a definition is
  /// compiled. Until then the connection handles nothing else, so that its requests are served in their order.
  ///
  /// - Parameters:
  ///   - text: read before, on another thread if it is long.
  ///   - open: opens the session and answers the call; an error that it throws is the answer instead.
  /// - Throws: ``FormErrorCode/unknownForm`` if no form has the name. ``FormErrorCode/overloaded`` or
  ///   ``FormErrorCode/quotaExceeded`` if a limit allows no further session. Each error that `open` throws at once.
  func withForm(
    _ source: FormSource,
    reading text: ReadText? = nil,
    _ open: @escaping (Form) throws(RPCError) -> Void
  ) throws(RPCError) {
    try connection.sessions.checkQuota(server)
    switch source {
    case .form(let name):
      let form = try server.form(named: name)
      guard let text else { return try open(form) }
      guard text.isLong else {
        text.read()
        return try open(form)
      }
      connection.read(text, token) { () throws(RPCError) in
        // Other clients may have opened sessions since the first check.
        try connection.sessions.checkQuota(server)
        try open(form)
      }
    case .definition(let definition):
      try connection.sessions.checkDefinitionQuota(server)
      let scratch = server.pool.take()
      defer { server.pool.give(scratch) }
      let brought = try BroughtDefinition(
        definition,
        allowed: server.configuration.definitions,
        limits: server.limits,
        scratch: scratch
      )
      try connection.sessions.checkMemory(for: brought.memoryBytes, server)
      connection.compile(brought, reading: text, token) { form throws(RPCError) in
        // Other clients may have opened sessions since the first check.
        try connection.sessions.checkQuota(server)
        try connection.sessions.checkDefinitionQuota(server)
        try open(form)
      }
    }
  }

  /// Goes on with the form that params mean, and with the language that they ask for: at once, or when a definition is
  /// compiled. A definition is freed after the answer.
  ///
  /// - Parameter answer: answers the call.
  /// - Throws: ``FormErrorCode/unknownSession`` if no session has the number. ``FormErrorCode/unknownForm`` if no form
  ///   has the name. ``FormErrorCode/overloaded`` or ``FormErrorCode/quotaExceeded`` if a limit allows no further
  ///   definition. ``RPCErrorCode/invalidParams`` if the locale is too long.
  func withForm(
    of params: some DescribedFormParams,
    _ answer: @escaping (_ form: Form, _ locale: String?) -> Void
  ) throws(RPCError) {
    try needAnswer()
    try InvalidParams.checkLength(of: params.locale, at: "/locale")
    // The answer may be far larger than the request.
    try server.checkMemory()
    let locale = params.locale
    switch params.described {
    case .session(let number):
      let session = try session(number).engineSession
      answer(session.form, locale ?? session.locale)
    case .source(.form(let name)): answer(try server.form(named: name), locale)
    case .source(let source):
      try withForm(source) { form in
        answer(form, locale)
        server.letGo(form)
      }
    }
  }

  /// The time zone of that name; the daemon's zone if params name none.
  ///
  /// - Throws: ``RPCErrorCode/invalidParams`` for an unknown zone.
  func zone(named name: String?) throws(RPCError) -> Zone {
    guard let name else { return server.zone }
    guard let zone = Zone(named: name) else {
      let expected = "a time zone that this machine knows: an IANA name such as Europe/Zurich, or UTC"
      throw .invalidParams([.init(path: "/zone", code: .value, expected: expected)])
    }
    return zone
  }

  /// Checks that the caller wants an answer, because the method makes sense only with one.
  func needAnswer() throws(RPCError) {
    if !token.wantsAnswer { throw .idNeeded }
  }
}

extension Method {
  /// Serves a call of the method.
  ///
  /// - Throws: the error that answers the call.
  func serve(_ request: RPCRequest, _ call: ServedCall) throws(RPCError) {
    switch self {
    case .fieldChange: try serve(input: FieldChangeParams.self, request, call)
    case .fieldFocus: try serve(input: FieldFocusParams.self, request, call)
    case .fieldBlur: try serve(input: FieldBlurParams.self, request, call)
    case .fieldInsert: try serve(input: FieldInsertParams.self, request, call)
    case .fieldRemove: try serve(input: FieldRemoveParams.self, request, call)
    case .fieldMove: try serve(input: FieldMoveParams.self, request, call)
    case .fieldToggle: try serve(input: FieldToggleParams.self, request, call)
    case .fieldFail: try serve(input: FieldFailParams.self, request, call)
    case .stepShow: try serve(input: StepShowParams.self, request, call)
    case .actionTap: try serve(ActionTapMethod.self, request, call)
    case .actionCancel: try serve(input: ActionCancelParams.self, request, call)
    case .sessionReset: try serve(input: SessionResetParams.self, request, call)
    case .sessionUndo: try serve(input: SessionUndoParams.self, request, call)
    case .sessionRedo: try serve(input: SessionRedoParams.self, request, call)
    case .sessionSetLocale: try serve(input: SessionSetLocaleParams.self, request, call)
    case .sessionSetContext: try serve(input: SessionSetContextParams.self, request, call)
    case .sessionOpen: try serve(SessionOpenMethod.self, request, call)
    case .sessionAttach: try serve(SessionAttachMethod.self, request, call)
    case .sessionDetach: try serve(SessionDetachMethod.self, request, call)
    case .sessionClose: try serve(SessionCloseMethod.self, request, call)
    case .sessionGet: try serve(SessionGetMethod.self, request, call)
    case .sessionList: try serve(SessionListMethod.self, request, call)
    case .formList: try serve(FormListMethod.self, request, call)
    case .formDescribe: try serve(FormDescribeMethod.self, request, call)
    case .formSchema: try serve(FormSchemaMethod.self, request, call)
    case .formValidate: try serve(FormValidateMethod.self, request, call)
    case .formsWatch: try serve(FormsWatchMethod.self, request, call)
    case .textValidate: try serve(TextValidateMethod.self, request, call)
    case .providerRegister: try serve(ProviderRegisterMethod.self, request, call)
    case .providerUnregister: try serve(ProviderUnregisterMethod.self, request, call)
    case .serverInfo: try serve(ServerInfoMethod.self, request, call)
    case .serverPing: try serve(ServerPingMethod.self, request, call)
    case .serverStats: try serve(ServerStatsMethod.self, request, call)
    case .serverReload: try serve(ServerReloadMethod.self, request, call)
    case .serverDisconnect: try serve(ServerDisconnectMethod.self, request, call)
    case .serverEndSession: try serve(ServerEndSessionMethod.self, request, call)
    case .serverBackup: try serve(ServerBackupMethod.self, request, call)
    case .discover: try serve(DiscoverMethod.self, request, call)
    // Clients of the Language Server Protocol send params with these methods, which do not matter here.
    case .initialize: call.answer(Greeting(call.server.info))
    case .initialized: call.answer(Nothing())
    case .shutdown:
      call.connection.shutDown()
      call.answer(Nothing())
    case .exit:
      call.answer(Nothing())
      call.connection.readingEnded()
    case .cancelRequest:
      if let id = try? CancelRequestParams(lenient: request.params).id { call.connection.cancelRequest(id) }
      call.answer(Nothing())
    }
  }

  /// Reads the params strictly, then serves the call.
  @inline(__always)
  private func serve<Served: ServedMethod>(
    _ served: Served.Type,
    _ request: RPCRequest,
    _ call: ServedCall
  ) throws(RPCError) {
    try Served.serve(try params(of: request), call)
  }

  /// Feeds a session with an input, and answers with the turn.
  @inline(__always)
  private func serve<Params: InputCall>(
    input: Params.Type,
    _ request: RPCRequest,
    _ call: ServedCall
  ) throws(RPCError) {
    let params: Params = try params(of: request)
    let session = try call.session(params.session)
    call.answer(try call.connection.feed(session, params, call.server), of: session)
  }

  /// Reads the params strictly.
  @inline(__always)
  private func params<Params: Call>(of request: RPCRequest) throws(RPCError) -> Params {
    do throws(InvalidParams) {
      return try Params(request.params)
    } catch {
      throw error.rpcError
    }
  }
}
