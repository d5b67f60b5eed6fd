import FormCases
import Forms
import Foundation
import JSON
internal import SourceTexts
import Testing

@Suite struct `A rename edits everything, or refuses` {
  /// Renames the name at the first occurrence of a text. Returns the error's message, or nil if the edits were made.
  private func rename(
    _ path: String,
    _ before: String,
    to newName: String,
    in editor: Editor
  ) throws -> String? {
    let text = try editor.folder.read(path)
    let range = try #require(text.range(of: before))
    return try rename(path, Editor.position(behind: String(text[..<range.upperBound])), to: newName, in: editor)
  }

  private func rename(_ path: String, _ position: JSON, to newName: String, in editor: Editor) throws -> String? {
    var params = editor.target(path, position).objectValue ?? [:]
    params["newName"] = .string(newName)
    let answer = editor.request("textDocument/rename", .object(params))
    if let message = answer["error"]?["message"]?.stringValue { return message }
    for change in answer["changes"]?.objectValue ?? [:] {
      let name = String(change.name.dropFirst(editor.folder.uri.utf8.count + 1))
      try editor.folder.write(try editor.applying(change.value.arrayValue ?? [], to: name), to: name)
    }
    return nil
  }

  private func editor(_ files: [String: String]) throws -> Editor { try Editor(files: files, capabilities: [:]) }

  private static let schema = """
    {"type": "object", "properties": {"ok": {"type": "boolean"},
     "rows": {"type": "array", "maxItems": 3, "items": {"type": "object", "properties": {"x": {"type": "integer"}}}},
     "addr": {"type": "object", "properties": {"city": {"type": "string", "maxLength": 9}}}}}
    """

  @Test(arguments: [
    ("values.rows.map(r, r).map(q, q.x)", "\"x", "x"), ("(values.rows + values.rows).map(r, r.x)", "\"x", "x"),
    ("(form.isValid ? values.rows : []).map(r, r.x)", "\"x", "x"), ("[values.addr].map(a, a.city)", "\"city", "city"),
    ("optional.of(values.addr).optMap(a, a.city).orValue('')", "\"city", "city"),
    ("values.rows.filter(r, r.x > 1).sortBy(r, r.x).map(r, r.?x.orValue(0))", "\"x", "x"),
    ("values.rows.map(r, {'row': r}).map(m, m.row.x)", "\"x", "x"),
    ("'city' in values.addr", "\"city", "city"),
  ])
  func `a formula that comes by a field in a roundabout way`(_ formula: String, _ slip: String, _ name: String) throws {
    let editor = try editor([
      "a.form.json": #"{"schema": \#(Self.schema), "outputs": {"o": "\#(formula)"}}"#
    ])
    #expect(try rename("a.form.json", slip, to: "renamed", in: editor) == nil)
    let form = try editor.folder.read("a.form.json")
    let expected = formula.replacing(".\(name)", with: ".renamed").replacing(".?\(name)", with: ".?renamed")
      .replacing("'\(name)'", with: "'renamed'")
    #expect(form.contains("\"\(expected)\""), "\(form)")
  }

  @Test func `a field that a formula reads of the row above`() throws {
    let editor = try editor([
      "a.form.json": #"{"schema": \#(Self.schema), "outputs": {"/rows/*/step": "row.x - above.x.orValue(0)"}}"#
    ])
    #expect(try rename("a.form.json", "\"x", to: "renamed", in: editor) == nil)
    #expect(try editor.folder.read("a.form.json").contains("row.renamed - above.renamed.orValue(0)"))
  }

  @Test(arguments: [
    ("values.addr[values.ok ? 'city' : 'town']", "a.form.json:3:"),
    ("values.addr.filter(name, name != 'city')", "a.form.json:3:"),
  ])
  func `a formula that computes the name is why a rename is refused`(_ formula: String, _ target: String) throws {
    let text = #"{"schema": \#(Self.schema), "outputs": {"o": "\#(formula)"}}"#
    let editor = try editor(["a.form.json": text])
    let message = try #require(try rename("a.form.json", "\"city", to: "renamed", in: editor))
    #expect(message.contains(target))
    #expect(try editor.folder.read("a.form.json") == text)
  }

  @Test func `what another output passes on is why a rename is refused`() throws {
    let text = #"{"schema": \#(Self.schema), "outputs": {"o": "values.addr", "p": "outputs.o.city"}}"#
    let editor = try editor(["a.form.json": text])
    let message = try #require(try rename("a.form.json", "\"city", to: "renamed", in: editor))
    #expect(message.hasPrefix("a.form.json:3:"))
  }

  @Test func `a field of a schema in another file is renamed there, and in the other forms that read it`() throws {
    let editor = try editor([
      "p.schema.json": #"{"$defs": {"p": {"properties": {"zip": {"type": "string", "maxLength": 9}}}}}"#,
      "a.form.json":
        ##"{"schema": {"properties": {"home": {"$ref": "p.schema.json#/$defs/p"}}}, "outputs": {"o": "values.home.zip"}}"##,
      "b.form.json": ##"{"schema": {"$ref": "p.schema.json#/$defs/p"}, "outputs": {"o": "values.zip"}}"##,
    ])
    #expect(try rename("a.form.json", "home.zip", to: "code", in: editor) == nil)
    #expect(try editor.folder.read("p.schema.json").contains("\"code\": {"))
    #expect(try editor.folder.read("a.form.json").contains("values.home.code"))
    #expect(try editor.folder.read("b.form.json").contains("values.code"))
  }

  @Test func `a schema whose references are not followed here`() throws {
    let editor = try editor([
      "a.form.json":
        ##"{"schema": {"$defs": {"p": {"$anchor": "q", "properties": {"zip": {"type": "string", "maxLength": 9}}}}, "$ref": "#q"}, "outputs": {"o": "values.zip"}}"##
    ])
    let message = try #require(try rename("a.form.json", "values.zip", to: "code", in: editor))
    #expect(message.contains("would break"))
  }

  @Test func `a rule, a check, an action and a field in all that tests expect of errors, taps and events`() throws {
    let form = #"""
      {"schema": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 9}}},
       "fields": {"name": {"messages": {"name.ok": "No."}}},
       "rules": [{"id": "name.ok", "field": "name", "check": "self != 'x'", "message": "No."}],
       "actions": {"send": {}}}
      """#
    let test = #"""
      {"cases": [{"name": "c", "given": {"name": "x"},
        "expect": {"errors": {"name": ["name.ok"]}},
        "steps": [
          {"tap": "send", "expect": {"tap": {"outcome": "rejected", "blockers": [{"field": "name", "code": "name.ok"}]}}},
          {"change": "name", "value": "y"},
          {"tap": "send", "expect": {"events": [{"action": "send", "kind": "succeeded"}]}}]}]}
      """#
    let editor = try editor(["a.form.json": form, "a.test.json": test])
    #expect(TestRun.result(ofFile: editor.folder.path + "/a.test.json").failedCount == 0)
    #expect(try rename("a.form.json", "\"id\": \"name", to: "name.fine-2", in: editor) == nil)
    #expect(try rename("a.form.json", "\"send", to: "go", in: editor) == nil)
    #expect(try rename("a.form.json", "\"properties\": {\"name", to: "title", in: editor) == nil)
    let changed = try editor.folder.read("a.test.json")
    #expect(changed.contains(#""errors": {"title": ["name.fine-2"]}"#), "\(changed)")
    #expect(changed.contains(#"{"field": "title", "code": "name.fine-2"}"#), "\(changed)")
    #expect(changed.contains(#"{"action": "go", "#), "\(changed)")
    #expect(try editor.folder.read("a.form.json").contains(#""messages": {"name.fine-2": "No."}"#))
    #expect(TestRun.result(ofFile: editor.folder.path + "/a.test.json").failedCount == 0)
  }

  @Test func `a case that would fail is why a rename is refused`() throws {
    let editor = try editor([
      "a.form.json": #"{"schema": \#(Self.schema), "outputs": {"o": "values.addr"}}"#,
      "a.test.json":
        #"{"cases": [{"name": "c", "given": {"addr": {"city": "S"}}, "expect": {"outputs": {"o": {"city": "S"}}}}]}"#,
    ])
    let message = try #require(try rename("a.form.json", "\"city", to: "renamed", in: editor))
    #expect(message.hasPrefix("the case \"c\" would fail: a.test.json:1:100: outputs o city; expected"), "\(message)")
  }

  @Test(arguments: [
    ("p", "the form already has an output \"p\"; write another name"), ("in", "a.form.json:1:"),
    ("", "is not a valid name"),
  ])
  func `why a name is refused`(_ newName: String, _ reason: String) throws {
    let editor = try editor(["a.form.json": #"{"schema": {"type": "object"}, "outputs": {"o": "1", "p": "outputs.o"}}"#]
    )
    let message = try #require(try rename("a.form.json", "{\"o", to: newName, in: editor))
    #expect(message.contains(reason), "\(message)")
  }

  @Test func `a form with errors is mended first`() throws {
    let editor = try editor(["a.form.json": #"{"schema": {"type": "object"}, "outputs": {"o": "1", "p": "valuess.x"}}"#]
    )
    #expect(try rename("a.form.json", "{\"o", to: "q", in: editor)?.contains("fix the errors") == true)
  }

  /// Renames every name of every example. A renamed example passes its tests as before; a refused example stays
  /// unchanged.
  @Test(arguments: try Samples.examples(".form.json").map(\.path))
  func `every name of an example, with its tests`(_ path: String) throws {
    let folder = path.split(separator: "/").first.map(String.init) ?? ""
    let files = try Samples.examples(".json").filter { $0.path.hasPrefix(folder + "/") }.map {
      (name: String($0.path.dropFirst(folder.utf8.count + 1)), text: $0.text)
    }
    let name = String(path.dropFirst(folder.utf8.count + 1))
    let editor = try editor(Dictionary(files.map { ($0.name, $0.text) }, uniquingKeysWith: { $1 }))
    let test = editor.folder.path + "/" + name.replacing(".form.json", with: ".test.json")
    #expect(TestRun.result(ofFile: test).failedCount == 0)
    var renamedCount = 0
    var refusals: [String] = []
    for position in try names(of: name, in: editor) {
      let newName = "renamedName"
      if let refusal = try rename(name, position, to: newName, in: editor) {
        refusals.append("\(position): \(refusal)")
      } else {
        renamedCount += 1
      }
      let changed = try files.filter { try editor.folder.read($0.name) != $0.text }
      if !changed.isEmpty {
        let result = TestRun.result(ofFile: test)
        #expect(result.failedCount == 0 && !result.cases.isEmpty, "\(name) \(position): \(result)")
      }
      for file in changed { try editor.folder.write(file.text, to: file.name) }
    }
    #expect(renamedCount > 0)
    #expect(refusals.count == Self.refused[folder, default: 0], "\(refusals.joined(separator: "\n"))")
  }

  /// By example: how many names cannot be changed. Their tests have services that receive or return them, and a formula
  /// passes on the object around them; or `has` names them between brackets, where a rename does not find them.
  private static let refused = [
    "approval": 4, "booking": 6, "invoice": 6, "member": 6, "payment": 10, "settings": 4, "signup": 4,
  ]

  /// The positions where the parts of a form get their names.
  private func names(of name: String, in editor: Editor) throws -> [JSON] {
    let scanned = ScannedText(json: SourceText(try editor.folder.read(name)))
    func members(_ block: String) -> [Int] {
      // The form as a whole has the address "", and an address of rows ends with a star.
      scanned.root.child(block)?.children.filter { $0.key != "" && $0.key?.hasSuffix("*") == false }.compactMap(
        \.keyRange?.upperBound
      ) ?? []
    }
    func ids(_ block: String) -> [Int] {
      scanned.root.child(block)?.children.compactMap { $0.child("id")?.range.upperBound } ?? []
    }
    var ends =
      ["fields", "outputs", "lookups", "actions"].flatMap(members) + ["rules", "checks", "steps"].flatMap(ids)
    var waiting = [scanned.root.child("schema")].compactMap(\.self)
    while let node = waiting.popLast() {
      if node.key == "properties" { ends += node.children.compactMap(\.keyRange?.upperBound) }
      waiting += node.children
    }
    return ends.map { target in
      // At the last letter, before the quote.
      let position = scanned.source.position(of: target - 1, in: .utf16)
      return ["line": .integer(Int64(position.line)), "character": .integer(Int64(position.character))]
    }
  }
}
