import JSON
import Testing

@Suite struct `What a language server says is wrong` {
  private static let pulling: JSON = ["textDocument": ["diagnostic": [:]]]

  private func summary(_ diagnostic: JSON) -> String {
    let start = diagnostic["range"]?["start"]
    let end = diagnostic["range"]?["end"]
    func number(_ target: JSON?, _ name: String) -> String { target?[name]?.description ?? "?" }
    return "\(number(start, "line")):\(number(start, "character"))-\(number(end, "line")):\(number(end, "character")) "
      + (diagnostic["code"]?.stringValue ?? "?")
  }

  @Test(arguments: [
    (#"{"cases": [{"a\u0000": 1}]}"#, "nulInKey"), ("{\"cases\": [{\"a\u{0}\": 1}]}", "nulInKey"),
    (String(repeating: "[", count: 4000), "depth"),
    (String(repeating: "[", count: 2047) + String(repeating: "]", count: 2047), "depth"),
  ])
  func `a test file that no reader of JSON takes is told, open or not`(_ text: String, _ code: String) throws {
    let code = JSON.string(code)
    let editor = try Editor(files: ["on-disk.test.json": text], capabilities: Self.pulling)
    editor.open("open.test.json", text)
    #expect(editor.diagnostics("open.test.json").contains { $0["code"] == code })
    let items = editor.request("workspace/diagnostic", ["previousResultIds": []])["items"]?.arrayValue ?? []
    let onDisk = items.first { $0["uri"]?.stringValue?.hasSuffix("on-disk.test.json") == true }
    #expect(onDisk?["items"]?.arrayValue?.contains { $0["code"] == code } == true)
  }

  @Test func `a form without problems brings nothing`() throws {
    let editor = try Editor(capabilities: [:])
    editor.open("login.form.json", Samples.login)
    #expect(editor.said.isEmpty)
  }

  @Test func `problems are pushed with their ranges, and taken back when they are mended`() throws {
    let editor = try Editor(capabilities: [:])
    let broken = Samples.login.replacing("\"label\"", with: "\"lable\"")
    editor.open("login.form.json", broken)
    let pushed = try #require(editor.pushed("login.form.json"))
    #expect(pushed.map(summary) == ["16:15-16:22 unknownKey"])
    editor.change("login.form.json", to: Samples.login)
    #expect(editor.pushed("login.form.json") == [])
  }

  @Test func `broken syntax is a problem, and what can be read is judged`() throws {
    let editor = try Editor(capabilities: [:])
    editor.open(
      "login.form.json",
      Samples.login.replacing("\"required\": [\"email\"],", with: "\"required\": [\"email\"")
    )
    let codes = try #require(editor.pushed("login.form.json")).map { $0["code"] }
    #expect(!codes.isEmpty)
    #expect(!codes.contains("json"))
  }

  @Test func `a name inside of a formula has its own range, in the units of the encoding`() throws {
    for (encoding, start) in [("utf-8", 21), ("utf-16", 19), ("utf-32", 18)] {
      let editor = try Editor(capabilities: ["general": ["positionEncodings": [.string(encoding)]]])
      editor.open(
        "a.form.json",
        """
        {"schema": {"properties": {"email": {"type": "string"}}},
        "outputs": {"x": "'😀' + values.emial"}}
        """
      )
      let diagnostic = try #require(editor.pushed("a.form.json")?.first)
      #expect(diagnostic["code"] == "expression")
      let character = try #require(diagnostic["range"]?["start"]?["character"]?.integerValue)
      #expect(character == Int64(start + 6), "\(encoding)")
      #expect(diagnostic["range"]?["end"]?["character"] == .integer(character + 12))
    }
  }

  @Test func `who asks is not pushed`() throws {
    let editor = try Editor(capabilities: Self.pulling)
    editor.open("login.form.json", "{\"schema\": 1}")
    #expect(editor.said.isEmpty)
    let answer = editor.request(
      "textDocument/diagnostic",
      ["textDocument": ["uri": .string(editor.uri("login.form.json"))]]
    )
    #expect(answer["kind"] == "full")
    #expect(answer["items"]?.arrayValue?.isEmpty == false)
    let again = editor.request(
      "textDocument/diagnostic",
      [
        "textDocument": ["uri": .string(editor.uri("login.form.json"))],
        "previousResultId": answer["resultId"] ?? .null,
      ]
    )
    #expect(again == ["kind": "unchanged", "resultId": answer["resultId"] ?? .null])
  }

  @Test func `of several changes that wait only the last is judged`() throws {
    let editor = try Editor(capabilities: [:])
    editor.open("a.form.json", "{\"schema\": 1}")
    let before = editor.said.count
    for version in 2...9 {
      let text = version == 9 ? "{\"schema\": 2}" : "{\"felds\": \(version)}"
      let params: JSON = [
        "textDocument": ["uri": .string(editor.uri("a.form.json")), "version": .integer(Int64(version))],
        "contentChanges": [["text": .string(text)]],
      ]
      let message: JSON = ["jsonrpc": "2.0", "method": "textDocument/didChange", "params": params]
      editor.receive(Editor.frame(message.description))
    }
    _ = editor.run()
    // The problems have not changed, so there is nothing new to report.
    #expect(editor.said.count == before)
  }

  @Test func `a question about a text that has changed since is given back`() throws {
    let editor = try Editor(capabilities: Self.pulling)
    editor.open("a.form.json", "{}")
    let uri = editor.uri("a.form.json")
    editor.receive(
      Editor.frame(
        #"{"jsonrpc":"2.0","id":1,"method":"textDocument/diagnostic","params":{"textDocument":{"uri":"\#(uri)"}}}"#
      )
    )
    editor.receive(
      Editor.frame(
        #"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"\#(uri)","version":2},"contentChanges":[{"text":"[]"}]}}"#
      )
    )
    let answer = try #require(editor.run().first)
    #expect(answer["error"]?["code"] == -32802)
    #expect(answer["error"]?["data"]?["retriggerRequest"] == true)
  }

  @Test func `a document that is closed is the file again`() throws {
    let editor = try Editor(
      files: ["login.form.json": Samples.login, "login.test.json": Samples.loginTest],
      capabilities: [:]
    )
    editor.open("login.test.json", Samples.loginTest)
    #expect(editor.said.isEmpty)
    editor.open("login.form.json", Samples.login.replacing("\"send\"", with: "\"submit\""))
    #expect(editor.pushed("login.test.json")?.map { $0["code"] } == ["unknownName"])
    editor.notify("textDocument/didClose", ["textDocument": ["uri": .string(editor.uri("login.form.json"))]])
    #expect(editor.pushed("login.test.json") == [])
  }

  @Test func `the problems of a closed document are taken back`() throws {
    let editor = try Editor(capabilities: [:])
    editor.open("a.form.json", "{")
    #expect(editor.pushed("a.form.json")?.isEmpty == false)
    editor.notify("textDocument/didClose", ["textDocument": ["uri": .string(editor.uri("a.form.json"))]])
    #expect(editor.pushed("a.form.json") == [])
  }

  @Test func `a test file has what formctl test says of reading, and names that its form lacks`() throws {
    let editor = try Editor(files: ["login.form.json": Samples.login], capabilities: [:])
    editor.open(
      "login.test.json",
      #"{"cases": [{"name": "a", "steps": [{"tab": "send"}, {"change": "emial", "value": 1}, {"change": "emial", "value": 1, "expect": {"refused": 1004}}]}]}"#
    )
    let codes = try #require(editor.pushed("login.test.json")).map { $0["code"]?.stringValue ?? "" }
    #expect(codes == ["value", "unknown", "unknownName"])
  }

  @Test func `all files of the folders are judged, with progress, and can be given in parts`() throws {
    let files = [
      "a.form.json": Samples.login, "b.form.json": "{", "b.test.json": "{}", "c.json": "{", "sub/d.form.json": "[]",
    ]
    let editor = try Editor(files: files, capabilities: Self.pulling)
    let answer = editor.request("workspace/diagnostic", ["previousResultIds": [], "workDoneToken": "work"])
    let items = try #require(answer["items"]?.arrayValue)
    #expect(
      items.map { $0["uri"]?.stringValue }
        == ["a.form.json", "b.form.json", "b.test.json", "sub/d.form.json"].map(editor.uri)
    )
    #expect(items.map { $0["items"]?.arrayValue?.isEmpty } == [true, false, false, false])
    let kinds = editor.said.map { $0["params"]?["value"]?["kind"]?.stringValue }
    #expect(kinds == ["begin", "report", "report", "report", "report", "end"])

    let known = items.map { ["uri": $0["uri"] ?? .null, "value": $0["resultId"] ?? .null] as JSON }
    let again = editor.request("workspace/diagnostic", ["previousResultIds": .array(known), "partialResultToken": 5])
    #expect(again == ["items": []])
    let parts = editor.said.dropFirst(6).flatMap { $0["params"]?["value"]?["items"]?.arrayValue ?? [] }
    #expect(parts.map { $0["kind"] } == ["unchanged", "unchanged", "unchanged", "unchanged"])
  }

  @Test func `judging many files is interrupted by what comes meanwhile, and can be cancelled`() throws {
    let files = Dictionary(uniqueKeysWithValues: (0..<20).map { ("f\($0).form.json", "{") })
    let editor = try Editor(files: files, capabilities: Self.pulling)
    editor.receive(
      Editor.frame(#"{"jsonrpc":"2.0","id":"all","method":"workspace/diagnostic","params":{"previousResultIds":[]}}"#)
    )
    _ = editor.step()
    _ = editor.step()
    editor.receive(
      Editor.frame(#"{"jsonrpc":"2.0","id":"now","method":"workspace/symbol","params":{"query":"nothing"}}"#)
    )
    #expect(editor.step().map { $0["id"] } == ["now"])
    editor.receive(Editor.frame(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"all"}}"#))
    let said = editor.run()
    #expect(said.map { $0["id"] } == ["all"])
    #expect(said.first?["error"]?["code"] == -32800)
    #expect(!editor.hasWork)
  }

  @Test func `files and folders that come and go are noticed`() throws {
    let editor = try Editor(files: ["a.form.json": "{"], capabilities: Self.pulling)
    func judged() -> Int {
      editor.request("workspace/diagnostic", ["previousResultIds": []])["items"]?.arrayValue?.count ?? -1
    }
    #expect(judged() == 1)
    try editor.folder.write("{", to: "b.form.json")
    editor.notify(
      "workspace/didChangeWatchedFiles",
      ["changes": [["uri": .string(editor.uri("b.form.json")), "type": 1]]]
    )
    #expect(judged() == 2)
    try editor.folder.remove("a.form.json")
    #expect(judged() == 1)
    let other = try TestFolder(files: ["x.form.json": "{}", "y.form.json": "{}"])
    editor.notify(
      "workspace/didChangeWorkspaceFolders",
      ["event": ["added": [["uri": .string(other.uri), "name": "o"]], "removed": []]]
    )
    #expect(judged() == 3)
    editor.notify(
      "workspace/didChangeWorkspaceFolders",
      ["event": ["added": [], "removed": [["uri": .string(editor.folder.uri), "name": "f"]]]]
    )
    #expect(judged() == 2)
  }

  @Test func `a schema's file that is open stands for its file`() throws {
    let files = [
      "a.form.json": #"{"schema": {"$ref": "part.schema.json"}, "outputs": {"x": "values.name"}}"#,
      "part.schema.json": #"{"properties": {"other": {"type": "string"}}}"#,
    ]
    let editor = try Editor(files: files, capabilities: [:])
    editor.open("a.form.json", files["a.form.json"] ?? "")
    #expect(editor.pushed("a.form.json")?.map { $0["code"] } == ["expression"])
    editor.open("part.schema.json", #"{"properties": {"name": {"type": "string"}}}"#)
    #expect(editor.pushed("a.form.json") == [])
  }

  @Test func `nobody is told of files that are neither forms nor data`() throws {
    let editor = try Editor(capabilities: Self.pulling)
    editor.open("notes.txt", "{", language: "plaintext")
    #expect(editor.diagnostics("notes.txt") == [])
    #expect(editor.diagnostics("not-there.form.json") == [])
    editor.open("untitled:Untitled-1", "{", language: "json")
    #expect(editor.diagnostics("untitled:Untitled-1") == [])
  }
}
