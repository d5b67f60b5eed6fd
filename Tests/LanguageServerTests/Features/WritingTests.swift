import JSON
import Testing

/// What helps an author while a form, its tests and its data are written.
@Suite struct `What a language server knows of what is being written` {
  private static let form = #"""
    {
      "form": "order",
      "schema": {"type": "object", "properties": {
        "kind": {"enum": ["delivery", "pickup"]}, "note": {"type": "string", "maxLength": 90}, "count": {"type": "integer"},
        "isGift": {"type": "boolean"},
        "items": {"type": "array", "maxItems": 3, "items": {"type": "object", "properties": {"sku": {"type": "string", "maxLength": 9}}}}
      }},
      "fields": {"note": {"label": {"en": "Note", "ko": "메모"}}},
      "rules": [{"id": "note.polite", "field": "note", "check": "self != ''", "message": "Please."},
        {"id": "whole", "check": "values.count > 0", "message": "More."}],
      "steps": [{"id": "one", "fields": ["note"]}],
      "actions": {"send": {"label": "Send"}},
      "outputs": {"new": ""}
    }
    """#

  private func editor(_ files: [String: String] = [:], _ capabilities: JSON = [:], options: JSON = .null) throws
    -> Editor
  {
    try Editor(files: files, capabilities: capabilities, options: options)
  }

  private func labels(
    _ text: String,
    _ file: String = "order.form.json",
    files: [String: String] = [:],
    language: String = "json"
  )
    throws -> [String]
  {
    let editor = try editor(files)
    let target = editor.open(file, text, language: language)
    let items = editor.request("textDocument/completion", target)["items"]?.arrayValue ?? []
    return items.compactMap { $0["label"]?.stringValue }
  }

  /// The labels at a caret in an output's formula.
  private func labels(inFormula formula: String) throws -> [String] {
    try labels(Self.form.replacing(#""new": """#, with: #""new": "\#(formula)""#))
  }

  @Test func `a test is offered the multiple choices that it can toggle`() throws {
    let form = Self.form.replacing(
      #""isGift": {"type": "boolean"},"#,
      with: #""extras": {"type": "array", "maxItems": 3, "items": {"enum": ["gift"]}},"#
    )
    let text = #"{"cases": [{"steps": [{"toggle": "¦"}]}]}"#
    #expect(try labels(text, "order.test.json", files: ["order.form.json": form]) == ["extras"])
  }

  @Test func `a named formula is proposed, explained, renamed and found`() throws {
    let form = Self.form.replacing(
      #""outputs": {"new": ""}"#,
      with: #""functions": {"tax": {"parameters": ["net"], "is": "net * 0.2"}}, "outputs": {"new": "¦"}"#
    )
    #expect(try labels(form).contains("tax"))
    let inside = form.replacing("net * 0.2", with: "ne¦").replacing(#""new": "¦""#, with: #""new": "1""#)
    #expect(try labels(inside).contains("net"))
    let editor = try editor()
    let called = form.replacing("¦", with: "tax(1.0) + tax(2.0)")
    editor.open("order.form.json", called)
    let target = editor.target("order.form.json", of: "tax(2.0")
    let hover = editor.request("textDocument/hover", target)["contents"]?["value"]?.stringValue
    #expect(hover?.contains("tax(net)") ?? false && hover?.contains("net * 0.2") ?? false, "\(hover ?? "")")
    var rename = target.objectValue ?? [:]
    rename["context"] = ["includeDeclaration": false]
    #expect(editor.request("textDocument/references", .object(rename)).arrayValue?.count == 2)
    rename["newName"] = "vat"
    let edits = editor.request("textDocument/rename", .object(rename))["changes"]?.objectValue?.first?.value
    #expect(edits?.arrayValue?.count == 3)
    let builtIn = form.replacing("¦", with: "size('a')")
    editor.open("other.form.json", builtIn)
    #expect(editor.request("textDocument/prepareRename", editor.target("other.form.json", of: "size(")) == .null)
  }

  private func taken(
    _ label: String,
    _ marked: String,
    file: String = "order.form.json",
    files: [String: String] = [:],
    language: String = "json"
  )
    throws -> String
  {
    let editor = try editor(files)
    let target = editor.open(file, marked, language: language)
    let items = editor.request("textDocument/completion", target)["items"]?.arrayValue ?? []
    let item = try #require(
      items.first { $0["label"]?.stringValue == label },
      "\(items.compactMap { $0["label"]?.stringValue })"
    )
    return try editor.applying([item["textEdit"] ?? .null], to: file)
  }

  // MARK: Judging

  @Test func `a form is judged up to its end while brackets are open`() throws {
    let editor = try editor()
    let start = #"{"schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}}, "#
    for (typed, codes) in [
      (#""fields": {"a": {"lable": "A"}"#, ["unknownKey", "unclosed"]),
      (#""rules": [{"id": "r", "check": "values.b == ''", "message": "m"}, {"#, ["expression", "unclosed"]),
      (#""rules": [{"id": "r", "check": "outputs.later == ''", "message": "m"}, {"#, ["unclosed"]),
    ] {
      editor.open("a.form.json", start + typed)
      #expect(editor.pushed("a.form.json")?.compactMap { $0["code"]?.stringValue } == codes, "\(typed)")
    }
  }

  // MARK: Types

  @Test(arguments: [
    ("'abc'.¦", ["startsWith", "trim"], ["sum", "getFullYear"]),
    ("string(1).¦", ["startsWith"], ["sum", "getFullYear"]),
    ("values.note.trim().¦", ["startsWith"], ["sum", "getFullYear"]),
    ("values.items.map(r, r.sku).¦", ["join"], ["trim"]),
    ("values.items.map(r, r.sku.¦", ["trim"], ["sum"]), ("now.¦", ["getFullYear"], ["trim"]),
    ("values.isGift ? values.note.trim().¦", ["startsWith"], ["sum"]),
  ])
  func `behind a dot stand the functions of the value's type`(_ formula: String, _ some: [String], _ none: [String])
    throws
  {
    let labels = try labels(inFormula: formula)
    for label in some { #expect(labels.contains(label), "\(labels)") }
    for label in none { #expect(!labels.contains(label), "\(labels)") }
  }

  @Test(arguments: [
    ("values.isGift && ¦", "values.isGift"), ("1 + ¦", "values.count"), ("values.note == ¦", "values.kind"),
    ("values.items.all(r, ¦", "values.isGift"),
  ])
  func `names of the expected type come first`(_ formula: String, _ first: String) throws {
    #expect(try labels(inFormula: formula).first == first)
  }

  @Test(arguments: [
    ("values.kind == '¦'", ["delivery", "pickup"]), ("values.kind == 'p¦", ["pickup"]),
    ("'¦' != values.kind", ["delivery", "pickup"]), ("values.kind in ['delivery', '¦", ["delivery", "pickup"]),
    ("values.note == '¦'", []),
  ])
  func `in a comparison stand the values that the schema lists`(_ formula: String, _ all: [String]) throws {
    #expect(try labels(inFormula: formula) == all)
  }

  @Test func `the values of a comparison are written with quotes, and the kinds of answers are known`() throws {
    #expect(try labels(inFormula: "values.kind == ¦").first == "delivery")
    let text = Self.form.replacing(#""new": """#, with: #""new": "values.kind == ¦""#)
    #expect(try taken("pickup", text) == Self.form.replacing(#""new": """#, with: #""new": "values.kind == 'pickup'""#))
    let half = Self.form.replacing(#""new": """#, with: #""new": "values.kind == 'pi¦'""#)
    #expect(try taken("pickup", half) == Self.form.replacing(#""new": """#, with: #""new": "values.kind == 'pickup'""#))
    let outcome = Self.form.replacing(
      #""label": "Send""#,
      with: #""run": {"provider": {"name": "p"}}, "outcomes": [{"when": "response.kind == '¦'", "success": "true"}]"#
    )
    #expect(try labels(outcome).starts(with: ["ok", "refused", "timeout"]))
  }

  @Test func `a comparison with a text that the schema does not list is told, and mended`() throws {
    let editor = try editor()
    editor.open("order.form.json", Self.form.replacing(#""new": """#, with: #""new": "values.kind == 'delivry'""#))
    let found = try #require(editor.pushed("order.form.json"))
    #expect(found.map { $0["code"] } == ["unknownValue"])
    #expect(found[0]["message"]?.stringValue?.contains("did you mean 'delivery'?") == true)
  }

  // MARK: Names in texts

  @Test(arguments: [
    (#""note": {"messages": {"¦"}}"#, ["note.polite", "maxLength", "required"]),
    (#""note": {"help": {"¦"}}"#, ["en", "ko"]), (#""kind": {"options": {"¦"}}"#, ["delivery", "pickup"]),
    (#""note": {"messages": {"maxLength": "At most {¦"}}"#, ["limit", "actual", "label"]),
    (#""": {"messages": {"¦"}}"#, ["whole", "required", "fault"]),
    (#""": {"messages": {"whole": "{¦"}}"#, ["label"]),
    (#""note": {"messages": {"maxLength": {"en": "At most {li¦} characters."}}}"#, ["limit"]),
  ])
  func `names in the texts of a field`(_ field: String, _ some: [String]) throws {
    let labels = try labels(Self.form.replacing(#""note": {"label": {"en": "Note", "ko": "메모"}}"#, with: field))
    for label in some { #expect(labels.contains(label), "\(labels)") }
  }

  @Test(arguments: [
    (#""messages": {"¦"}"#, ["note.polite", "whole", "maxLength", "maxItems", "required", "fault"]),
    (#""messages": {"maxLength": {"ko": "{¦"}}"#, ["label", "limit", "actual"]),
    (#""¦""#, ["messages"]),
  ])
  func `names in the texts for all fields`(_ member: String, _ some: [String]) throws {
    let labels = try labels(Self.form.replacing(#""steps""#, with: member + #", "steps""#))
    for label in some { #expect(labels.count { $0 == label } == 1, "\(labels)") }
  }

  @Test func `names in other texts, in paths and in queries`() throws {
    let texts = Self.form.replacing(
      #""new": """#,
      with: #""new": "text('left', {'count': 3, 'name': values.note})"}, "texts": {"left": "There are {¦"#
    )
    #expect(try labels(texts) == ["count", "name"])
    let path = Self.form.replacing(
      #""label": "Send""#,
      with: #""run": {"http": {"service": "s", "path": "/orders/{¦}"}}"#
    )
    #expect(try labels(path).contains("note"))
    let sql =
      #""run": {"sql": {"database": "d", "query": "select a::text from t where b = :first and c = :second", "parameters": {"¦"}}}"#
    #expect(try labels(Self.form.replacing(#""label": "Send""#, with: sql)) == ["first", "second"])
    let query = #""run": {"sql": {"database": "d", "query": "select :¦", "parameters": {"first": "1"}}}"#
    #expect(try labels(Self.form.replacing(#""label": "Send""#, with: query)) == ["first"])
    let row = Self.form.replacing(
      #"[{"id": "note.polite""#,
      with: #"[{"id": "sku", "field": "/items/*/sku", "check": "true", "message": "Row {¦"}, {"id": "note.polite""#
    )
    #expect(try labels(row) == ["number", "index", "label"])
  }

  @Test(arguments: [
    (#"{"cases": [{"steps": [{"remove": "¦"}]}]}"#, ["/items/0"]),
    (#"{"cases": [{"steps": [{"move": "¦"}]}]}"#, ["/items/0"]),
    (#"{"cases": [{"steps": [{"change": "¦"}]}]}"#, ["note", "/items/0/sku"]),
    (#"{"cases": [{"steps": [{"tap": "send", "expect": {"tap": {"blockers": [{"field": "¦"}]}}}]}]}"#, ["note"]),
    (#"{"cases": [{"steps": [{"tap": "send", "expect": {"tap": {"blockers": [{"code": "¦"}]}}}]}]}"#, ["note.polite"]),
    (#"{"cases": [{"steps": [{"expect": {"events": [{"action": "¦"}]}}]}]}"#, ["send"]),
  ])
  func `addresses and names in tests`(_ text: String, _ some: [String]) throws {
    let labels = try labels(text, "order.test.json", files: ["order.form.json": Self.form])
    for label in some { #expect(labels.contains(label), "\(labels)") }
  }

  @Test func `a misspelled code in a test is told, and mended`() throws {
    let editor = try editor(["order.form.json": Self.form])
    editor.open("order.test.json", #"{"cases": [{"name": "a", "expect": {"errors": {"note": ["note.polit"]}}}]}"#)
    let found = try #require(editor.pushed("order.test.json"))
    #expect(found.map { $0["code"] } == ["unknownCode"])
    #expect(found[0]["message"]?.stringValue?.contains("did you mean \"note.polite\"?") == true)
    editor.change(
      "order.test.json",
      to: #"{"cases": [{"name": "a", "expect": {"errors": {"note": ["note.polite", "maxLength", "required"]}}}]}"#
    )
    #expect(editor.pushed("order.test.json") == [])
  }

  // MARK: Data

  private static let settings = #"""
    {"schema": {"type": "object", "properties": {
      "server": {"type": "object", "properties": {"host": {"type": "string", "maxLength": 9}, "mode": {"enum": ["a", "b"]}}},
      "list": {"type": "array", "maxItems": 3, "items": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 9}}}},
      "name": {"type": "string", "maxLength": 9}
    }}}
    """#

  @Test(arguments: [
    ("server: {¦", ["host", "mode"]), ("server: {host: x, ¦}", ["host", "mode"]), ("server: {mode: ¦}", ["a", "b"]),
    ("server: {host: x,\n  mo¦", ["host", "mode"]), ("list: [{¦", ["name"]), ("list:\n  - {na¦}", ["name"]),
  ])
  func `members and values in the flow maps of YAML`(_ text: String, _ some: [String]) throws {
    let labels = try labels(
      "# formd: settings\n\(text)",
      "x.yaml",
      files: ["settings.form.json": Self.settings],
      language: "yaml"
    )
    #expect(!labels.isEmpty && some.contains(where: labels.contains), "\(labels)")
    #expect(!labels.contains("server"))
  }

  @Test func `a flow map gets what is taken`() throws {
    let files = ["settings.form.json": Self.settings]
    #expect(
      try taken("mode", "# formd: settings\nserver: {mo¦}", file: "x.yaml", files: files, language: "yaml")
        == "# formd: settings\nserver: {mode: }"
    )
  }

  @Test func `of two forms with one name the nearest counts`() throws {
    func form(_ limit: Int) -> String {
      #"{"form": "login", "schema": {"type": "object", "properties": {"n": {"type": "integer", "maximum": \#(limit)}}}}"#
    }
    let editor = try editor(["one/forms/login.form.json": form(1), "two/forms/login.form.json": form(5)])
    editor.open("one/data/x.json", #"{"$form": "login", "n": 3}"#)
    editor.open("two/data/x.json", #"{"$form": "login", "n": 3}"#)
    #expect(editor.pushed("one/data/x.json")?.map { $0["code"] } == ["maximum"])
    #expect(editor.pushed("two/data/x.json") == nil)
    editor.notify(
      "workspace/didChangeWorkspaceFolders",
      [
        "event": [
          "added": [
            ["uri": .string(editor.uri("one")), "name": "1"], ["uri": .string(editor.uri("two")), "name": "2"],
          ],
          "removed": [["uri": .string(editor.folder.uri), "name": "0"]],
        ]
      ]
    )
    editor.change("two/data/x.json", to: #"{"$form": "login", "n": 7}"#)
    #expect(editor.pushed("two/data/x.json")?.map { $0["code"] } == ["maximum"])
  }

  @Test func `a misspelled path of a form is compared with paths`() throws {
    let editor = try editor(["forms/settings.form.json": Self.settings])
    editor.open("data/x.json", #"{"$form": "../forms/setings.form.json"}"#)
    let found = try #require(editor.pushed("data/x.json")?.first)
    #expect(found["message"]?.stringValue?.contains(#"did you mean "../forms/settings.form.json"?"#) == true)
  }

  @Test func `a file with too many errors says that there are more`() throws {
    let editor = try editor([
      "settings.form.json": Self.settings.replacing(#""maxItems": 3"#, with: #""maxItems": 300"#)
    ])
    let rows = (0..<150).map { _ in #"{"name": 1}"# }.joined(separator: ", ")
    editor.open("x.json", #"{"$form": "settings", "list": [\#(rows)]}"#)
    let found = try #require(editor.pushed("x.json"))
    #expect(found.filter { $0["code"] == "type" }.count == 100)
    #expect(
      found.filter { $0["code"] == "more" }.map { $0["message"] } == [
        "there are more errors than the 100 that are shown"
      ]
    )
  }

  // MARK: The configuration

  private static let configuration =
    #"{"services": {"shop": {"http": {"baseURL": "http://localhost:1"}}}, "databases": {"main": {"sqlite": {"path": "a.db"}}}}"#
  private static let calling = form.replacing(
    #""label": "Send""#,
    with: #""run": {"http": {"service": "shop", "path": "/x"}}, "outcomes": [{"success": "true"}]"#
  ).replacing(#""new": """#, with: #""new": "1""#)

  @Test func `services and databases are those of the configuration beside the form, or above it`() throws {
    let files = ["formd.json": Self.configuration]
    let http = Self.form.replacing(#""label": "Send""#, with: #""run": {"http": {"service": "¦", "path": "/x"}}"#)
    #expect(try labels(http, "forms/order.form.json", files: files) == ["shop"])
    let sql = Self.form.replacing(#""label": "Send""#, with: #""run": {"sql": {"database": "¦"}}"#)
    #expect(try labels(sql, "order.form.json", files: files) == ["main"])
    #expect(try labels(http, "order.form.json") == [])
  }

  @Test func `a service that the configuration does not have is told`() throws {
    let editor = try editor(["formd.json": Self.configuration])
    editor.open("order.form.json", Self.calling.replacing(#""service": "shop""#, with: #""service": "shopp""#))
    #expect(editor.pushed("order.form.json")?.map { $0["code"] } == ["notConfigured"])
    editor.change("order.form.json", to: Self.calling)
    #expect(editor.pushed("order.form.json") == [])
    // The configuration that the editor holds counts.
    editor.open("formd.json", Self.configuration.replacing("shop", with: "other"))
    #expect(editor.pushed("order.form.json")?.map { $0["code"] } == ["notConfigured"])
  }

  @Test func `the settings can name the configuration`() throws {
    let editor = try editor(["etc/daemon.json": Self.configuration], options: ["configuration": "etc/daemon.json"])
    editor.open("forms/order.form.json", Self.calling.replacing(#""service": "shop""#, with: #""service": "shopp""#))
    #expect(editor.pushed("forms/order.form.json")?.map { $0["code"] } == ["notConfigured"])
    editor.open("etc/daemon.json", #"{"servces": {}}"#)
    #expect(editor.pushed("etc/daemon.json")?.map { $0["code"] } == ["unknownKey"])
  }

  @Test func `the configuration itself is judged, completed and explained`() throws {
    let editor = try editor()
    editor.open("formd.json", #"{"servces": {}, "forms": "x"}"#)
    let found = try #require(editor.pushed("formd.json"))
    #expect(found.map { $0["code"] } == ["unknownKey", "type"])
    #expect(found[0]["message"]?.stringValue?.contains("did you mean \"services\"?") == true)
    #expect(try labels("{¦}", "formd.json").contains("services"))
    #expect(try labels(#"{"services": {"shop": {"¦"}}}"#, "formd.json").contains("http"))
    #expect(try taken("services", #"{"ser¦"}"#, file: "formd.json") == #"{"services": {}}"#)
    let hover = editor.request("textDocument/hover", editor.target("formd.json", of: "forms"))
    #expect(hover["contents"]?["value"]?.stringValue?.contains("Folders with form definitions") == true)
  }

  // MARK: Hover

  private func hover(_ text: String, at place: String) throws -> String? {
    let editor = try editor()
    editor.open("order.form.json", text)
    return editor.request("textDocument/hover", editor.target("order.form.json", of: place))["contents"]?["value"]?
      .stringValue
  }

  @Test func `self, answers, words of the language and of schemas, and names in braces are explained`() throws {
    #expect(try hover(Self.form, at: "self !=")?.contains("**note**: string field") == true)
    let outcome = Self.form.replacing(
      #""label": "Send""#,
      with:
        #""run": {"provider": {"name": "p"}}, "outcomes": [{"when": "response.kind == 'ok' && true", "success": "true"}]"#
    )
    #expect(try hover(outcome, at: "response.kind")?.contains("`timeout`: no answer in time") == true)
    #expect(try hover(outcome, at: "true\", \"success")?.contains("truth") == true)
    let property = Self.form.replacing(#""new": """#, with: #""new": "fields.note.isValid""#)
    #expect(try hover(property, at: "isValid")?.contains("Whether no error blocks the field") == true)
    #expect(try hover(Self.form, at: "maxLength")?.contains("largest number of characters") == true)
    let row = Self.form.replacing(
      #"[{"id": "note.polite""#,
      with:
        #"[{"id": "sku", "field": "/items/*/sku", "check": "true", "message": "Row {number}."}, {"id": "note.polite""#
    )
    #expect(try hover(row, at: "number}")?.contains("position of the row, from 1") == true)
  }

  // MARK: Definitions

  @Test(arguments: [
    ("x.json", "json", #"{"$form": "settings"}"#, "settings"),
    ("x.json", "json", #"{"$schema": "./settings.form.json"}"#, "./sett"),
    ("x.yaml", "yaml", "# formd: settings\nname: x\n", "settings"),
    ("y.test.json", "json", #"{"form": "settings.form.json", "cases": []}"#, "settings.form"),
  ])
  func `the form that a file names`(_ file: String, _ language: String, _ text: String, _ place: String) throws {
    let editor = try editor(["settings.form.json": Self.settings])
    editor.open(file, text, language: language)
    let found = editor.request("textDocument/definition", editor.target(file, of: place))
    #expect(found.arrayValue?.map { $0["uri"] } == [.string(editor.uri("settings.form.json"))])
  }

  @Test func `the schema that a reference leads to`() throws {
    let editor = try editor(["address.schema.json": ##"{"$defs": {"city": {"type": "string"}}}"##])
    editor.open(
      "a.form.json",
      ##"{"schema": {"$defs": {"n": {"type": "string"}}, "properties": {"a": {"$ref": "#/$defs/n"}, "b": {"$ref": "address.schema.json#/$defs/city"}}}}"##
    )
    let own = editor.request("textDocument/definition", editor.target("a.form.json", of: "#/$defs/n"))
    #expect(own.arrayValue?.first?["range"]?["start"] == editor.target("a.form.json", of: "\"n\": {")["position"])
    let other = editor.request("textDocument/definition", editor.target("a.form.json", of: "address.schema"))
    #expect(other.arrayValue?.first?["uri"] == .string(editor.uri("address.schema.json")))
    #expect(other.arrayValue?.first?["range"]?["start"]?["character"] == 11)
  }

  // MARK: Diagnostics

  @Test func `the first of two names, and the parts of a circle, are shown with the problem`() throws {
    let capabilities: JSON = ["textDocument": ["publishDiagnostics": ["relatedInformation": true]]]
    let text = #"""
      {"schema": {"properties": {"a": {"type": "string", "maxLength": 3}, "b": {"type": "string", "maxLength": 3}}},
       "fields": {"a": {"visible": "fields.b.isVisible"}, "b": {"visible": "fields.a.isVisible"}}}
      """#
    let editor = try editor([:], capabilities)
    editor.open("a.form.json", text)
    let cycle = try #require(editor.pushed("a.form.json")?.first)
    #expect(cycle["relatedInformation"]?.arrayValue?.count == 1)
    #expect(cycle["relatedInformation"]?.arrayValue?.first?["message"] == "a part of the circle")
    editor.open("b.form.json", #"{"schema": {"properties": {"a": {"type": "string", "maxLength": 3}}}, "schema": {}}"#)
    let twice = try #require(editor.pushed("b.form.json")?.first { $0["code"] == "duplicateKey" })
    #expect(
      twice["relatedInformation"]?.arrayValue?.first?["location"]?["range"]?["start"] == ["line": 0, "character": 1]
    )
    let plain = try self.editor()
    plain.open("a.form.json", text)
    #expect(plain.pushed("a.form.json")?.first?["relatedInformation"] == nil)
  }

  @Test(arguments: [
    (#""count": {"type": "integer", "default": "many"}"#, #""many""#),
    (#""kind": {"enum": ["delivery", "pickup"], "default": "delivry"}"#, #""delivry""#),
    (#""note": {"type": "string", "maxLength": 3, "default": "long"}"#, #""long""#),
  ])
  func `a default that breaks its schema is told at the default`(_ property: String, _ value: String) throws {
    let editor = try editor()
    editor.open("a.form.json", #"{"schema": {"type": "object", "properties": {\#(property)}}}"#)
    let found = try #require(editor.pushed("a.form.json"))
    #expect(found.map { $0["code"] } == ["default"])
    #expect(found[0]["severity"] == 2)
    let start = editor.target("a.form.json", of: value)["position"]
    #expect(found[0]["range"]?["start"] == start)
    let end = start?["character"]?.integerValue.map { $0 + Int64(value.utf16.count) }
    #expect(found[0]["range"]?["end"]?["character"]?.integerValue == end)
  }

  @Test func `a fix that removes something has a title`() throws {
    let editor = try editor()
    editor.open("a.form.json", #"{"form": "a", "schema": {"properties": {"a": {"type": "integer"},}}}"#)
    let found = try #require(editor.pushed("a.form.json")?.first { $0["code"] == "trailingComma" })
    let actions = editor.request(
      "textDocument/codeAction",
      [
        "textDocument": ["uri": .string(editor.uri("a.form.json"))], "range": found["range"] ?? .null,
        "context": ["diagnostics": []],
      ]
    )
    #expect(actions.arrayValue?.map { $0["title"] } == ["remove ,"])
  }

  // MARK: Rename

  private func renamed(_ name: String, at place: String, _ editor: Editor) throws -> (answer: JSON, form: String) {
    var params = editor.target("order.form.json", of: place).objectValue ?? [:]
    params["newName"] = .string(name)
    let answer = editor.request("textDocument/rename", .object(params))
    let edits = answer["changes"]?[editor.uri("order.form.json")]?.arrayValue ?? []
    return (answer, try editor.applying(edits, to: "order.form.json"))
  }

  @Test func `a new name of another script is written in brackets in formulas`() throws {
    let editor = try editor()
    let text = Self.form.replacing(#""new": """#, with: #""new": "values.note + text(fields.note.error)""#)
      .replacing("text(fields.note.error)", with: "string(fields.note.isValid)")
    editor.open("order.form.json", text)
    let (_, form) = try renamed("고객", at: "note\": {\"type\"", editor)
    #expect(form.contains(#""new": "values['고객'] + string(fields['고객'].isValid)""#), "\(form)")
    #expect(form.contains(#""고객": {"type": "string""#))
    editor.change("order.form.json", to: form)
    #expect(editor.pushed("order.form.json") ?? [] == [])
  }

  @Test func `a rename that would break a case can be made all the same`() throws {
    let test =
      #"{"cases": [{"name": "a", "given": {"note": "x"}, "expect": {"outputs": {"new": "{\"note\":\"x\"}"}}}]}"#
    let text = Self.form.replacing(#""new": """#, with: #""new": "json.encode({'note': values.note})""#)
    let capabilities: JSON = ["workspace": ["applyEdit": true]]
    for answer in ["Rename anyway", nil] as [String?] {
      let files = [
        "order.form.json": text.replacing(
          "json.encode({'note': values.note})",
          with: "values.items.map(r, string(r))[0]"
        ),
        "order.test.json": test,
      ]
      let editor = try editor(files, capabilities)
      editor.open("order.form.json", files["order.form.json"] ?? "")
      let (refusal, _) = try renamed("item", at: "sku\": {", editor)
      #expect(refusal["error"]?["code"] == -32803, "\(refusal)")
      let question = try #require(editor.said.last)
      #expect(question["method"] == "window/showMessageRequest")
      #expect(question["params"]?["actions"] == [["title": "Rename anyway"]])
      let said = editor.send([
        "jsonrpc": "2.0", "id": question["id"] ?? .null, "result": answer.map { ["title": .string($0)] } ?? .null,
      ])
      guard answer != nil else {
        #expect(said.isEmpty)
        continue
      }
      #expect(said.first?["method"] == "workspace/applyEdit")
      let edits = said.first?["params"]?["edit"]?["changes"]?[editor.uri("order.form.json")]?.arrayValue ?? []
      #expect(try editor.applying(edits, to: "order.form.json").contains(#""item": {"type""#))
    }
  }
}
