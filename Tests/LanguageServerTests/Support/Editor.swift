import FormProtocol
import Foundation
import JSON
import LanguageServer
internal import SourceTexts

/// An editor with a server of its own, which talks in JSON and keeps a folder of files.
final class Editor {
  private var server = LanguageServer()
  let folder: TestFolder
  private var lastID: Int64 = 0
  /// The texts that the editor holds, by path.
  private var texts: [String: String] = [:]
  private var versions: [String: Int64] = [:]
  /// The messages that the server sent without a request.
  private(set) var said: [JSON] = []

  /// An editor that has not sent anything yet.
  init(files: [String: String] = [:]) throws {
    folder = try TestFolder(files: files)
  }

  /// An editor that has said hello.
  ///
  /// - Parameter capabilities: the editor's capabilities; by default it takes pushed diagnostics.
  convenience init(files: [String: String] = [:], capabilities: JSON, options: JSON = .null) throws {
    try self.init(files: files)
    _ = request(
      "initialize",
      [
        "capabilities": capabilities, "initializationOptions": options,
        "workspaceFolders": [["uri": .string(folder.uri), "name": "folder"]],
      ]
    )
    notify("initialized", [:])
  }

  // MARK: Messages

  /// Sends a message and returns the server's messages until the server has nothing more to do.
  @discardableResult
  func send(_ message: JSON) -> [JSON] {
    receive(Self.frame(message.description))
    return run()
  }

  /// Passes bytes on; the server does not process them yet.
  func receive(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { server.receive($0) }
  }

  /// Lets the server do all that there is to do.
  func run() -> [JSON] {
    while server.hasWork { server.step() }
    return output()
  }

  /// Lets the server do one thing.
  func step() -> [JSON] {
    server.step()
    return output()
  }

  var hasWork: Bool { server.hasWork }
  var exitStatus: Int32? { server.exitStatus }

  func endInput() -> [JSON] {
    server.inputEnded()
    return run()
  }

  private func output() -> [JSON] {
    guard let output = server.takeOutput() else { return [] }
    let messages = Self.messages(in: Array(output.bytes))
    said += messages.filter { $0["method"] != nil }
    return messages
  }

  static func frame(_ text: String) -> [UInt8] { Array("Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8) }

  private static func messages(in bytes: [UInt8]) -> [JSON] {
    var rest = bytes[...]
    var messages: [JSON] = []
    while !rest.isEmpty {
      guard let end = rest.firstRange(of: Array("\r\n\r\n".utf8)),
        let length = String(decoding: rest[..<end.lowerBound], as: UTF8.self).split(separator: ": ").last.flatMap({
          Int($0)
        }),
        let message = try? JSON(parsing: Array(rest[end.upperBound...].prefix(length)))
      else { preconditionFailure("no frame: \(String(decoding: rest, as: UTF8.self))") }
      messages.append(message)
      rest = rest[(end.upperBound + length)...]
    }
    return messages
  }

  /// Asks, and returns the result; the error as `{"error": ...}`.
  func request(_ method: String, _ params: JSON = .null) -> JSON {
    lastID += 1
    let id = lastID
    let answers = send(["jsonrpc": "2.0", "id": .integer(id), "method": .string(method), "params": params])
      .filter { $0["id"] == .integer(id) && $0["method"] == nil }
    guard answers.count == 1, let answer = answers.first else { preconditionFailure("\(method): \(answers)") }
    return answer["result"] ?? ["error": answer["error"] ?? .null]
  }

  func notify(_ method: String, _ params: JSON) {
    send(["jsonrpc": "2.0", "method": .string(method), "params": params])
  }

  // MARK: Checks

  /// All requests that the server wants to be asked of a daemon.
  func requests() -> [CheckRequest] {
    var requests: [CheckRequest] = []
    while let request = server.takeCheckRequest() { requests.append(request) }
    return requests
  }

  /// Gives the server an answer of the daemon. Returns the server's next messages.
  @discardableResult
  func answer(_ request: CheckRequest, _ answer: CheckAnswer) -> [JSON] {
    server.take(answer, of: request.number)
    return run()
  }

  // MARK: Documents

  func uri(_ path: String) -> String { folder.uri(of: path) }

  /// Opens a document. A `¦` in the text is the caret, and no part of it. Returns the caret's position.
  @discardableResult
  func open(_ path: String, _ marked: String, language: String = "json") -> JSON {
    let (text, caret) = Self.split(marked)
    texts[path] = text
    notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": .string(uri(path)), "languageId": .string(language), "version": 1, "text": .string(text),
        ]
      ]
    )
    return target(path, caret)
  }

  /// The params of a request about a caret.
  func target(_ path: String, _ position: JSON) -> JSON {
    ["textDocument": ["uri": .string(uri(path))], "position": position]
  }

  /// The position of the first occurrence of a text in an open document.
  func target(_ path: String, of text: String) -> JSON {
    let held = texts[path] ?? ""
    let prefix = held.range(of: text).map { String(held[..<$0.lowerBound]) } ?? held
    return target(path, Self.position(behind: prefix))
  }

  func change(_ path: String, to text: String) {
    versions[path, default: 1] += 1
    texts[path] = text
    notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string(uri(path)), "version": .integer(versions[path] ?? 0)],
        "contentChanges": [["text": .string(text)]],
      ]
    )
  }

  static func split(_ marked: String) -> (text: String, caret: JSON) {
    let parts = marked.split(separator: "¦", maxSplits: 1, omittingEmptySubsequences: false)
    return (parts.joined(), position(behind: String(parts[0])))
  }

  /// The position after a text, in UTF-16.
  static func position(behind text: String) -> JSON {
    let lines = text.replacingOccurrences(of: "\r\n", with: "\n")
      .split(separator: "\n", omittingEmptySubsequences: false)
    return ["line": .integer(Int64(lines.count - 1)), "character": .integer(Int64(lines.last?.utf16.count ?? 0))]
  }

  /// The last diagnostics that were pushed for a document; nil if there are none.
  func pushed(_ path: String) -> [JSON]? {
    let uri = uri(path)
    return said.last {
      $0["method"] == "textDocument/publishDiagnostics" && $0["params"]?["uri"] == .string(uri)
    }?["params"]?["diagnostics"]?.arrayValue
  }

  /// Requests the diagnostics of a document.
  func diagnostics(_ path: String) -> [JSON] {
    request("textDocument/diagnostic", ["textDocument": ["uri": .string(uri(path))]])["items"]?.arrayValue ?? []
  }

  /// A text with edits applied.
  func applying(_ edits: [JSON], to path: String) throws -> String {
    var lines = SourceText(try texts[path] ?? folder.read(path))
    for edit in edits.reversed() {
      func position(_ end: String) -> TextPosition {
        let position = edit["range"]?[end]
        return TextPosition(
          line: Int(position?["line"]?.integerValue ?? 0),
          character: Int(position?["character"]?.integerValue ?? 0)
        )
      }
      let range = lines.offsets(of: TextRange(start: position("start"), end: position("end")), in: .utf16)
      lines.replace(range, with: Array((edit["newText"]?.stringValue ?? "").utf8))
    }
    return String(decoding: lines.bytes, as: UTF8.self)
  }
}

/// A folder that `deinit` removes.
final class TestFolder {
  let path: String

  init(files: [String: String]) throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "editor-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    path = root.path
    for (name, text) in files { try write(text, to: name) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var uri: String { "file://" + path }

  func uri(of name: String) -> String { name.hasPrefix("untitled:") ? name : uri + "/" + name }

  func write(_ text: String, to name: String) throws {
    let file = URL(filePath: path).appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path).appending(path: name)), as: UTF8.self)
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: URL(filePath: path).appending(path: name))
  }
}
