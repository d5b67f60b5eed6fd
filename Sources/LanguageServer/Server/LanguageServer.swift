internal import CEL
internal import FormProtocol
public import JSON
internal import JSONRPC
public import Times

/// A language server for forms, their tests and the data that they judge: bytes in, bytes out.
///
/// It has no stream, no thread and no clock. Its owner passes the editor's bytes to it, calls ``step()`` while there is
/// work, and writes its output:
///
/// ```swift
/// server.receive(bytes)                       // as often as there is something to read
/// while server.hasWork { server.step() }      // read on in between, so that only the last change is judged
/// if let output = server.takeOutput() { … }
/// ```
///
/// Always true:
/// - Every request gets one answer, in the order of arrival. Only a ``WorkspaceSweep``, which takes many steps, may
///   answer later.
/// - The findings in a document depend on the texts alone, and not on the edits that led to them.
/// - The server ends only at `exit` and at the end of the input.
public struct LanguageServer: ~Copyable {
  var stream = MessageStream()
  var writer = RPCWriter(pool: OutputPool())
  /// Messages that were read and are not handled yet.
  var queue: [QueuedMessage] = []
  /// The messages of `queue` before this index are handled.
  private var done = 0
  private var life = ServerLife.created
  private var workspace: Workspace
  /// A request that covers many files, while it is in progress.
  var sweep: WorkspaceSweep?
  /// The server's own requests that have no answer yet, by their ids.
  private var asked: [Int: ServerMethod] = [:]
  /// By the id of a question to the user: the rename that was refused.
  private var refusedRenames: [Int: RenameParams] = [:]

  /// Creates a server for a new connection.
  ///
  /// - Parameters:
  ///   - now: the clock of `now` and `today` when data is judged.
  ///   - zone: the time zone of `today`.
  public init(now: @escaping @Sendable () -> Timestamp = { .epoch }, zone: Zone = .utc) {
    workspace = Workspace(clock: FormClock(now: now, zone: zone))
    writer.framing = .headers
  }

  /// Whether ``step()`` has something to do.
  public var hasWork: Bool {
    exitStatus == nil && (done < queue.count || workspace.hasStaleDocuments || sweep != nil)
  }

  /// The exit status of the process; nil while the server goes on.
  public var exitStatus: Int32? {
    if case .ended(let status) = life { status } else { nil }
  }

  /// Notes the end of the input. The messages before it are still answered.
  public mutating func inputEnded() { queue.append(.exit) }

  /// Takes all output, nil if there is none.
  public mutating func takeOutput() -> OutputBuffer? { writer.takeOutput() }

  /// Does one piece of work. Messages come first, then the findings of one document, or one file of a sweep.
  public mutating func step() {
    if exitStatus != nil { return }
    if done < queue.count {
      let message = queue[done]
      done += 1
      perform(message)
      if done == queue.count {
        queue.removeAll(keepingCapacity: true)
        done = 0
      }
    } else if let stale = workspace.takeStaleDocument() {
      publish(stale)
    } else if sweep != nil {
      stepSweep()
    }
    if let words = workspace.catalog.takeWarning() { show(words) }
  }

  // MARK: Checks

  /// The next request for a daemon: the checks of forms, if the editor's settings ask for them. The caller asks for it
  /// when it has nothing else to do.
  ///
  /// - Returns: nil if no request waits.
  package mutating func takeCheckRequest() -> CheckRequest? {
    life == .running ? workspace.nextCheckRequest() : nil
  }

  /// Takes the outcome of a request. Outcomes may arrive at any time and in any order.
  package mutating func take(_ answer: CheckAnswer, of number: Int) {
    guard life == .running else { return }
    if let words = workspace.take(answer, of: number) { show(words) }
    if workspace.capabilities.refreshesDiagnostics { ask(.refreshDiagnostics) }
  }

  // MARK: Messages

  private mutating func perform(_ message: QueuedMessage) {
    switch message {
    case .refused(let token, let error): writer.fail(token, error)
    case .exit: life.exited()
    case .initialize(let token, let params): initialize(token, params)
    case .answer(let number, let result): take(result, of: number)
    case .initialized: if life == .running { askEditor() }
    case .notice(let notice): if life == .running { apply(notice) }
    case .shutdown(let token):
      guard refuses(token) == false else { return }
      life = .shutDown
      answer(token, Nothing())
    case .request(let token, let request):
      guard refuses(token) == false else { return }
      perform(request, token)
    case .workspaceDiagnostic(let token, let params):
      guard refuses(token) == false else { return }
      // An editor asks for one sweep at a time; a further sweep replaces the first.
      if let sweep { writer.fail(sweep.token, .cancelled) }
      let sweep = WorkspaceSweep(token: token, params: params, files: workspace.judgedFiles)
      if let progress = sweep.begun { notify(.progress, progress) }
      self.sweep = sweep
    }
  }

  /// Refuses a request that is not allowed in the current state.
  private mutating func refuses(_ token: RequestToken) -> Bool {
    guard let refusal = life.refusal else { return false }
    writer.fail(token, refusal)
    return true
  }

  private mutating func initialize(_ token: RequestToken, _ params: InitializeParams) {
    guard life == .created else { return writer.fail(token, life == .running ? .isInitialized : .isShutDown) }
    life = .running
    workspace = Workspace(params, clock: workspace.clock)
    answer(token, ServerCapabilities.answer(encoding: workspace.encoding))
  }

  private mutating func apply(_ notice: some EditorNotice) {
    notice.apply(to: &workspace)
    if notice is DidChangeConfigurationParams { askSettings() }
    if notice is DidChangeWatchedFilesParams, workspace.capabilities.refreshesDiagnostics { ask(.refreshDiagnostics) }
  }

  private mutating func perform<Request: EditorRequest>(_ request: Request, _ token: RequestToken) {
    if let request = request as? DocumentDiagnosticParams, isChangedLater(request.document.uri) {
      return writer.fail(token, .changedMeanwhile)
    }
    do throws(RPCError) {
      let result = try request.answer(from: &workspace)
      answer(token, result)
      if request is ExecuteCommandParams, let json = result as? JSON, let words = ExecuteCommandParams.message(of: json)
      {
        show(words, json["passed"] == true ? .info : .error)
      }
    } catch {
      writer.fail(token, error)
      if let rename = request as? RenameParams { offer(rename, refusedBecauseOf: error) }
    }
  }

  /// Asks the user whether a name is changed although something would break. The user may want to mend that later.
  private mutating func offer(_ rename: RenameParams, refusedBecauseOf error: RPCError) {
    guard workspace.capabilities.appliesEdits, (try? rename.plan(in: &workspace)) != nil else { return }
    let question: JSON = [
      "type": .integer(Int64(ShownMessage.Kind.warning.rawValue)), "message": .string(error.message),
      "actions": [["title": .string(RenameParams.anyway)]],
    ]
    refusedRenames[ask(.showMessageRequest, question)] = rename
  }

  /// Takes the user's answer about a refused rename.
  private mutating func take(_ answer: JSON?, about rename: RenameParams) {
    guard answer?["title"]?.stringValue == RenameParams.anyway else { return }
    do throws(RPCError) {
      let edit = try rename.plan(in: &workspace).edit(in: &workspace)
      ask(.applyEdit, ["label": .string("Rename to \(rename.newName)"), "edit": edit.json])
    } catch {
      show(error.message)
    }
  }

  /// Whether a later change of that document is queued: then only the final text is worth judging.
  private func isChangedLater(_ uri: String) -> Bool {
    queue[done...].contains { message in
      if case .notice(let change as DidChangeParams) = message { change.document.uri == uri } else { false }
    }
  }

  // MARK: What the server says

  private mutating func answer(_ token: RequestToken, _ value: some MemberValue) {
    writer.answer(token) { value.write(into: $0) }
  }

  private mutating func notify(_ method: ServerMethod, _ params: some MemberValue) {
    writer.notify(method.wireName) { params.write(into: $0) }
  }

  private mutating func show(_ words: String, _ kind: ShownMessage.Kind = .warning) {
    var message = ShownMessage()
    message.kind = kind
    message.text = words
    notify(.showMessage, message)
  }

  private mutating func publish(_ document: StaleDocument) {
    if let push = workspace.push(of: document) { notify(.publishDiagnostics, push) }
  }

  private mutating func stepSweep() {
    guard var sweep else { return }
    for progress in sweep.step(&workspace) { notify(.progress, progress) }
    self.sweep = sweep
    guard sweep.isDone else { return }
    self.sweep = nil
    if let progress = sweep.ended { notify(.progress, progress) }
    answer(sweep.token, sweep.answer)
  }

  // MARK: What the server asks

  /// - Returns: the id of the request.
  @discardableResult
  private mutating func ask(_ method: ServerMethod, _ params: JSON = .null) -> Int {
    let number = writer.ask(method.wireName) { $0.write(params) }
    asked[number] = method
    return number
  }

  /// Sends the server's own requests, once the editor accepts them.
  private mutating func askEditor() {
    if workspace.capabilities.registersWatchers { ask(.registerCapability, ServerCapabilities.watchers) }
    askSettings()
  }

  private mutating func askSettings() {
    guard workspace.capabilities.givesConfiguration else { return }
    ask(.configuration, ["items": [["section": .string(Settings.section)]]])
  }

  private mutating func take(_ result: JSON?, of number: Int) {
    let method = asked.removeValue(forKey: number)
    if let rename = refusedRenames.removeValue(forKey: number) { return take(result, about: rename) }
    guard method == .configuration, let settings = result?.arrayValue?.first else { return }
    workspace.settingsChanged(Settings(settings))
    if workspace.capabilities.refreshesDiagnostics { ask(.refreshDiagnostics) }
  }
}
