internal import Forms
internal import JSON

/// The texts of documents: the editor's of those that are open, else the files'.
///
/// Always true: a stamp stands for one text of one document. Whoever keeps what a text came to keeps its stamp, and knows by it whether
/// the text is still that one.
struct TextStore {
  /// A text as it stands now.
  struct Snapshot {
    let text: SourceText
    let stamp: Int
    /// What the editor takes it for; nil of files.
    var language: String?
    /// The editor's version of it; nil of files.
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

  /// A larger file is not read: nobody writes forms or data for them by hand that long.
  static let fileBytesMax = Form.fileBytesMax

  /// By key.
  private var open: [String: OpenDocument] = [:]
  private var files: [String: ReadFile] = [:]
  private var lastStamp = 0
  /// What was read since somebody began to record; nil while nobody does.
  private var record: [String: Int]?
  /// Counts which documents are open.
  private(set) var openGeneration = 0

  private mutating func nextStamp() -> Int {
    lastStamp += 1
    return lastStamp
  }

  // MARK: Reading

  /// The text of a document; nil where there is none.
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

  /// What stands for a document that is not there.
  private static let absent = 0

  /// The stamp of a document's text; 0 where there is none.
  mutating func stamp(of key: String) -> Int { snapshot(of: key)?.stamp ?? Self.absent }

  /// From now on it is noted which texts are read.
  mutating func beginRecord() { record = [:] }

  /// By key, the stamps of all documents that were read since ``beginRecord()``, those that are not there among them.
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

  /// The editor changes a document; one that is not open is not changed.
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
