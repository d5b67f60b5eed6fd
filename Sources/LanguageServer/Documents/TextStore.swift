internal import Files
internal import Forms
internal import JSON
internal import SourceTexts

/// The texts of documents. The editor's text counts for open documents, and the file's text for others.
///
/// Always true: a stamp identifies one text of one document. A cached result keeps the stamp of its text, and is valid
/// as long as the document has that stamp.
struct TextStore {
  /// A text at one moment.
  struct Snapshot {
    let text: SourceText
    let stamp: Int
    /// The editor's language identifier; nil for files.
    var language: String?
    /// The editor's version of the text; nil for files.
    var version: Int?
  }

  fileprivate struct OpenDocument {
    let uri: String
    let language: String?
    var version: Int?
    var text: SourceText
    var stamp: Int
  }

  private struct ReadFile {
    let version: FileVersion
    let snapshot: Snapshot
  }

  /// Larger files are not read: forms and hand-written data do not get this long.
  static let fileBytesMax = Form.fileBytesMax

  /// By key.
  private var open: [String: OpenDocument] = [:]
  private var files: [String: ReadFile] = [:]
  private var lastStamp = 0
  /// The texts that were read since the recording began; nil while nothing is recorded.
  private var record: [String: Int]?
  /// A counter that changes with the set of open documents.
  private(set) var openGeneration = 0

  private mutating func nextStamp() -> Int {
    lastStamp += 1
    return lastStamp
  }

  // MARK: Reading

  /// The text of a document; nil if the document does not exist.
  mutating func snapshot(of key: String) -> Snapshot? {
    let snapshot = current(key)
    record?[key] = snapshot?.stamp ?? Self.absent
    return snapshot
  }

  private mutating func current(_ key: String) -> Snapshot? {
    if let document = open[key] {
      return Snapshot(
        text: document.text,
        stamp: document.stamp,
        language: document.language,
        version: document.version
      )
    }
    return DocumentURI.isPath(key) ? file(key) : nil
  }

  private mutating func file(_ path: String) -> Snapshot? {
    guard let version = FileVersion(path: path) else {
      files[path] = nil
      return nil
    }
    if let known = files[path], known.version == version { return known.snapshot }
    files[path] = nil
    guard let bytes = try? FileBytes.read(path, bytesMax: Self.fileBytesMax) else { return nil }
    let snapshot = Snapshot(text: SourceText(bytes), stamp: nextStamp())
    files[path] = ReadFile(version: version, snapshot: snapshot)
    return snapshot
  }

  /// The stamp of a document that does not exist.
  private static let absent = 0

  /// The stamp of a document's text; 0 if the document does not exist.
  mutating func stamp(of key: String) -> Int { snapshot(of: key)?.stamp ?? Self.absent }

  /// Starts to record which texts are read.
  mutating func beginRecord() { record = [:] }

  /// By key, the stamps of all documents that were read since ``beginRecord()``, also of missing documents.
  mutating func takeRecord() -> [String: Int] {
    defer { record = nil }
    return record ?? [:]
  }

  /// The documents that are open, in the order of their names.
  var openKeys: [String] { open.keys.sorted() }

  /// By path, the texts of files that the editor holds.
  var openFiles: [String: SourceText] { open.filter { DocumentURI.isPath($0.key) }.mapValues(\.text) }

  /// Whether the editor holds that document.
  func isOpen(_ key: String) -> Bool { open[key] != nil }

  /// A document's name as the editor spells it.
  func uri(of key: String) -> String {
    open[key]?.uri ?? (DocumentURI.isPath(key) ? DocumentURI.uri(ofPath: key) : key)
  }

  // MARK: Changing

  /// The editor opens a document.
  mutating func opened(_ document: OpenedDocument) {
    openGeneration += 1
    open[DocumentURI.key(of: document.uri)] = OpenDocument(
      uri: document.uri,
      language: document.language,
      version: document.version,
      text: SourceText(document.text),
      stamp: nextStamp()
    )
  }

  /// Takes a change of a document. A change of a document that is not open is ignored.
  mutating func changed(_ change: DidChangeParams, _ encoding: PositionEncoding) {
    let key = DocumentURI.key(of: change.document.uri)
    guard open[key] != nil else { return }
    for part in change.changes { open[key]?.apply(part, encoding) }
    if let version = change.document.version?.value { open[key]?.version = version }
    let stamp = nextStamp()
    open[key]?.stamp = stamp
  }

  /// The editor closes a document.
  mutating func closed(_ uri: String) {
    openGeneration += 1
    open[DocumentURI.key(of: uri)] = nil
  }
}

extension TextStore.OpenDocument {
  fileprivate mutating func apply(_ change: ContentChange, _ encoding: PositionEncoding) {
    guard let range = change.range else {
      text = SourceText(change.text)
      return
    }
    text.replace(text.offsets(of: range, in: encoding), with: Array(change.text.utf8))
  }
}
