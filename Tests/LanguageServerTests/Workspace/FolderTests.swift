import Foundation
import JSON
import Testing

@Suite struct `The folders that are open` {
  private static let pulling: JSON = ["textDocument": ["diagnostic": [:]]]

  private func judged(_ editor: Editor) -> [String] {
    let answer = editor.request("workspace/diagnostic", ["previousResultIds": []])
    return (answer["items"]?.arrayValue ?? []).compactMap {
      $0["uri"]?.stringValue.map { String($0.dropFirst(editor.folder.uri.utf8.count + 1)) }
    }
  }

  private func tell(_ editor: Editor, _ path: String, _ kind: Int64) {
    editor.notify(
      "workspace/didChangeWatchedFiles",
      ["changes": [["uri": .string(editor.uri(path)), "type": .integer(kind)]]]
    )
  }

  @Test func `have no files behind links to folders`() throws {
    let elsewhere = try TestFolder(files: ["far.form.json": "{}"])
    let editor = try Editor(files: ["near.form.json": "{}", "real/a.form.json": "{}"], capabilities: Self.pulling)
    for (name, target) in [("link", elsewhere.path), ("inner", "real")] {
      try FileManager.default.createSymbolicLink(atPath: editor.folder.path + "/" + name, withDestinationPath: target)
    }
    try FileManager.default.createSymbolicLink(
      atPath: editor.folder.path + "/file.form.json",
      withDestinationPath: "near.form.json"
    )
    #expect(judged(editor) == ["file.form.json", "near.form.json", "real/a.form.json"])
  }

  @Test func `have the files that came, and not those that went`() throws {
    let editor = try Editor(files: ["b.form.json": "{}", "in/c.form.json": "{}"], capabilities: Self.pulling)
    #expect(judged(editor) == ["b.form.json", "in/c.form.json"])
    for name in ["a.form.json", ".hidden/x.form.json", "new/d.form.json"] { try editor.folder.write("{}", to: name) }
    // The editor reports each file, one of them twice. A folder means all files in it.
    for name in ["a.form.json", "a.form.json", ".hidden/x.form.json", "new"] { tell(editor, name, 1) }
    #expect(judged(editor) == ["a.form.json", "b.form.json", "in/c.form.json", "new/d.form.json"])
    try editor.folder.remove("in")
    tell(editor, "in", 3)
    try editor.folder.remove("a.form.json")
    tell(editor, "a.form.json", 3)
    #expect(judged(editor) == ["b.form.json", "new/d.form.json"])
  }
}
