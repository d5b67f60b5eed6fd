public import FormProtocol
public import JSON

/// One live copy of a form on the daemon, with a current document in this process.
///
/// The document is current after each input. Later changes (a check ends, an action's run fails) arrive with the next
/// input or with ``receive()``. If the program releases a session without ``close()``, it stays open on the daemon
/// until its connection ends. A kept session (``SessionOptions/kept``) stays open for the time that was requested.
public final class FormSession {
  /// A change of the session.
  public enum Change: Sendable {
    /// The document changed, or taps ended.
    ///
    /// - Parameters:
    ///   - patch: a JSON Merge Patch (RFC 7396), already merged into the document; `{}` when nothing changed.
    ///   - events: the results of taps.
    ///   - cause: the cause of the change; nil for a cause that only newer daemons know.
    case updated(patch: JSON, events: [ActionEvent], cause: Cause?)
    /// Values changed without this program's input, for example by a reset. A program with inputs of its own shows them
    /// there. ``updated(patch:events:cause:)`` of the same turn follows.
    ///
    /// - Parameters:
    ///   - values: the new values, by address; no secrets.
    ///   - absent: the addresses that have no value any more.
    case valuesTold(JSONObject, absent: [String])
    /// Updates were lost, because this program read too slowly, or because its connection was lost and restored. The
    /// document was requested again and is current, and ``FormSession/values`` are current, too. After a lost
    /// connection, missed events follow by ``updated(patch:events:cause:)``.
    ///
    /// - Parameter eventsLost: the number of lost events.
    case replaced(eventsLost: Int)
    /// The daemon closed the session; the reason is nil if only newer daemons know it.
    case closed(SessionClosed.Reason?)
    /// The connection was lost, and the session with it: it was not kept, or could not be attached again. The error
    /// says which.
    case lost(ClientError)
  }

  let connection: FormConnection
  private var replica: DocumentReplica
  /// The values from the daemon, without secrets. They are the values of the opening or of the last
  /// ``get(explaining:)``, with the later values that changed without this program's input.
  public var values: JSONObject { told.values }
  private var told: ToldValues
  /// Whether this program does not have the session any more: it was closed, lost, or left by ``detach()``.
  public private(set) var isClosed = false
  /// The reason why the session was lost, or was taken by another daemon. Every later call throws it.
  public private(set) var loss: ClientError?
  /// The key that opens the session again, if it is kept (``FormConnection/attach(_:after:rotatesKey:takes:)``). Every
  /// client with the key can use the session.
  public private(set) var key: String?
  /// The number of the last known event, for a later ``FormConnection/attach(_:after:rotatesKey:takes:)``.
  public private(set) var lastEvent = 0
  /// The events after the one that the last attach named, if the daemon still has them.
  public private(set) var missedEvents: [ActionEvent] = []
  /// The number of events after that one that the daemon has discarded.
  public private(set) var missedEventsLost = 0
  /// Whether the form has changed since this program last had the session, and the session was migrated to it.
  public private(set) var isMigrated = false
  /// Called for each change, in order.
  public var onChange: ((Change) -> Void)?

  /// A session that was opened.
  init(_ state: SessionState, on connection: FormConnection) {
    self.connection = connection
    replica = DocumentReplica(state)
    told = ToldValues(state.values)
    key = state.key
  }

  /// A kept session that was attached by its key.
  init(_ attached: AttachedSession, _ key: String, after event: Int?, on connection: FormConnection) {
    self.connection = connection
    replica = DocumentReplica(attached)
    told = ToldValues(attached.values)
    take(attached, key, after: event)
  }

  /// Updates the session after the program attached to it again.
  func attached(_ attached: AttachedSession, _ key: String, after event: Int?) {
    isClosed = false
    loss = nil
    replica = DocumentReplica(attached)
    told = ToldValues(attached.values)
    take(attached, key, after: event)
  }

  private func take(_ attached: AttachedSession, _ key: String, after event: Int?) {
    self.key = attached.key ?? key
    // The program has heard of the events up to that one.
    missedEvents = event.map { event in attached.events.filter { $0.sequence > event } } ?? []
    missedEventsLost = event == nil ? 0 : attached.eventsLost
    lastEvent = max(lastEvent, attached.events.last?.sequence ?? (event ?? 0) + attached.eventsLost)
    isMigrated = attached.isMigrated
  }

  deinit {
    connection.forget(number)
  }

  /// The current document.
  public var document: FormDocument { FormDocument(replica.document) }
  /// The number of the last turn that is in the document.
  public var revision: Int { replica.revision }
  /// The session's number on its connection.
  public var number: Int64 { replica.session }

  // MARK: Inputs

  /// The user changed a field.
  ///
  /// - Parameters:
  ///   - field: the field's name, or a JSON Pointer into the field's value, such as `/items/0/qty`.
  ///   - value: the new value; null removes it.
  ///   - origin: the source of the change.
  ///   - isComposing: whether an input method is still composing: the value counts, new messages wait.
  ///   - commit: whether the change also ends the editing, as ``blur(_:)`` does.
  /// - Throws: ``ClientError/refused(method:_:)`` of kind `FormErrorCode.unknownField`, or when a limit is reached.
  public func change(
    _ field: String,
    to value: JSON,
    origin: Origin = .user,
    isComposing: Bool = false,
    commit: Bool = false
  ) throws(ClientError) {
    var params = FieldChangeParams()
    params.field = .text(field)
    params.value = value
    try change(params, origin, isComposing, commit)
  }

  /// The user changed several fields in one turn.
  ///
  /// - Parameters:
  ///   - values: by field, or by a JSON Pointer into a field's value.
  ///   - origin: the source of the changes.
  ///   - commit: whether the change also ends the editing of these fields.
  /// - Throws: as ``change(_:to:origin:isComposing:commit:)``.
  public func changeAll(
    _ values: JSONObject,
    origin: Origin = .user,
    commit: Bool = false
  ) throws(ClientError) {
    var params = FieldChangeParams()
    params.values = values
    try change(params, origin, false, commit)
  }

  private func change(
    _ params: FieldChangeParams,
    _ origin: Origin,
    _ isComposing: Bool,
    _ commit: Bool
  ) throws(ClientError) {
    var params = params
    params.origin = origin
    params.isComposing = isComposing
    params.commit = commit
    _ = try input(params)
  }

  /// The user entered a field.
  ///
  /// - Throws: ``ClientError/refused(method:_:)`` of kind `FormErrorCode.unknownField`.
  public func focus(_ field: String) throws(ClientError) {
    var params = FieldFocusParams()
    params.field = .text(field)
    _ = try input(params)
  }

  /// The user left a field: the field's delayed value takes effect, and messages that waited for it appear.
  ///
  /// - Throws: ``ClientError/refused(method:_:)`` of kind `FormErrorCode.unknownField`.
  public func blur(_ field: String) throws(ClientError) {
    var params = FieldBlurParams()
    params.field = .text(field)
    _ = try input(params)
  }

  /// Another program, such as the client's own server, refuses a field's value. The error shows until the value
  /// changes, and blocks nothing.
  ///
  /// - Parameters:
  ///   - field: the field's address.
  ///   - message: the message, for people.
  /// - Throws: as ``remove(_:)``.
  public func fail(_ field: String, _ message: String) throws(ClientError) {
    var params = FieldFailParams()
    params.field = field
    params.message = message
    _ = try input(params)
  }

  /// The user went to a step.
  ///
  /// - Parameter step: the step's id.
  /// - Throws: ``ClientError/refused(method:_:)`` of kind `FormErrorCode.unknownStep`, also for a step that is hidden.
  public func show(step: String) throws(ClientError) {
    var params = StepShowParams()
    params.step = step
    _ = try input(params)
  }

  /// The user asked for an action. An event of ``onChange`` reports the result of the tap later.
  ///
  /// - Returns: the form's immediate answer to the tap. A rejected tap is an outcome, not an error.
  /// - Throws: ``ClientError/refused(method:_:)`` of kind `FormErrorCode.unknownAction`.
  public func tap(_ action: String) throws(ClientError) -> TapAnswer {
    try tap(action, awaits: false, timeout: nil)
  }

  /// The user asked for an action, and this program waits for the result of the tap.
  ///
  /// - Parameters:
  ///   - action: the action's name.
  ///   - timeout: nil waits for ever.
  /// - Returns: the result of the tap; nil when a throttle or debounce dropped the tap.
  /// - Throws: ``ClientError/refused(method:_:)`` of kind `FormErrorCode.unknownAction`,
  ///   ``ClientError/timeout(method:after:)``.
  public func tapAndWait(_ action: String, timeout: Duration? = nil) throws(ClientError) -> ActionEvent? {
    try tap(action, awaits: true, timeout: timeout).event
  }

  /// The user asked for an action, and this program goes on without waiting for the result of the tap.
  ///
  /// - Parameters:
  ///   - action: the action's name.
  ///   - whenDone: called like ``onChange``, once, unless the connection ends for good before. It gets the tap's event,
  ///     nil when a throttle or debounce dropped the tap, a refusal, or ``ClientError/outcomeUnknown(method:reason:)``.
  /// - Throws: ``ClientError`` when the connection has ended.
  public func tap(
    _ action: String,
    whenDone: @escaping (Result<ActionEvent?, ClientError>) -> Void
  ) throws(ClientError) {
    try connection.send(tapParams(action, awaits: true), of: self) { answer in whenDone(answer.map(\.event)) }
  }

  private func tap(_ action: String, awaits: Bool, timeout: Duration?) throws(ClientError) -> TapAnswer {
    try input(tapParams(action, awaits: awaits), timeout: timeout)
  }

  private func tapParams(_ action: String, awaits: Bool) -> ActionTapParams {
    var params = ActionTapParams()
    params.action = action
    params.awaits = awaits
    return params
  }

  /// The user marked a choice of a multiple choice, or took the mark away.
  ///
  /// - Throws: ``ClientError/refused(method:_:)`` if the field is not a multiple choice.
  public func toggle(_ field: String, _ value: JSON) throws(ClientError) {
    var params = FieldToggleParams()
    (params.field, params.value) = (field, value)
    _ = try input(params)
  }

  /// The user gave up an action: every tap of it that has no result yet ends with the event `cancelled`.
  ///
  /// - Throws: ``ClientError/refused(method:_:)`` of kind `FormErrorCode.unknownAction`.
  public func cancel(_ action: String) throws(ClientError) {
    var params = ActionCancelParams()
    params.action = action
    _ = try input(params)
  }

  /// Changes the language of texts. The daemon sends the texts that are shown in the new language.
  ///
  /// - Throws: ``ClientError`` when the connection fails, or the locale has more than 256 bytes.
  public func setLocale(_ locale: String) throws(ClientError) {
    var params = SessionSetLocaleParams()
    params.locale = locale
    _ = try input(params)
  }

  /// Replaces the context, the values that formulas read as `context`.
  ///
  /// - Throws: ``ClientError`` when the connection fails, or the form does not admit the context.
  public func setContext(_ context: JSONObject) throws(ClientError) {
    var params = SessionSetContextParams()
    params.context = context
    _ = try input(params)
  }

  /// The description that a program needs to draw the session's form.
  ///
  /// - Parameter locale: the language of the texts; nil: the session's.
  /// - Throws: ``ClientError`` when the connection fails, or the locale has more than 256 bytes.
  public func describe(locale: String? = nil) throws(ClientError) -> FormDescription {
    var params = FormDescribeParams()
    params.locale = locale
    return try connection.call(params, of: self)
  }

  /// The form's JSON Schema with texts, for tools that know only JSON Schema.
  ///
  /// - Parameter locale: the language of the texts; nil: the session's.
  /// - Throws: ``ClientError`` when the connection fails, or the locale has more than 256 bytes.
  public func schema(locale: String? = nil) throws(ClientError) -> JSONObject {
    var params = FormSchemaParams()
    params.locale = locale
    return try connection.call(params, of: self).schema
  }

  /// Resets the session to its initial values, and cancels everything that is in progress.
  ///
  /// - Parameter keepsValues: whether the current values stay and become the initial ones.
  /// - Throws: ``ClientError`` when the connection fails.
  public func reset(keepsValues: Bool = false) throws(ClientError) {
    var params = SessionResetParams()
    params.keepValues = keepsValues
    _ = try input(params)
  }

  /// Resets one field, with all fields inside it. It has its initial, suggested or default value, and is neither
  /// touched nor edited.
  ///
  /// - Parameter field: the field's address.
  /// - Throws: ``ClientError/refused(method:_:)`` of kind `FormErrorCode.unknownField` for an unknown address.
  public func reset(field: String) throws(ClientError) {
    var params = SessionResetParams()
    params.field = field
    _ = try input(params)
  }

  /// Takes back the last edit of the session's users. Without one, nothing changes.
  ///
  /// - Throws: ``ClientError`` when the connection fails, or the form has no undo.
  public func undo() throws(ClientError) { _ = try input(SessionUndoParams()) }

  /// Repeats the edit that was taken back last. Without one, nothing changes.
  ///
  /// - Throws: ``ClientError`` when the connection fails, or the form has no undo.
  public func redo() throws(ClientError) { _ = try input(SessionRedoParams()) }

  func input<Params: SessionCall>(_ params: Params, timeout: Duration? = nil) throws(ClientError) -> Params.Answer {
    let answer = try connection.call(params, of: self, timeout: timeout)
    try mend()
    return answer
  }

  // MARK: State

  /// Requests the current state of the session. Afterwards ``values`` are current, too.
  ///
  /// - Parameter explaining: whether the answer explains why each action is enabled or not.
  /// - Throws: ``ClientError/refused(method:_:)`` of kind `FormErrorCode.unknownSession` when the session is closed.
  @discardableResult
  public func get(explaining: Bool = false) throws(ClientError) -> CurrentSession {
    var params = SessionGetParams()
    params.explain = explaining
    let current = try connection.call(params, of: self)
    replica.replaced(by: current)
    told = ToldValues(current.values)
    return current
  }

  /// Leaves a kept session, which goes on without this program; its ``key`` opens it again.
  ///
  /// - Throws: ``ClientError/refused(method:_:)`` when the session is not kept, or closed.
  public func detach() throws(ClientError) {
    _ = try connection.call(SessionDetachParams(), of: self)
    isClosed = true
  }

  /// Closes the session for all its clients, and cancels everything that is in progress.
  ///
  /// - Throws: ``ClientError/refused(method:_:)`` of kind `FormErrorCode.unknownSession` when the daemon closed it
  ///   before.
  public func close() throws(ClientError) {
    if let loss { throw loss }
    do throws(ClientError) {
      _ = try connection.call(SessionCloseParams(), of: self)
    } catch .sessionLost {
      // The session was lost before.
    }
    isClosed = true
  }

  // MARK: Receiving

  /// Handles the messages that have arrived, without waiting.
  ///
  /// - Throws: ``ClientError`` when the connection fails.
  public func receive() throws(ClientError) {
    try connection.receive()
    try mend()
  }

  /// Handles messages until `isDone` returns true, or the session is closed.
  ///
  /// - Parameter isDone: called before the first wait and after each message.
  /// - Throws: ``ClientError`` when the connection fails.
  public func receive(until isDone: () -> Bool) throws(ClientError) {
    try receive()
    while !isDone(), !isClosed {
      _ = Poll.wait(for: [connection.descriptor], timeout: nil)
      try receive()
    }
    if let loss { throw loss }
  }

  /// Requests the document again if updates were lost.
  private func mend() throws(ClientError) {
    guard replica.isOutdated, !isClosed else { return }
    let eventsLost = replica.eventsLost
    try get()
    onChange?(.replaced(eventsLost: eventsLost))
  }

  // MARK: What the connection hands on

  /// Whether the session outlives its connection, and this program still has it.
  var isToBeAttachedAgain: Bool { key != nil && !isClosed }

  /// The params for attaching again after a reconnect.
  var attachParams: SessionAttachParams {
    var params = SessionAttachParams()
    params.key = key ?? ""
    params.sequence = lastEvent
    return params
  }

  /// Updates the session after a reconnect. Its number may have changed.
  func returned(_ attached: AttachedSession) {
    self.attached(attached, attachParams.key, after: lastEvent)
    onChange?(.replaced(eventsLost: missedEventsLost))
    if !missedEvents.isEmpty { onChange?(.updated(patch: [:], events: missedEvents, cause: nil)) }
  }

  /// Notes the loss of the session.
  func lost(_ error: ClientError) {
    isClosed = true
    loss = error
    onChange?(.lost(error))
  }

  func updated(_ update: SessionUpdate) {
    if let last = update.events.last { lastEvent = max(lastEvent, last.sequence) }
    let before = replica.document
    let isMerged = replica.updated(update) == .merged
    if isMerged { told.documentChanged(by: update.patch, from: before) }
    // An event is reported once, even if the patch was not merged.
    guard isMerged || !update.events.isEmpty else { return }
    if isMerged, update.values != nil || !update.absent.isEmpty {
      valuesTold(update.values ?? [:], absent: update.absent)
    }
    onChange?(.updated(patch: isMerged ? update.patch : [:], events: update.events, cause: update.head.cause))
  }

  private func valuesTold(_ values: JSONObject, absent: [String]) {
    for member in values { told.set(member.value, at: member.name, in: replica.document) }
    for address in absent { told.set(nil, at: address, in: replica.document) }
    onChange?(.valuesTold(values, absent: absent))
  }

  func desynchronized(_ desync: SessionDesync) {
    replica.desynchronized(eventsLost: desync.eventsLost)
  }

  func closed(_ reason: SessionClosed.Reason?) {
    isClosed = true
    // Another daemon has taken the session, and this program does not take it back.
    if reason == .moved { loss = .sessionLost(reason: "another daemon took it over") }
    onChange?(.closed(reason))
  }
}
