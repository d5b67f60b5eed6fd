import JSON
import Testing

@Suite struct `What a document has` {
  private static let nesting: JSON = ["textDocument": ["documentSymbol": ["hierarchicalDocumentSymbolSupport": true]]]

  private func outline(_ symbols: JSON, _ indent: String = "") -> [String] {
    (symbols.arrayValue ?? []).flatMap { symbol in
      [indent + (symbol["name"]?.stringValue ?? "?")] + outline(symbol["children"] ?? [], indent + "  ")
    }
  }

  private func symbols(_ editor: Editor, _ file: String) -> JSON {
    editor.request("textDocument/documentSymbol", ["textDocument": ["uri": .string(editor.uri(file))]])
  }

  @Test func `a form has fields in each other, and its parts by name`() throws {
    let editor = try Editor(capabilities: Self.nesting)
    editor.open("login.form.json", Samples.login)
    #expect(
      outline(symbols(editor, "login.form.json")) == [
        "login", "  email", "  address", "    city", "  items", "    sku", "    quantity", "  role", "  rules",
        "    email.at",
        "    sku.known", "    all", "  steps", "    one", "  actions", "    send", "  outputs", "    total",
        "    /items/*/twice",
      ]
    )
  }

  @Test func `a test file has its cases; half a form has what could be read`() throws {
    let editor = try Editor(capabilities: Self.nesting)
    editor.open("login.test.json", Samples.loginTest)
    #expect(outline(symbols(editor, "login.test.json")) == ["a case"])
    editor.open("half.form.json", #"{"schema": {"properties": {"a": {"type": "str"#)
    #expect(outline(symbols(editor, "half.form.json")) == ["half", "  a"])
  }

  @Test func `editors that know no nesting get a list`() throws {
    let editor = try Editor(capabilities: [:])
    editor.open("login.form.json", Samples.login)
    let symbols = try #require(symbols(editor, "login.form.json").arrayValue)
    #expect(symbols.first { $0["name"] == "city" }?["containerName"] == "address")
    #expect(symbols.allSatisfy { $0["location"]?["uri"]?.stringValue == editor.uri("login.form.json") })
  }

  @Test func `what all forms of the folders have, by some of its letters`() throws {
    let editor = try Editor(
      files: ["a.form.json": Samples.login, "sub/b.form.json": #"{"outputs": {"City2": "1"}}"#],
      capabilities: [:]
    )
    func found(_ query: String) -> [String] {
      editor.request("workspace/symbol", ["query": .string(query)]).arrayValue?.compactMap { $0["name"]?.stringValue }
        ?? []
    }
    #expect(found("cty") == ["city", "City2"])
    #expect(found("nothing") == [])
    #expect(found("").count > 15)
  }
}
