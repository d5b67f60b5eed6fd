public import FormProtocol
public import JSON

extension FormConnection {
  // MARK: Sessions

  /// Opens a session of a form that the daemon has.
  ///
  /// - Parameters:
  ///   - form: the form's name.
  ///   - options: how to open it.
  /// - Returns: the session; its first turn is done.
  /// - Throws: ``ClientError/refused(method:_:)`` of kind `FormErrorCode.unknownForm` or `FormErrorCode.unknownField`, or when a limit
  ///   is reached.
  public func open(_ form: String, _ options: SessionOptions = SessionOptions()) throws(ClientError) -> FormSession {
    var params = SessionOpenParams(options)
    params.form = form
    return try open(params)
  }

  /// Opens a session of a form that this program brings along.
  ///
  /// - Parameters:
  ///   - definition: a form definition, as protocol/schema/form.schema.json describes it.
  ///   - options: how to open it.
  /// - Returns: the session; its first turn is done.
  /// - Throws: ``ClientError/refused(method:_:)``; the errors of its data are the faults of the definition.
  public func open(
    definition: JSONObject,
    _ options: SessionOptions = SessionOptions()
  ) throws(ClientError) -> FormSession {
    var params = SessionOpenParams(options)
    params.definition = definition
    return try open(params)
  }

  /// Comes to a kept session, beside the others who have it. One that this connection has already is brought up to date.
  ///
  /// - Parameters:
  ///   - key: what opening the session has answered with (``FormSession/key``), or an attach that rotated it.
  ///   - event: the number of the last event that the program knows, 0 for none: those behind it are ``FormSession/missedEvents``; nil:
  ///     it wants none.
  ///   - rotatesKey: whether another key takes the place of this one.
  ///   - takes: whether it is taken from another daemon of the same store where clients have it; for them it is closed with the reason
  ///     `moved`.
  /// - Returns: the session.
  /// - Throws: ``ClientError/refused(method:_:)`` of kind `FormErrorCode.unknownSession` where the key opens no session, of kind
  ///   `FormErrorCode.attachedElsewhere` where another daemon has it and does not let go of it, or when a limit is reached.
  public func attach(
    _ key: String,
    after event: Int? = nil,
    rotatesKey: Bool = false,
    takes: Bool = false
  ) throws(ClientError) -> FormSession {
    var params = SessionAttachParams()
    params.key = key
    // Events that the program does not want are asked for all the same: they say what the last one was.
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

  /// From now on ``onNotice`` is told whenever the daemon has read its forms anew, until the connection ends for good. It is told of the
  /// forms also when a lost connection was made again, for they may have changed meanwhile.
  ///
  /// - Returns: the forms that there are now, and what is wrong with their files.
  /// - Throws: ``ClientError`` when the connection fails.
  public func watchForms() throws(ClientError) -> LoadedForms {
    let forms = try call(FormsWatchParams())
    watchesForms = true
    return forms
  }

  /// What a program needs to draw a form: fields with labels, bounds and options, steps, actions, outputs.
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

  /// What a program needs to draw a form that it brings along.
  ///
  /// - Parameters:
  ///   - definition: a form definition, as protocol/schema/form.schema.json describes it.
  ///   - locale: the language of the texts; nil: the form's default.
  /// - Throws: ``ClientError/refused(method:_:)``; the errors of its data are the faults of the definition.
  public func describe(definition: JSONObject, locale: String? = nil) throws(ClientError) -> FormDescription {
    var params = FormDescribeParams()
    params.definition = definition
    params.locale = locale
    return try call(params)
  }

  /// A form's JSON Schema with texts, for tools that know nothing but JSON Schema: labels are `title`, help is `description`, options
  /// are a `oneOf` of `const` and `title`.
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

  /// The JSON Schema, with texts, of a form that this program brings along.
  ///
  /// - Parameters:
  ///   - definition: a form definition, as protocol/schema/form.schema.json describes it.
  ///   - locale: the language of the texts; nil: the form's default.
  /// - Throws: ``ClientError/refused(method:_:)``; the errors of its data are the faults of the definition.
  public func schema(definition: JSONObject, locale: String? = nil) throws(ClientError) -> JSONObject {
    var params = FormSchemaParams()
    params.definition = definition
    params.locale = locale
    return try call(params).schema
  }

  /// Judges a set of values as a session that was opened with them would, without a session.
  ///
  /// - Parameters:
  ///   - values: by field.
  ///   - form: the form's name.
  ///   - locale: the language of the messages; nil: the form's default.
  ///   - zone: the time zone that decides what `today` is; nil: the daemon's.
  ///   - runsChecks: whether the form's checks, which ask services, are run too; the answer waits for them.
  /// - Throws: ``ClientError/refused(method:_:)`` of kind `FormErrorCode.unknownForm` or `FormErrorCode.unknownField`.
  public func validate(
    _ values: JSONObject,
    form: String,
    locale: String? = nil,
    zone: String? = nil,
    runsChecks: Bool = false
  ) throws(ClientError) -> Verdict {
    var params = FormValidateParams()
    params.form = form
    params.values = values
    params.locale = locale
    params.zone = zone
    params.checks = runsChecks
    return try call(params)
  }

  /// Judges a text, and says where in it what is wrong stands. A broken text is judged as far as it can be read.
  ///
  /// - Parameters:
  ///   - text: the values, in that language.
  ///   - form: the form's name.
  ///   - encoding: what the characters of the ranges are.
  ///   - locale: the language of the messages; nil: the form's default.
  ///   - zone: the time zone that decides what `today` is; nil: the daemon's.
  ///   - runsChecks: whether the form's checks, which ask services, are run too; the answer waits for them.
  ///   - appliesDefaults: whether the schema's defaults stand in for what the text lacks.
  ///   - errorsMax: so many errors are told, from 1 to 10,000; nil: 100.
  /// - Throws: ``ClientError/refused(method:_:)`` of kind `FormErrorCode.unknownForm`.
  public func validate(
    text: String,
    language: TextLanguage,
    form: String,
    encoding: PositionEncoding = .utf16,
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
    params.locale = locale
    params.zone = zone
    params.checks = runsChecks
    params.defaults = appliesDefaults ? .apply : .ignore
    if let errorsMax { params.errorsMax = errorsMax }
    return try call(params)
  }

  // MARK: The daemon

  /// Asks whether the daemon is alive.
  ///
  /// - Parameter timeout: nil waits for ever.
  /// - Throws: ``ClientError`` when it does not answer.
  public func ping(timeout: Duration? = nil) throws(ClientError) {
    _ = try call(ServerPingParams(), timeout: timeout)
  }

  /// What the daemon is: its version, its limits.
  ///
  /// - Parameter timeout: nil waits for ever.
  /// - Throws: ``ClientError`` when the connection fails.
  public func info(timeout: Duration? = nil) throws(ClientError) -> ServerInfo {
    try call(ServerInfoParams(), timeout: timeout)
  }

  /// What the daemon has counted since its start, what is now, and who is connected.
  ///
  /// - Parameters:
  ///   - clients: so many clients are listed, those first that have used most time; 10,000 at most.
  ///   - keptSessions: so many sessions that are kept are listed, the oldest first; 10,000 at most.
  ///   - providers: so many providers are listed, in the order of their names; 10,000 at most.
  ///   - timeout: nil waits for ever.
  /// - Throws: ``ClientError`` when the connection fails.
  public func stats(
    clients: Int = 0,
    keptSessions: Int = 0,
    providers: Int = 0,
    timeout: Duration? = nil
  ) throws(ClientError) -> ServerStatistics {
    try call(ServerStatsParams(top: clients, kept: keptSessions, providers: providers), timeout: timeout)
  }

  /// Ends a client's connection, with its sessions and their effects.
  ///
  /// - Parameters:
  ///   - connection: its number, as ``stats(clients:keptSessions:providers:timeout:)`` tells it.
  ///   - timeout: nil waits for ever.
  /// - Throws: ``ClientError/refused(method:_:)`` of kind `FormErrorCode.unknownConnection` when nobody has that number.
  public func disconnect(_ connection: Int64, timeout: Duration? = nil) throws(ClientError) {
    _ = try call(ServerDisconnectParams(connection: connection), timeout: timeout)
  }
}
