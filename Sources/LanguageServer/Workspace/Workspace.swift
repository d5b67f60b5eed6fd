internal import CEL
internal import FormProtocol
internal import Forms
internal import JSON
internal import SourceTexts
internal import Times

/// The state of the server: the folders, the texts, and the results computed from the texts.
///
/// Always true: a result is kept with the stamp of its text, and is not used for another text.
struct Workspace {
  let capabilities: ClientCapabilities
  /// The clock for judging data.
  let clock: FormClock
  /// The unit of a position's `character`.
  let encoding: PositionEncoding
  private(set) var settings = Settings()
  var texts = TextStore()
  var catalog: FolderCatalog
  /// The forms by key of their definition, each with the results of its text.
  private var forms: [String: FormText] = [:]
  /// The test files, by key.
  var tests: [String: TestText] = [:]
  var dataTexts: [String: DataText] = [:]
  /// The state of the checks on data, if they are switched on.
  var checks = TextChecks()
  /// The judgments by key, which are reported again while they are valid.
  private var judged: [String: Judgment] = [:]
  /// The lists of data files by key: their entries, and the stamp of the text.
  var fileLists: [String: (stamp: Int, files: [DataFiles])] = [:]
  /// The names in configurations by key, with the stamp of the text.
  var configurations: [String: (stamp: Int, names: ConfiguredNames)] = [:]
  /// Open documents whose diagnostics may have changed, in order.
  private var stale: [String] = []
  /// By key: the id of the result that was sent to the editor last.
  private var published: [String: String] = [:]
  /// A counter that changes with files that a schema may refer to, because these can affect other documents.
  private(set) var generation = 0

  /// An empty workspace, before `initialize`.
  init(clock: FormClock) {
    self.clock = clock
    capabilities = ClientCapabilities()
    encoding = .utf16
    catalog = FolderCatalog(folders: [])
  }

  /// The workspace that an editor opens.
  init(_ params: InitializeParams, clock: FormClock) {
    self.clock = clock
    capabilities = ClientCapabilities(params.capabilities ?? .null)
    // UTF-8 comes first, because byte offsets need no conversion.
    encoding = [.utf8, .utf32].first(where: capabilities.encodings.contains) ?? .utf16
    let folders = params.folders?.value?.map(\.uri) ?? [params.rootURI?.value].compactMap(\.self)
    catalog = FolderCatalog(folders: folders.compactMap(DocumentURI.path))
    settings = Settings(params.options ?? .null)
  }

  // MARK: What happens

  /// Something has changed: the diagnostics of all open documents may be outdated.
  mutating func invalidateDiagnostics() {
    generation += 1
    if !capabilities.pullsDiagnostics { stale = texts.openKeys }
  }

  /// The editor has closed a document.
  mutating func closed(_ uri: String) {
    let key = DocumentURI.key(of: uri)
    texts.closed(uri)
    checks.forget(key)
    // The diagnostics that were sent are withdrawn with the document.
    if published.removeValue(forKey: key) != nil { farewells.append(uri) }
    invalidateDiagnostics()
  }

  /// Closed documents whose diagnostics must be withdrawn.
  private var farewells: [String] = []

  /// Takes new settings.
  mutating func settingsChanged(_ settings: Settings) {
    guard settings != self.settings else { return }
    self.settings = settings
    checks.forgetAll()
    for key in texts.openKeys { wantChecks(of: key) }
    invalidateDiagnostics()
  }

  // MARK: Pushes

  /// Whether there is something to push.
  var hasStaleDocuments: Bool { !stale.isEmpty || !farewells.isEmpty }

  /// The next document with diagnostics to send: its key, or its URI if it is closed.
  mutating func takeStaleDocument() -> StaleDocument? {
    if !farewells.isEmpty { return .closed(uri: farewells.removeFirst()) }
    return stale.isEmpty ? nil : .open(key: stale.removeFirst())
  }

  /// The diagnostics to send for a document; nil if the editor has them already.
  mutating func push(of document: StaleDocument) -> PublishDiagnostics? {
    var push = PublishDiagnostics()
    switch document {
    case .closed(let uri): push.uri = uri
    case .open(let key):
      guard let snapshot = texts.snapshot(of: key) else { return nil }
      push.uri = texts.uri(of: key)
      push.version = snapshot.version
      push.diagnostics = findings(of: key).map { $0.wire(in: snapshot.text, encoding, relatingTo: relatedURI(of: key)) }
      let result = Self.resultID(of: push.diagnostics)
      // A document without problems needs no first notification.
      if published[key] ?? Self.resultID(of: []) == result { return nil }
      published[key] = result
    }
    return push
  }

  /// The document's URI, if the editor shows related parts of diagnostics.
  func relatedURI(of key: String) -> String? { capabilities.showsRelated ? texts.uri(of: key) : nil }

  /// An id for a list of diagnostics: different lists have different ids.
  static func resultID(of diagnostics: [WireDiagnostic]) -> String {
    let buffer = OutputBuffer()
    diagnostics.write(into: buffer)
    // FNV-1a, 64 bits.
    let hash = buffer.bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }

  // MARK: Documents

  /// The kind of a document; nil if it is not a form, a test or data, or if it does not exist.
  mutating func kind(of key: String) -> DocumentKind? {
    guard let snapshot = texts.snapshot(of: key) else { return nil }
    if settings.configuration != nil, configurationKey(for: key) == key { return .configuration }
    return DocumentKind(key: key, language: snapshot.language)
  }

  /// The current definition; nil if there is none.
  mutating func form(at key: String) -> FormText? {
    guard let snapshot = texts.snapshot(of: key) else {
      forms[key] = nil
      return nil
    }
    if let form = forms[key], form.stamp == snapshot.stamp, !form.refersToFiles || form.generation == generation {
      return form
    }
    let form = FormText(
      snapshot.text,
      key: key,
      stamp: snapshot.stamp,
      generation: generation,
      openFiles: texts.openFiles,
      cache: texts.isOpen(key) ? forms[key]?.cache ?? FormCache() : nil
    )
    forms[key] = form
    return form
  }

  /// All findings in a document: the server's own findings, then the findings of checks.
  mutating func findings(of key: String) -> [Finding] {
    let own = ownFindings(of: key)
    return own + checks.findings(of: key, stamp: texts.stamp(of: key), besides: own)
  }

  /// The server's own findings, in the order of the text.
  private mutating func ownFindings(of key: String) -> [Finding] {
    if let known = judged[key], known.holds(in: &self) { return known.findings }
    var judge = DocumentJudge(key: key)
    let (judgment, isKept) = judge.judge(in: &self)
    judged[key] = isKept ? judgment : nil
    return judgment.findings
  }
}

/// The time that formulas see.
struct FormClock: Sendable {
  let now: @Sendable () -> Timestamp
  let zone: Zone
}

/// A document with diagnostics to send.
enum StaleDocument {
  case open(key: String)
  case closed(uri: String)
}
