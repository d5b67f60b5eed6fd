import JSON
import Testing

@Suite struct `What an editor's bytes come to` {
  private static let symbols = #"{"jsonrpc":"2.0","id":7,"method":"workspace/symbol","params":{"query":""}}"#

  @Test func `a message may come byte by byte`() throws {
    let editor = try Editor(capabilities: [:])
    for byte in Editor.frame(Self.symbols) { editor.receive([byte]) }
    #expect(editor.run() == [["jsonrpc": "2.0", "id": 7, "result": []]])
  }

  @Test(arguments: [
    "Content-Length: -3\r\n\r\n{}", "Content-Length: 99999999999999999999\r\n\r\n", "Content-Length: x\r\n\r\n",
    "Content-Type: a\r\n\r\n", "no header\n", "\u{0}\u{1}\u{2}\r\n\r\n",
    "Content-Length: 3\r\nContent-Length: 3\r\n\r\n{}\n",
    String(repeating: "x", count: 10_000), "Content-Length: 2\r\n\r\n{}{}{}\r\n", "Content-Length: 3\r\n\r\n{{{",
    "Content-Length: 0\r\n\r\n", "Content-Length: 2\r\n\r\n[]", "Content-Length: 4\r\n\r\nnull",
  ])
  func `behind a frame that cannot be read the next one is`(_ broken: String) throws {
    let editor = try Editor(capabilities: [:])
    editor.receive(Array(broken.utf8))
    editor.receive(Editor.frame(Self.symbols))
    let said = editor.run()
    #expect(said.last == ["jsonrpc": "2.0", "id": 7, "result": []])
    #expect(said.dropLast().allSatisfy { $0["error"] != nil && $0["id"] == .null })
  }

  @Test func `bytes that are no UTF-8 are refused, and nothing ends`() throws {
    let editor = try Editor(capabilities: [:])
    let body: [UInt8] = Array(#"{"jsonrpc":"2.0","method":""#.utf8) + [0xff, 0xc0] + Array(#""}"#.utf8)
    editor.receive(Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body + Editor.frame(Self.symbols))
    let said = editor.run()
    #expect(said.first?["error"]?["code"] == -32700)
    #expect(said.last?["id"] == 7)
    #expect(editor.exitStatus == nil)
  }

  @Test func `a batch is answered as one`() throws {
    let editor = try Editor(capabilities: [:])
    editor.receive(Editor.frame("[\(Self.symbols),\(Self.symbols.replacing("7", with: "8"))]"))
    let said = editor.run()
    #expect(said.count == 1)
    #expect(said.first?.arrayValue?.map { $0["id"] } == [7, 8])
  }
}
