import JSON
import Testing

@Suite struct `What a language server completes` {
  private func items(_ file: String, _ marked: String, files: [String: String] = [:], snippets: Bool = false) throws
    -> [JSON]
  {
    let editor = try Editor(
      files: files,
      capabilities: ["textDocument": ["completion": ["completionItem": ["snippetSupport": .bool(snippets)]]]]
    )
    let target = editor.open(file, marked)
    return editor.request("textDocument/completion", target)["items"]?.arrayValue ?? []
  }

  private func labels(_ file: String, _ marked: String, files: [String: String] = [:]) throws -> [String] {
    try items(file, marked, files: files).compactMap { $0["label"]?.stringValue }
  }

  /// The text after the item of that label is taken.
  private func taken(_ label: String, _ marked: String, file: String = "a.form.json") throws -> String {
    let editor = try Editor(files: ["login.form.json": Samples.login], capabilities: [:])
    let target = editor.open(file, marked)
    let items = editor.request("textDocument/completion", target)["items"]?.arrayValue ?? []
    let item = try #require(
      items.first { $0["label"]?.stringValue == label },
      "\(items.compactMap { $0["label"]?.stringValue })"
    )
    return try editor.applying([item["textEdit"] ?? .null], to: file)
  }

  private static func form(_ more: String) -> String {
    Samples.login.replacing("\"form\": \"login\",", with: "\"form\": \"login\", \(more)")
  }

  @Test func `the members of a definition, without those that it has`() throws {
    let labels = try labels("a.form.json", #"{"form": "x", ¦ }"#)
    #expect(labels.contains("rules") && labels.contains("schema"))
    #expect(!labels.contains("form"))
  }

  @Test func `a member is written with its quotes and its colon, and without what is there already`() throws {
    #expect(try taken("rules", #"{"form": "x", ¦}"#) == #"{"form": "x", "rules": []}"#)
    #expect(try taken("rules", #"{"form": "x", "ru¦"}"#) == #"{"form": "x", "rules": []}"#)
    #expect(try taken("rules", #"{"form": "x", "ru¦": []}"#) == #"{"form": "x", "rules": []}"#)
    #expect(try taken("label", #"{"fields": {"a": {"la¦"#) == #"{"fields": {"a": {"label": """#)
    #expect(try taken("title", "{\n  ¦\n  \"form\": \"x\"}") == "{\n  \"title\": \"\",\n  \"form\": \"x\"}")
  }

  @Test func `snippets put the caret into what was written`() throws {
    let item = try #require(try items("a.form.json", "{¦}", snippets: true).first { $0["label"] == "rules" })
    #expect(item["textEdit"]?["newText"] == "\"rules\": [$0]")
    #expect(item["insertTextFormat"] == 2)
    #expect(item["documentation"]?["value"]?.stringValue?.isEmpty == false)
  }

  @Test(arguments: [
    (#""rules": [{"id": "x", ¦}]"#, ["field", "check", "message"]),
    (#""checks": [{"run": {¦}}]"#, ["http", "sql", "provider"]),
    (#""actions": {"a": {"outcomes": [{¦}]}}"#, ["success", "failure"]),
    (#""fields": {"email": {¦}}"#, ["label", "visible"]),
    (#""fields": {"email": {"show": ¦}}"#, ["always", "blur"]), (#""fields": {"email": {"show": "b¦"}}"#, ["blur"]),
    (#""rules": [{"severity": "¦"}]"#, ["error", "warning"]),
    (#""fields": {"¦"}"#, ["email", "/address/city", "/items/*/sku"]),
    (#""rules": [{"field": "¦"}]"#, ["email", "/address/city"]), (#""steps": [{"fields": ["¦"]}]"#, ["email"]),
    (#""coerce": ¦"#, ["true", "false"]),
  ])
  func `what may stand in a definition`(_ block: String, _ some: [String]) throws {
    let labels = try labels("a.form.json", Samples.login.replacing("\"outputs\"", with: "\(block), \"outputs\""))
    for label in some { #expect(labels.contains(label), "\(labels.prefix(30))") }
  }

  @Test(arguments: [
    (#"{"type": "object", ¦"#, ["properties", "required"]),
    (#"{"properties": {"a": {"type": "¦"}}}"#, ["string", "integer"]),
    (#"{"properties": {"a": {"¦"}}}"#, ["maxLength", "format", "enum"]),
    (#"{"properties": {"a": {"format": "¦"}}}"#, ["email", "date"]),
    (#"{"properties": {"a": {}, "b": {}}, "required": ["a", "¦"]}"#, ["b"]),
  ])
  func `what may stand in a schema`(_ schema: String, _ some: [String]) throws {
    let labels = try labels("a.form.json", #"{"schema": \#(schema)}"#)
    for label in some { #expect(labels.contains(label), "\(labels)") }
  }

  @Test(arguments: [
    ("values.¦", ["values.email", "values.address.city"]), ("em¦", ["values.email"]),
    ("fields['¦", ["fields['/address/city'].isValid"]),
    ("fields.email.¦", ["fields.email.isValid"]), ("steps.¦", ["steps.one.isValid"]),
    ("actions.¦", ["actions.send.isEnabled"]),
    ("¦", ["today", "form.isValid", "size", "round"]), ("1 + si¦", ["size"]), ("math.¦", ["math.abs"]),
    ("values.email.con¦", ["contains"]), ("'x'.con¦", ["contains"]), ("values.items.¦", ["all", "map"]),
    ("outputs.¦", ["outputs.total"]),
  ])
  func `names and functions in formulas`(_ formula: String, _ some: [String]) throws {
    let labels = try labels(
      "a.form.json",
      Samples.login.replacing("\"total\"", with: "\"new\": \"\(formula)\", \"total\"")
    )
    for label in some { #expect(labels.contains(label), "\(labels.prefix(40))") }
  }

  @Test func `a text has no functions of lists`() throws {
    let labels = try labels(
      "a.form.json",
      Samples.login.replacing("\"total\"", with: "\"new\": \"values.email.¦\", \"total\"")
    )
    #expect(!labels.contains("sum"))
    #expect(labels.contains("startsWith"))
  }

  @Test func `what only rows, rules and outcomes can name`() throws {
    let row = try labels("a.form.json", Samples.login.replacing("row.quantity * 2", with: "row.¦"))
    #expect(row.contains("row.quantity"))
    let own = try labels("a.form.json", Samples.login.replacing("self.contains('@')", with: "se¦"))
    #expect(own.contains("self"))
    let none = try labels("a.form.json", Samples.login.replacing("fields.email.isValid && steps", with: "ro¦ && steps"))
    #expect(!none.contains { $0.hasPrefix("row") })
    let outcome = try labels(
      "a.form.json",
      Samples.login.replacing(
        "\"scope\": \"one\"",
        with: "\"outcomes\": [{\"when\": \"response.¦\", \"success\": \"1\"}]"
      )
    )
    #expect(outcome.contains("response.status"))
  }

  @Test func `a name takes the place of what was written of it, escapes and all`() throws {
    let text = Samples.login.replacing("row.quantity * 2", with: "'\\u00e9😀' + row.qu¦")
    #expect(
      try taken("row.quantity", text) == Samples.login.replacing("row.quantity * 2", with: "'\\u00e9😀' + row.quantity")
    )
    let call = Samples.login.replacing("row.quantity * 2", with: "ro¦")
    #expect(try taken("round", call) == Samples.login.replacing("row.quantity * 2", with: "round()"))
  }

  @Test(arguments: [
    ("fields['/address/¦'].isValid", "fields['/address/city'].isValid", "fields['/address/city'].isValid"),
    ("values.email.sta¦rts", "startsWith", "values.email.startsWith()"),
    ("values.email.sta¦rts('x')", "startsWith", "values.email.startsWith('x')"),
    ("values.address.?¦", "city", "values.address.?city"),
    ("values.items.map(r, r.¦)", "sku", "values.items.map(r, r.sku)"),
    ("values.items[0].s¦", "sku", "values.items[0].sku"),
    ("values.address['¦", "city", "values.address['city']"),
    ("values['em¦']", "email", "values['email']"),
    ("fields.em¦ail.isValid", "fields.email.isValid", "fields.email.isValid"),
    ("values.address.?ci¦", "city", "values.address.?city"),
    ("values.address.?city.orV¦", "orValue", "values.address.?city.orValue()"),
    ("text('gre¦", "greeting", "text('greeting'"), ("text('¦', 1)", "greeting", "text('greeting', 1)"),
  ])
  func `what is written of a name behind the caret goes, and rows have members`(
    _ marked: String,
    _ label: String,
    _ formula: String
  ) throws {
    func text(_ formula: String) -> String {
      Self.form("\"texts\": {\"greeting\": \"Hi.\"},").replacing("row.quantity * 2", with: formula)
    }
    #expect(try taken(label, text(marked)) == text(formula))
  }

  @Test func `behind an optional dot there are members alone`() throws {
    let text = Samples.login.replacing("row.quantity * 2", with: "values.address.?¦")
    #expect(try labels("a.form.json", text) == ["city"])
  }

  @Test func `keywords that others took the place of come last`() throws {
    let labels = try labels("a.form.json", #"{"schema": {¦}}"#)
    #expect(try #require(labels.firstIndex(of: "properties")) < #require(labels.firstIndex(of: "definitions")))
  }

  @Test func `names are offered while the definition is broken elsewhere`() throws {
    let broken = Samples.login.replacing("self.contains('@')", with: "nothing.like.this(").replacing(
      "\"scope\": \"one\"",
      with: "\"scope\": 7"
    )
    let labels = try labels("a.form.json", broken.replacing("row.quantity * 2", with: "row.¦"))
    #expect(labels.contains("row.quantity"))
  }

  @Test(arguments: [
    (#"{"cases": [{¦}]}"#, ["name", "given", "steps"]),
    (#"{"cases": [{"steps": [{"¦"}]}]}"#, ["change", "tap", "expect"]),
    (#"{"cases": [{"steps": [{"tap": "¦"}]}]}"#, ["send"]),
    (#"{"cases": [{"steps": [{"change": "¦"}]}]}"#, ["email", "/address/city"]),
    (#"{"cases": [{"expect": {"messages": {"¦"}}}]}"#, ["email"]),
    (#"{"cases": [{"given": {"¦"}}]}"#, ["email", "address"]),
    (#"{"cases": [{"given": {"address": {"¦"}}}]}"#, ["city"]),
    (#"{"cases": [{"expect": {"outputs": {"¦"}}}]}"#, ["total"]),
    (#"{"cases": [{"expect": {"errors": {"email": ["¦"]}}}]}"#, ["email.at", "maxLength", "required"]),
    (#"{"cases": [{"expect": {"errors": {"/items/0/sku": ["¦"]}}}]}"#, ["sku.known"]),
  ])
  func `what may stand in a test file`(_ text: String, _ some: [String]) throws {
    let labels = try labels("login.test.json", text, files: ["login.form.json": Samples.login])
    for label in some { #expect(labels.contains(label), "\(labels)") }
  }

  @Test func `nothing in comments, numbers and behind values`() throws {
    #expect(try labels("a.form.json", #"{"form": "x" ¦ }"#) == [])
    #expect(try labels("a.txt", "{¦}") == [])
    let editor = try Editor(capabilities: [:])
    editor.open("a.form.json", "{}")
    let far = editor.target("a.form.json", ["line": 4_000_000_000, "character": 9_000_000_000_000])
    #expect(editor.request("textDocument/completion", far)["items"] != nil)
  }
}
