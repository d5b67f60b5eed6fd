import Foundation
import JSON
import Testing

/// Runs the conversations in `Conversations`. A line of a file is one of these: a message of the editor (`-> {...}`), a
/// message of the server (`<- {...}`), or a remark (`# ...`). A line `-- NAME "TEXT"` is a file of the folder from the
/// beginning. `$FOLDER` is the folder.
///
/// With `FORMD_REWRITE=1` the server's messages are written again.
@Suite struct `Conversations with a language server` {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Conversations")

  static let names: [String] = {
    // Without files the tests would have no cases, and pass.
    guard let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
      fatalError("there are no files at \(folder.path)")
    }
    return files.filter { $0.hasSuffix(".txt") }.sorted()
  }()

  @Test func `there are some`() {
    #expect(Self.names.count > 5)
  }

  @Test(arguments: names)
  func `the server says what it said`(_ name: String) throws {
    let file = Self.folder.appending(path: name)
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let editor = try Editor()
    var heard: [String] = []
    for line in lines {
      let content = String(line.dropFirst(3)).replacingOccurrences(of: "$FOLDER", with: editor.folder.uri)
      switch line.prefix(2) {
      case "--":
        let parts = content.split(separator: " ", maxSplits: 1)
        try editor.folder.write(try #require(JSON(parsing: String(parts[1])).stringValue), to: String(parts[0]))
        heard.append(line)
      case "->":
        heard.append(line)
        heard += editor.send(try JSON(parsing: content)).map {
          "<- " + $0.description.replacingOccurrences(of: editor.folder.uri, with: "$FOLDER")
        }
      case "<-": break
      default: heard.append(line)
      }
    }
    let told = heard.joined(separator: "\n")
    if ProcessInfo.processInfo.environment["FORMD_REWRITE"] != nil {
      try Data(told.utf8).write(to: file)
    } else {
      #expect(told == text)
    }
  }
}
