public import FormProtocol
public import JSON
public import SourceTexts

extension FormConnection {
  // MARK: Sessions

  /// Opens a session of a form that the daemon has.
  ///
  /// - Parameters:
  ///   - form: the form's name.
  ///   - options: how to open it.
  /// - Returns: the session after its first turn.
  /// - Throws: ``ClientError/refused(method:_:)`` of kind `FormErrorCode.unknownForm` or `FormErrorCode.unknownField`,
  ///   or when a limit is reached.
  public func open(_ form: String, _ options: SessionOptions = SessionOptions()) throws(ClientError) -> FormSession {
    var params = SessionOpenParams(options)
    params.form = form
    return try open(params)
  }

  /// Opens a session of a form whose definition this program supplies.
  ///
  /// - Parameters:
  ///   - definition: a form definition, as protocol/schema/form.schema.json describes it.
  ///   - options: how to open it.
  /// - Returns: the session after its first turn.
  /// - Throws: ``ClientError/refused(method:_:)``; the errors of its data are the problems of the definition.
  public func open(
    definition: JSONObject,
    _ options: SessionOptions = SessionOptions()
  ) throws(ClientError) -> FormSession {
    var params = SessionOpenParams(options)
    params.definition = definition
    return try open(params)
  }

  /// Attaches to a kept session, beside its other clients. A session that this connection has already is brought up to
  /// date.
  ///
  /// - Parameters:
  ///   - key: the session's ``FormSession/key``, from its opening or from an attach that rotated it.
  ///   - event: the number of the last event that the program knows, 0 for none. Later events are
  ///     ``FormSession/missedEvents``. nil: the program does not want them.
  ///   - rotatesKey: whether a new key replaces this one.
  ///   - takes: whether to take the session from another daemon of the same store, even if clients are attached there.
  ///     For them it closes with the reason `moved`.
  /// - Returns: the session.
  /// - Throws: ``ClientError/refused(method:_:)``, also when a limit is reached. `FormErrorCode.unknownSession`: the
  ///   key opens no session. `FormErrorCode.attachedElsewhere`: another daemon has the session and does not release it.
  public func attach(
    _ key: String,
    after event: Int? = nil,
    rotatesKey: Bool = false,
    takes: Bool = false
  ) throws(ClientError) -> FormSession {
    var params = SessionAttachParams()
    params.key = key
    // The request always asks for events, because the answer then has the number of the last one.
    params.sequence = event ?? 0
    params.rotate = rotatesKey
    params.take = takes
    let attached = try call(params)
    if let session = session(attached.session) {
      session.attached(attached, key, after: event)
      return session
    }
    let session = FormSession(attached, key, after: event, on: self)
    register(session)
    return session
  }

  private func open(_ params: SessionOpenParams) throws(ClientError) -> FormSession {
    let session = FormSession(try call(params), on: self)
    register(session)
    return session
  }

  // MARK: Forms

  /// The forms that the daemon has, in the order of their names.
  ///
  /// - Throws: ``ClientError`` when the connection fails.
  public func forms() throws(ClientError) -> [FormList.Entry] {
    try call(FormListParams()).forms
  }

  /// Asks the daemon to report each reload of its forms to ``onNotice``, until the connection ends for good. After a
  /// reconnect the forms are reported, too, because they may have changed.
  ///
  /// - Returns: the current forms, and the problems of their files.
  /// - Throws: ``ClientError`` when the connection fails.
  public func watchForms() throws(ClientError) -> LoadedForms {
    let forms = try call(FormsWatchParams())
    watchesForms = true
    return forms
  }

  /// The description that a program needs to draw a form: fields with labels, bounds and options, steps, actions,
  /// outputs.
  ///
  /// - Parameters:
  ///   - form: the form's name.
  ///   - locale: the language of the texts; nil: the form's default.
  /// - Throws: ``ClientError/refused(method:_:)`` of kind `FormErrorCode.unknownForm`.
  public func describe(_ form: String, locale: String? = nil) throws(ClientError) -> FormDescription {
    var params = FormDescribeParams()
    params.form = form
    params.locale = locale
    return try call(params)
  }

  /// The description that a program needs to draw a form whose definition it supplies.
  ///
  /// - Parameters:
  ///   - definition: a form definition, as protocol/schema/form.schema.json describes it.
  ///   - locale: the language of the texts; nil: the form's default.
  /// - Throws: ``ClientError/refused(method:_:)``; the errors of its data are the problems of the definition.
  public func describe(definition: JSONObject, locale: String? = nil) throws(ClientError) -> FormDescription {
    var params = FormDescribeParams()
    params.definition = definition
    params.locale = locale
    return try call(params)
  }

  /// A form's JSON Schema with texts, for tools that know only JSON Schema. Labels are `title`, help is `description`,
  /// options are a `oneOf` of `const` and `title`.
  ///
  /// - Parameters:
  ///   - form: the form's name.
  ///   - locale: the language of the texts; nil: the form's default.
  /// - Throws: ``ClientError/refused(method:_:)`` of kind `FormErrorCode.unknownForm`.
  public func schema(_ form: String, locale: String? = nil) throws(ClientError) -> JSONObject {
    var params = FormSchemaParams()
    params.form = form
    params.locale = locale
    return try call(params).schema
  }

  /// The JSON Schema, with texts, of a form whose definition this program supplies.
  ///
  /// - Parameters:
  ///   - definition: a form definition, as protocol/schema/form.schema.json describes it.
  ///   - locale: the language of the texts; nil: the form's default.
  /// - Throws: ``ClientError/refused(method:_:)``; the errors of its data are the problems of the definition.
  public func schema(definition: JSONObject, locale: String? = nil) throws(ClientError) -> JSONObject {
    var params = FormSchemaParams()
    params.definition = definition
    params.locale = locale
    return try call(params).schema
  }

  /// Judges a set of values without a session. The result is the same as in a session that was opened with the values.
  ///
  /// - Parameters:
  ///   - values: by field.
  ///   - form: the form's name.
  ///   - context: the values that formulas read as `context`; nil: none.
  ///   - locale: the language of the messages; nil: the form's default.
  ///   - zone: the time zone that decides what `today` is; nil: the daemon's.
  ///   - runsChecks: whether to run the form's checks, which ask services, too; the answer waits for them.
  ///   - only: the addresses of the fields that are judged, with the fields inside them; nil: all.
  /// - Throws: ``ClientError/refused(method:_:)`` of kind `FormErrorCode.unknownForm` or `FormErrorCode.unknownField`.
  public func validate(
    _ values: JSONObject,
    form: String,
    context: JSONObject? = nil,
    locale: String? = nil,
    zone: String? = nil,
    runsChecks: Bool = false,
    only: [String]? = nil
  ) throws(ClientError) -> FormVerdict {
    var params = FormValidateParams()
    params.form = form
    params.values = values
    params.context = context
    params.locale = locale
    params.zone = zone
    params.checks = runsChecks
    params.only = only
    return try call(params)
  }

  /// Judges a text, and reports the position of each error in it. An invalid text is judged as far as it can be read.
  ///
  /// - Parameters:
  ///   - text: the values, in that language.
  ///   - form: the form's name.
  ///   - encoding: the unit of the characters in the ranges.
  ///   - context: the values that formulas read as `context`; nil: none.
  ///   - locale: the language of the messages; nil: the form's default.
  ///   - zone: the time zone that decides what `today` is; nil: the daemon's.
  ///   - runsChecks: whether to run the form's checks, which ask services, too; the answer waits for them.
  ///   - appliesDefaults: whether the schema's defaults replace values that the text lacks.
  ///   - errorsMax: the largest number of reported errors, from 1 to 10,000; nil: 100.
  /// - Throws: ``ClientError/refused(method:_:)`` of kind `FormErrorCode.unknownForm`.
  public func validate(
    text: String,
    language: TextLanguage,
    form: String,
    encoding: PositionEncoding = .utf16,
    context: JSONObject? = nil,
    locale: String? = nil,
    zone: String? = nil,
    runsChecks: Bool = false,
    appliesDefaults: Bool = true,
    errorsMax: Int? = nil
  ) throws(ClientError) -> TextJudgment {
    var params = TextValidateParams()
    params.form = form
    params.text = text
    params.language = language
    params.encoding = encoding
    params.context = context
    params.locale = locale
    params.zone = zone
    params.checks = runsChecks
    params.defaults = appliesDefaults ? .apply : .ignore
    if let errorsMax { params.errorsMax = errorsMax }
    return try call(params)
  }

  // MARK: The daemon

  /// Asks whether the daemon is alive, and whether it is ready for clients.
  ///
  /// - Parameter timeout: nil waits for ever.
  /// - Returns: why the daemon is not ready, for people: its store, its forms, or its end; empty if it is ready.
  /// - Throws: ``ClientError`` when it does not answer.
  @discardableResult
  public func ping(timeout: Duration? = nil) throws(ClientError) -> [String] {
    try call(ServerPingParams(), timeout: timeout).notReady
  }

  /// The daemon's version and limits.
  ///
  /// - Parameter timeout: nil waits for ever.
  /// - Throws: ``ClientError`` when the connection fails.
  public func info(timeout: Duration? = nil) throws(ClientError) -> ServerInfo {
    try call(ServerInfoParams(), timeout: timeout)
  }

  /// The daemon's counters since its start, its current state, and its clients.
  ///
  /// - Parameters:
  ///   - clients: the number of clients to list, at most 10,000. The clients that used most time come first.
  ///   - keptSessions: the number of kept sessions to list, the oldest first; at most 10,000.
  ///   - providers: the number of providers to list, in the order of their names; at most 10,000.
  ///   - named: whether the counts with names are listed: of targets, of error codes, of forms.
  ///   - timeout: nil waits for ever.
  /// - Throws: ``ClientError`` when the connection fails.
  public func stats(
    clients: Int = 0,
    keptSessions: Int = 0,
    providers: Int = 0,
    named: Bool = false,
    timeout: Duration? = nil
  ) throws(ClientError) -> ServerStatistics {
    try call(
      ServerStatsParams(top: clients, kept: keptSessions, providers: providers, named: named),
      timeout: timeout
    )
  }

  /// Lets the daemon read its configuration and its forms again, and waits for the end.
  ///
  /// - Parameter timeout: nil waits for ever.
  /// - Returns: what has changed, or why nothing has.
  /// - Throws: ``ClientError`` when the connection fails, or the daemon ends.
  public func reload(timeout: Duration? = nil) throws(ClientError) -> ReloadOutcome {
    try call(ServerReloadParams(), timeout: timeout)
  }

  /// Ends a client's connection, with its sessions and their effects.
  ///
  /// - Parameters:
  ///   - connection: the number of the connection, from ``stats(clients:keptSessions:providers:named:timeout:)``.
  ///   - timeout: nil waits for ever.
  /// - Throws: ``ClientError/refused(method:_:)`` of kind `FormErrorCode.unknownConnection` when no connection has that
  ///   number.
  public func disconnect(_ connection: Int64, timeout: Duration? = nil) throws(ClientError) {
    _ = try call(ServerDisconnectParams(connection: connection), timeout: timeout)
  }

  /// Ends a kept session, whoever has it. The daemon notifies its clients.
  ///
  /// - Parameters:
  ///   - session: the number of the session, from ``stats(clients:keptSessions:providers:named:timeout:)``.
  ///   - timeout: nil waits for ever.
  /// - Throws: ``ClientError/refused(method:_:)``: of kind `FormErrorCode.unknownSession` when no kept session in the
  ///   daemon's memory has that number, and `FormErrorCode.overloaded` when the store cannot record the end.
  public func endKeptSession(_ session: Int64, timeout: Duration? = nil) throws(ClientError) {
    _ = try call(ServerEndSessionParams(session: session), timeout: timeout)
  }

  /// Copies the SQLite store of kept sessions while the daemon runs.
  ///
  /// - Parameters:
  ///   - file: the absolute path of the copy, for the daemon; no file may be there.
  ///   - timeout: nil waits for ever.
  /// - Returns: the size of the copy in bytes.
  /// - Throws: ``ClientError/refused(method:_:)`` when the daemon has no such store, or cannot write the copy.
  public func backUpStore(to file: String, timeout: Duration? = nil) throws(ClientError) -> Int {
    try call(ServerBackupParams(file: file), timeout: timeout).bytes
  }
}
