public import CEL
internal import FormProtocol
public import JSON
internal import JSONRPC

/// A language server for forms, their tests and the data that they judge: bytes in, bytes out.
///
/// It knows no stream, no thread and no clock. Whoever has it passes on what the editor writes, lets it do one thing after the other,
/// and writes what it says:
///
/// ```swift
/// server.receive(bytes)                       // as often as there is something to read
/// while server.hasWork { server.step() }      // in between: read on, so that only the last of several changes is judged
/// if let output = server.takeOutput() { … }
/// ```
///
/// Always true:
/// - Every request gets one answer, in the order of arrival but for those of ``WorkspaceSweep``, which take many steps.
/// - What it says of a document follows from the texts alone, whatever the edits were that led to them.
/// - Nothing that it receives ends it, but `exit` and the end of the input.
public struct LanguageServer: ~Copyable {
  var stream = MessageStream()
  var writer = RPCWriter(pool: OutputPool())
  /// What was read and not done yet.
  var queue: [QueuedMessage] = []
  /// Messages of `queue` before this one are done.
  private var done = 0
  private var life = ServerLife.created
  private var workspace: Workspace
  /// A request that goes over many files, while it does.
  var sweep: WorkspaceSweep?
  /// By the server's own requests that wait for an answer: what was asked.
  private var asked: [Int: ServerMethod] = [:]

  /// A server that nobody has spoken to.
  ///
  /// - Parameters:
  ///   - now: what `now` and `today` go by when data is judged.
  ///   - zone: in which it is `today`.
  public init(now: @escaping @Sendable () -> Timestamp = { .epoch }, zone: Zone = .utc) {
    workspace = Workspace(clock: FormClock(now: now, zone: zone))
    writer.framing = .headers
  }

  /// Whether ``step()`` has something to do.
  public var hasWork: Bool {
    exitStatus == nil && (done < queue.count || workspace.hasStaleDocuments || sweep != nil)
  }

  /// The status that the process is to end with; nil as long as it is to go on.
  public var exitStatus: Int32? {
    if case .ended(let status) = life { status } else { nil }
  }

  /// The editor will send no more. What it sent is still answered.
  public mutating func inputEnded() { queue.append(.exit) }

  /// All that is to be written, nil if nothing is.
  public mutating func takeOutput() -> OutputBuffer? { writer.takeOutput() }

  /// Does one thing: a message, then, when all are done, what is to be said of one document, or one file of a sweep.
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

  /// What a daemon is to be asked next: the checks of forms, where the editor's settings want them. Asked for when there is no other work.
  ///
  /// - Returns: nil when there is nothing to ask.
  package mutating func takeCheckQuestion() -> CheckQuestion? {
    life == .running ? workspace.nextCheckQuestion() : nil
  }

  /// Takes what came of a question, at whatever time, in whatever order.
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
      // An editor asks for one at a time; a further one takes the place of the first.
      if let sweep { writer.fail(sweep.token, .cancelled) }
      let sweep = WorkspaceSweep(token: token, params: params, files: workspace.judgedFiles)
      if let progress = sweep.begun { notify(.progress, progress) }
      self.sweep = sweep
    }
  }

  /// Refuses a request that may not be made now.
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
      answer(token, try request.answer(from: &workspace))
    } catch {
      writer.fail(token, error)
    }
  }

  /// Whether a change of that document waits already: then only what it comes to is worth judging.
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

  private mutating func show(_ words: String) {
    var message = ShownMessage()
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

  private mutating func ask(_ method: ServerMethod, _ params: JSON = .null) {
    let number = writer.ask(method.wireName) { $0.write(params) }
    asked[number] = method
  }

  /// What can be asked once the editor listens.
  private mutating func askEditor() {
    if workspace.capabilities.registersWatchers { ask(.registerCapability, ServerCapabilities.watchers) }
    askSettings()
  }

  private mutating func askSettings() {
    guard workspace.capabilities.givesConfiguration else { return }
    ask(.configuration, ["items": [["section": .string(Settings.section)]]])
  }

  private mutating func take(_ result: JSON?, of number: Int) {
    guard asked.removeValue(forKey: number) == .configuration, let settings = result?.arrayValue?.first else { return }
    workspace.settingsChanged(Settings(settings))
    if workspace.capabilities.refreshesDiagnostics { ask(.refreshDiagnostics) }
  }
}
