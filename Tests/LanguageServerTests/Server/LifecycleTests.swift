import JSON
import Testing

@Suite struct `The life of a language server` {
  private func code(_ answer: JSON) -> Int64? { answer["error"]?["code"]?.integerValue }

  @Test func `it answers who it is and what it can do`() throws {
    let editor = try Editor()
    let answer = editor.request("initialize", ["capabilities": [:]])
    #expect(answer["capabilities"]?["positionEncoding"] == "utf-16")
    #expect(answer["capabilities"]?["textDocumentSync"]?["change"] == 2)
    #expect(answer["serverInfo"]?["name"] == "formctl lsp")
  }

  @Test(arguments: [
    (["utf-16", "utf-8"], "utf-8"), (["utf-32", "utf-16"], "utf-32"), (["utf-7"], "utf-16"), ([], "utf-16"),
  ])
  func `it takes the encoding of positions that the editor offers`(_ offered: [String], _ taken: String) throws {
    let editor = try Editor()
    let answer = editor.request(
      "initialize",
      ["capabilities": ["general": ["positionEncodings": .array(offered.map { .string($0) })]]]
    )
    #expect(answer["capabilities"]?["positionEncoding"] == .string(taken))
  }

  @Test func `a request before it is initialized is refused, a notification passed over`() throws {
    let editor = try Editor()
    #expect(
      code(
        editor.request(
          "textDocument/hover",
          ["textDocument": ["uri": "file:///a"], "position": ["line": 0, "character": 0]]
        )
      ) == -32002
    )
    #expect(code(editor.request("shutdown")) == -32002)
    editor.open("a.form.json", "{")
    #expect(editor.said.isEmpty)
    #expect(editor.request("initialize", ["capabilities": [:]])["capabilities"] != nil)
  }

  @Test func `it is initialized once`() throws {
    let editor = try Editor(capabilities: [:])
    #expect(code(editor.request("initialize", ["capabilities": [:]])) == -32600)
  }

  @Test func `after shutdown it only exits`() throws {
    let editor = try Editor(capabilities: [:])
    #expect(editor.request("shutdown") == .null)
    #expect(code(editor.request("workspace/symbol", ["query": ""])) == -32600)
    #expect(code(editor.request("initialize", ["capabilities": [:]])) == -32600)
    #expect(editor.exitStatus == nil)
    editor.notify("exit", .null)
    #expect(editor.exitStatus == 0)
  }

  @Test func `an exit without shutdown is a failure, and so is the end of the input`() throws {
    let editor = try Editor(capabilities: [:])
    editor.notify("exit", .null)
    #expect(editor.exitStatus == 1)
    let other = try Editor(capabilities: [:])
    #expect(other.endInput().isEmpty)
    #expect(other.exitStatus == 1)
    let polite = try Editor(capabilities: [:])
    _ = polite.request("shutdown")
    _ = polite.endInput()
    #expect(polite.exitStatus == 0)
  }

  @Test func `what was sent before the end of the input is answered`() throws {
    let editor = try Editor(capabilities: [:])
    editor.receive(Editor.frame(#"{"jsonrpc":"2.0","id":"last","method":"shutdown"}"#))
    #expect(editor.endInput() == [["jsonrpc": "2.0", "id": "last", "result": .null]])
  }

  @Test func `unknown requests are refused, unknown notifications passed over`() throws {
    let editor = try Editor(capabilities: [:])
    #expect(code(editor.request("textDocument/rangeFormatting", [:])) == -32601)
    #expect(code(editor.request("$/unknown", [:])) == -32601)
    #expect(editor.send(["jsonrpc": "2.0", "method": "$/unknown", "params": [:]]).isEmpty)
    #expect(editor.send(["jsonrpc": "2.0", "method": "$/setTrace", "params": ["value": "off"]]).isEmpty)
    #expect(editor.send(["jsonrpc": "2.0", "method": "textDocument/hover", "params": [:]]).isEmpty)
    #expect(editor.send(["jsonrpc": "2.0", "method": "telemetry/event"]).isEmpty)
  }

  @Test func `params of another shape are refused with their places`() throws {
    let editor = try Editor(capabilities: [:])
    let answer = editor.request("textDocument/hover", ["textDocument": ["uri": 7], "position": ["line": 0]])
    #expect(code(answer) == -32602)
    let paths = answer["error"]?["data"]?["errors"]?.arrayValue?.compactMap { $0["path"]?.stringValue }
    #expect(paths == ["/textDocument/uri", "/position/character"])
    #expect(code(editor.request("initialized")) == -32600)
  }

  @Test func `a request that was taken back before it was handled is answered as cancelled`() throws {
    let editor = try Editor(capabilities: [:])
    editor.receive(Editor.frame(#"{"jsonrpc":"2.0","id":50,"method":"workspace/symbol","params":{"query":""}}"#))
    editor.receive(Editor.frame(#"{"jsonrpc":"2.0","id":51,"method":"workspace/symbol","params":{"query":""}}"#))
    editor.receive(Editor.frame(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":50}}"#))
    let answers = editor.run()
    #expect(answers.map { $0["id"] } == [50, 51])
    #expect(answers.first?["error"]?["code"] == -32800)
    #expect(answers.last?["result"] == [])
    #expect(editor.send(["jsonrpc": "2.0", "method": "$/cancelRequest", "params": ["id": "unknown"]]).isEmpty)
    #expect(editor.send(["jsonrpc": "2.0", "method": "$/cancelRequest", "params": ["id": [1]]]).isEmpty)
  }

  @Test func `settings are asked for where the editor can be asked`() throws {
    let editor = try Editor(capabilities: ["workspace": ["configuration": true]])
    let request = try #require(editor.said.last)
    #expect(request["method"] == "workspace/configuration")
    #expect(editor.send(["jsonrpc": "2.0", "id": request["id"] ?? .null, "result": [["locale": "ko"]]]).isEmpty)
    #expect(editor.send(["jsonrpc": "2.0", "id": 999, "result": 1]).isEmpty)
    #expect(editor.send(["jsonrpc": "2.0", "id": "formd:77", "error": ["code": 1, "message": "no"]]).isEmpty)
  }

  @Test func `watchers are registered where the editor takes them`() throws {
    let editor = try Editor(capabilities: ["workspace": ["didChangeWatchedFiles": ["dynamicRegistration": true]]])
    #expect(editor.said.map { $0["method"] } == ["client/registerCapability"])
  }
}
