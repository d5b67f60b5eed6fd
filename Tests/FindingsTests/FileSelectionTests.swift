import Findings
import Foundation
import JSON
import Testing

@Suite final class FileSelectionTests {
  private let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "selection-\(UUID().uuidString)"
    for path in [
      "a.json", "b.yaml", "note.txt", "in/c.json", "in/deep/d.json", "in/deep/.hidden.json", ".git/e.json", "[x].json",
    ] {
      let file = folder + "/" + path
      let parent = file.prefix(upTo: try #require(file.lastIndex(of: "/")))
      try FileManager.default.createDirectory(atPath: String(parent), withIntermediateDirectories: true)
      try Data("{}".utf8).write(to: URL(fileURLWithPath: file))
    }
    try FileManager.default.createDirectory(atPath: folder + "/empty", withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func found(_ arguments: String...) -> [String] {
    FileSelection(arguments.map { $0 == "-" ? $0 : folder + "/" + $0 }, suffixes: [".json", ".yaml"]).entries.map {
      switch $0 {
      case .file(let path): path.hasPrefix(folder) ? String(path.dropFirst(folder.count + 1)) : path
      case .trouble(let path, let trouble): "\(path.dropFirst(folder.count + 1)): \(trouble)"
      }
    }
  }

  @Test func `a folder is all files below it with one of the endings`() {
    #expect(found("") == ["[x].json", "a.json", "b.yaml", "in/c.json", "in/deep/d.json"])
    #expect(found("in") == ["in/c.json", "in/deep/d.json"])
  }

  @Test func `each file is there once, by the first argument`() {
    #expect(found("in/deep/d.json", "in", "-", "-") == ["in/deep/d.json", "in/c.json", "-"])
  }

  @Test(arguments: [
    ("*.json", ["[x].json", "a.json"]), ("?.json", ["a.json"]), ("[ab].*", ["a.json", "b.yaml"]),
    ("**/*.json", ["[x].json", "a.json", "in/c.json", "in/deep/d.json"]), ("in/**/d.json", ["in/deep/d.json"]),
    ("**/deep/*", ["in/deep/d.json"]), ("in/**", ["in/c.json", "in/deep/d.json"]), ("*/c.json", ["in/c.json"]),
    (".git/*", [".git/e.json"]),
  ])
  func `a pattern is the files that match`(pattern: String, expected: [String]) {
    #expect(found(pattern) == expected)
  }

  @Test func `a file whose name looks like a pattern is that file`() {
    #expect(found("[x].json") == ["[x].json"])
  }

  @Test func `a file that is not there is left to whoever reads it`() {
    #expect(found("gone.json") == ["gone.json"])
  }

  @Test func `a pipe is a file if it is named, and trouble if it is found`() {
    #expect(mkfifo(folder + "/in/p.json", 0o600) == 0)
    let trouble = "in/p.json: it is not a regular file; to read it, name it as an argument"
    #expect(found("in/p.json", "in") == ["in/p.json", "in/c.json", "in/deep/d.json"])
    #expect(found("in", "in/p.json") == ["in/c.json", "in/deep/d.json", trouble])
    #expect(found("in/p.*") == [trouble])
  }

  @Test func `what leads to no file is told`() {
    #expect(found("empty")[0].hasPrefix("empty: no file in this folder ends with .json or .yaml"))
    #expect(found("*.xml")[0].hasPrefix("*.xml: no file matches"))
  }
}
