internal import CEL
internal import FormProtocol
internal import Forms
internal import JSON

/// All that the server knows: the folders, the texts, and what they came to.
///
/// Always true: what is kept of a text is kept with the text's stamp, and not used for another text.
struct Workspace {
  let capabilities: ClientCapabilities
  /// What data is judged by.
  let clock: FormClock
  /// What a position's character is.
  let encoding: PositionEncoding
  private(set) var settings = Settings()
  var texts = TextStore()
  var catalog: FolderCatalog
  /// By key of a definition: what its text came to.
  private var forms: [String: FormText] = [:]
  /// The same of test files, and of data.
  var tests: [String: TestText] = [:]
  var dataTexts: [String: DataText] = [:]
  /// What checks found in data, where they are asked.
  var checks = TextChecks()
  /// By key: what was found, which is told again as long as it holds.
  private var judged: [String: Judgment] = [:]
  /// By key of a list of data files: what it says, and the stamp of its text.
  var fileLists: [String: (stamp: Int, files: [DataFiles])] = [:]
  /// Open documents of which the editor may have to be told, in order.
  private var stale: [String] = []
  /// By key: the result that the editor was told last.
  private var published: [String: String] = [:]
  /// Counts what may change other files than the documents say: files that a schema refers to.
  private(set) var generation = 0

  /// A workspace of nothing, before the editor has said what there is.
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
    // The server's order: bytes cost nothing.
    encoding = [.utf8, .utf32].first(where: capabilities.encodings.contains) ?? .utf16
    let folders = params.folders?.value?.map(\.uri) ?? [params.rootURI?.value].compactMap(\.self)
    catalog = FolderCatalog(folders: folders.compactMap(DocumentURI.path))
    settings = Settings(params.options ?? .null)
  }

  // MARK: What happens

  /// Something changed: what is said of the open documents may be wrong now.
  mutating func changed() {
    generation += 1
    if !capabilities.pullsDiagnostics { stale = texts.openKeys }
  }

  /// The editor has closed a document.
  mutating func closed(_ uri: String) {
    let key = DocumentURI.key(of: uri)
    texts.closed(uri)
    checks.forget(key)
    // What the editor was told goes with the document.
    if published.removeValue(forKey: key) != nil { farewells.append(uri) }
    changed()
  }

  /// Closed documents whose diagnostics are to be taken back.
  private var farewells: [String] = []

  /// The user has set something else.
  mutating func settingsChanged(_ settings: Settings) {
    guard settings != self.settings else { return }
    self.settings = settings
    checks.forgetAll()
    for key in texts.openKeys { wantChecks(of: key) }
    changed()
  }

  // MARK: Pushes

  /// Whether there is something to push.
  var hasStaleDocuments: Bool { !stale.isEmpty || !farewells.isEmpty }

  /// The next document to be told of: its key, or of a closed one its URI.
  mutating func takeStaleDocument() -> StaleDocument? {
    if !farewells.isEmpty { return .closed(uri: farewells.removeFirst()) }
    return stale.isEmpty ? nil : .open(key: stale.removeFirst())
  }

  /// What the editor is told of a document; nil where it knows already.
  mutating func push(of document: StaleDocument) -> PublishDiagnostics? {
    var push = PublishDiagnostics()
    switch document {
    case .closed(let uri): push.uri = uri
    case .open(let key):
      guard let snapshot = texts.snapshot(of: key) else { return nil }
      push.uri = texts.uri(of: key)
      push.version = snapshot.version
      push.diagnostics = findings(of: key).map { $0.wire(in: snapshot.text, encoding) }
      let result = Self.resultID(of: push.diagnostics)
      // Of a document without faults nothing needs to be said at first.
      if published[key] ?? Self.resultID(of: []) == result { return nil }
      published[key] = result
    }
    return push
  }

  /// What stands for a list of diagnostics: another list has another.
  static func resultID(of diagnostics: [WireDiagnostic]) -> String {
    let buffer = OutputBuffer()
    diagnostics.write(into: buffer)
    // FNV-1a, 64 bits.
    let hash = buffer.bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }

  // MARK: Documents

  /// What a document is; nil for what is neither form nor data, and for what is not there.
  mutating func kind(of key: String) -> DocumentKind? {
    guard let snapshot = texts.snapshot(of: key) else { return nil }
    return DocumentKind(key: key, language: snapshot.language)
  }

  /// A definition as its text stands now; nil where there is none.
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
      keeping: texts.isOpen(key) ? forms[key]?.kept ?? KeptFormulas() : nil
    )
    forms[key] = form
    return form
  }

  /// What is wrong with a document: what checks found stands behind what the server finds itself.
  mutating func findings(of key: String) -> [Finding] {
    let own = ownFindings(of: key)
    return own + checks.findings(of: key, stamp: texts.stamp(of: key), besides: own)
  }

  /// What the server finds, in the order of the text.
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

/// A document of which the editor is to be told.
enum StaleDocument {
  case open(key: String)
  case closed(uri: String)
}
