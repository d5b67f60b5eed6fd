internal import DataLanguages
internal import Files
internal import FormCases
internal import FormProtocol
internal import Forms
package import JSON
internal import Sessions
internal import SourceTexts

/// The state behind the page of `formctl studio`: a form whose file is followed, and a session of the form in virtual
/// time, with answers that the author types in.
///
/// It has no socket and no clock. A page sends texts of JSON-RPC to ``received(_:)``, and the program says how much
/// time has passed. All pages share one session.
///
/// **Messages.** A page speaks the protocol of sessions, so that `client.js` serves its form as on any page: it opens
/// the session, gets updates, and sends inputs. Further calls begin with `studio/`; see ``StudioCall``. All pages get
/// `studio/state` after each change.
///
/// **The session is its steps.** ``CaseRecorder`` records each input, each answer and each move of the clock. When the
/// form, the language, the zone or the beginning changes, a new session carries out the same steps, so the author goes
/// on where they were. A saved case is these steps, too, played once more with other values in place of secrets.
///
/// **The clock** stands until a timer of the session is due. While ``isClockRunning``, it moves there after that much
/// real time. So typing needs no attention, and a case has only the times that matter. It stands while a request waits,
/// because no request may time out while the author types its answer.
package final class Studio {
  /// Messages for all pages, and messages for one page behind them.
  package struct Output {
    package var all: [JSON] = []
    package var own: [JSON] = []
  }

  /// The file or the folder that the author named.
  let path: String
  /// The forms at that path.
  var files: [String] = []
  /// The form that is shown; nil if there is none.
  var file: String?
  /// Everything that is wrong with the file.
  var problems: [Diagnostic] = []
  /// The last version of the form that could be compiled.
  var form: Form?
  /// The text of that version.
  var formText: ScannedText?
  /// How the session begins.
  var beginning = TestCase()
  /// The session; nil until the form could be compiled.
  var recorder: CaseRecorder?
  /// The number of the session. It grows with each new one.
  var life = 0
  /// Answers that requests of one kind get at once: the request without its payload, and the response.
  var mocks: [(request: JSON, response: PromisedResponse)] = []
  /// Whether the clock moves to the next timer by itself.
  var isClockRunning = true
  /// Real milliseconds since the last move of the clock, while a timer waits.
  private var waited = 0
  /// The document and the values that the pages have.
  var told: (document: JSON, values: JSONObject) = ([:], [:])
  private var revision = 0
  /// Replaces a file.
  let write: ([UInt8], String) -> String?
  /// Files and folders that are looked at, so that a large folder costs little. The forms of a project are far fewer.
  private static let entriesMax = 2_000
  /// How often the files are looked at: too often for people to notice a delay.
  private static let lookMilliseconds = 300
  /// Real milliseconds since the last look.
  private var sinceLook = 0
  /// The versions of the files around the form.
  private var versions: [String: FileVersion] = [:]

  /// Shows the first form at a path.
  ///
  /// - Parameters:
  ///   - path: a file with a form, or a folder.
  ///   - given: initial values of each session.
  ///   - context: the context of each session.
  ///   - write: replaces a file, and returns what is wrong; nil: nothing.
  package init(
    _ path: String,
    given: JSONObject? = nil,
    context: JSONObject? = nil,
    write: @escaping (_ bytes: [UInt8], _ path: String) -> String?
  ) {
    self.path = path
    (beginning.given, beginning.context) = (given, context)
    self.write = write
    beginning.now = CaseTime(TestCase.beginning)
    lookForFiles()
    choose(files.first)
    versions = currentVersions
  }

  // MARK: Files

  private func lookForFiles() {
    guard FolderContents.isFolder(path) else {
      files = [Self.short(path)]
      return
    }
    var contents = FolderContents(suffixes: AuthoredFile.form.suffixes, entriesMax: Self.entriesMax)
    contents.find(in: path)
    files = contents.files.map(Self.short).sorted()
  }

  /// The path without the folder in which the program runs.
  private static func short(_ path: String) -> String { path.hasPrefix("./") ? String(path.dropFirst(2)) : path }

  /// Shows another form, from its beginning.
  func choose(_ file: String?) {
    self.file = file
    (form, formText) = (nil, nil)
    recorder = nil
    mocks = []
    beginning.locale = nil
    compile()
    begin()
  }

  /// Reads the form's file again. If the file is broken, the last form stays.
  private func compile() {
    guard let file else {
      let remedy: Remedy = "save a form there, for example as contact.form.json"
      let message = "this folder has no *.form.json and no *.form.yaml"
      problems = [Diagnostic(file: path, code: "file", message: message, remedy: remedy)]
      return
    }
    do throws(SystemError) {
      let bytes = try FileBytes.read(file, bytesMax: Form.fileBytesMax)
      let compilation = Form.compile(bytes, file: file, followsFiles: true)
      problems = compilation.diagnostics
      if let compiled = compilation.form {
        form = compiled
        let language = DataLanguage(fileName: file) ?? .json
        formText = ScannedText(SourceText(bytes), language: language)
      }
    } catch {
      problems = [Diagnostic(file: file, code: "file", message: "cannot be read (\(error))")]
    }
  }

  /// The folder of the form with the schemas beside it, and the folder that the author named.
  private var currentVersions: [String: FileVersion] {
    var contents = FolderContents(suffixes: [".json", ".jsonc", ".yaml", ".yml"], entriesMax: Self.entriesMax)
    let folders = [path, file].compactMap(\.self).map { path in
      FolderContents.isFolder(path) ? path : path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    }
    for folder in Set(folders) { contents.find(in: folder) }
    return Dictionary(contents.files.map { ($0, FileVersion(path: $0)) }) { $1 }.compactMapValues(\.self)
  }

  // MARK: Time

  /// So much real time has passed.
  ///
  /// - Returns: messages for all pages.
  package func timePassed(milliseconds: Int) -> [JSON] {
    sinceLook += milliseconds
    if sinceLook >= Self.lookMilliseconds {
      sinceLook = 0
      let now = currentVersions
      if now != versions {
        versions = now
        return filesChanged()
      }
    }
    guard isClockRunning, let recorder, recorder.waiting.isEmpty, let wait = recorder.state.wait else {
      waited = 0
      return []
    }
    waited += milliseconds
    guard Duration.milliseconds(waited) >= wait else { return [] }
    var step = TestStep()
    step.advance = CaseDuration(milliseconds: wait)
    return (try? perform(step)) ?? []
  }

  private func filesChanged() -> [JSON] {
    let before = form?.fingerprint
    lookForFiles()
    if file == nil || !files.contains(file ?? "") { choose(files.first) } else { compile() }
    if form?.fingerprint != before { begin(with: recorder?.testCase) }
    return [state]
  }

  // MARK: The session

  /// Begins a session.
  ///
  /// - Parameter played: a case whose steps are carried out. Steps that the form refuses are left out.
  func begin(with played: TestCase? = nil) {
    life += 1
    waited = 0
    revision = 0
    guard let form, form.problem(ofContext: beginning.context) == nil else {
      recorder = nil
      if let form, let problem = form.problem(ofContext: beginning.context) {
        let remedy: Remedy = "give a context: formctl studio --context JSON"
        let told = Diagnostic(file: file, code: "context", message: problem, remedy: remedy)
        if !problems.contains(told) { problems.append(told) }
      }
      return
    }
    let recorder = CaseRecorder(form, beginning, keepsSecrets: true)
    if let played { recorder.repeatSteps(of: played) }
    self.recorder = recorder
    _ = answerByMocks()
    told = current
  }

  private var current: (document: JSON, values: JSONObject) {
    guard let recorder else { return ([:], [:]) }
    return (recorder.document, recorder.state.session.values().objectValue ?? [:])
  }

  /// Carries out a step.
  ///
  /// - Returns: the messages for all pages.
  /// - Throws: why the session refuses the step.
  func perform(_ step: TestStep) throws(StepRefusal) -> [JSON] {
    guard let recorder else { return [] }
    try recorder.perform(step)
    waited = 0
    let events = recorder.state.events
    return news(events + answerByMocks())
  }

  /// Answers the oldest request.
  ///
  /// - Returns: the messages for all pages.
  /// - Throws: why not: no request waits, or the response does not fit.
  func answer(_ response: PromisedResponse) throws(StepRefusal) -> [JSON] {
    guard let recorder else { return [] }
    try recorder.answer(response)
    let events = recorder.state.events
    return news(events + answerByMocks())
  }

  /// Answers waiting requests while the oldest one has a mock.
  ///
  /// - Returns: the events of these answers.
  private func answerByMocks() -> [ActionEvent] {
    var events: [ActionEvent] = []
    while let recorder, let waiting = recorder.waiting.first,
      let mock = mocks.first(where: { $0.request == waiting.head.json })
    {
      guard (try? recorder.answer(mock.response)) != nil else { break }
      events += recorder.state.events
    }
    return events
  }

  private func news(_ events: [ActionEvent]) -> [JSON] {
    let before = told
    told = current
    revision += 1
    var update = SessionUpdate(
      UpdateHead(session: Int64(life), revision: revision, from: revision - 1, cause: .effect),
      events: events
    )
    update.patch = told.document.patch(from: before.document) ?? [:]
    let changed = told.values.filter { before.values[$0.name] != $0.value }
    if !changed.isEmpty { update.values = JSONObject(changed.map { ($0.name, $0.value) }) }
    update.absent = before.values.names.filter { told.values[$0] == nil }
    return [Self.push(SessionUpdate.push.wireName.description, update.json), state]
  }

  static func push(_ name: String, _ params: JSON) -> JSON {
    ["jsonrpc": "2.0", "method": .string(name), "params": params]
  }

  /// The session as a whole.
  var opened: SessionState {
    var answer = SessionState(session: Int64(life), revision: revision, values: told.values)
    answer.document = told.document
    return answer
  }

  /// The session's revision.
  var currentRevision: Int { revision }
}

extension CaseDuration {
  /// The next whole millisecond.
  fileprivate init?(milliseconds duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self.init("\(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)ms")
  }
}

extension JSON {
  /// The merge patch (RFC 7396) that makes this value of an earlier one; nil if they are equal.
  func patch(from before: JSON) -> JSON? {
    guard case .object(let now) = self, case .object(let then) = before else { return self == before ? nil : self }
    var patch = JSONObject()
    for member in now {
      if let old = then[member.name] {
        patch[member.name] = member.value.patch(from: old)
      } else {
        patch[member.name] = member.value
      }
    }
    for name in then.names where now[name] == nil { patch[name] = .null }
    return patch.isEmpty ? nil : .object(patch)
  }
}
