import JSON
internal import SourceTexts
import Testing

@Suite struct `Where names stand, and what they are changed to` {
  private func editor() throws -> Editor {
    let editor = try Editor(
      files: ["login.form.json": Samples.login, "login.test.json": Samples.loginTest, "other.form.json": "{"],
      capabilities: [:]
    )
    editor.open("login.form.json", Samples.login)
    return editor
  }

  /// The texts that locations mean.
  private func texts(_ locations: JSON, _ editor: Editor) throws -> [String] {
    try (locations.arrayValue ?? []).map { location in
      let uri = location["uri"]?.stringValue ?? ""
      let name = String(uri.split(separator: "/").last ?? "")
      let source = SourceText(try editor.folder.read(name))
      func position(_ end: String) -> TextPosition {
        TextPosition(
          line: Int(location["range"]?[end]?["line"]?.integerValue ?? -1),
          character: Int(location["range"]?[end]?["character"]?.integerValue ?? -1)
        )
      }
      let range = source.offsets(of: TextRange(start: position("start"), end: position("end")), in: .utf16)
      return "\(name):\(position("start").line + 1):\(String(decoding: source.bytes[range], as: UTF8.self))"
    }
  }

  @Test(arguments: [
    ("self.contains", "email.at\", \"field\": \"", "email", 7), ("values.email != ''", "values.", "email", 7),
    ("row.quantity * 2", "row.", "quantity", 11), ("r.sku != values", "r.", "sku", 11),
    ("fields.email.isValid", "fields.", "email", 7),
    ("\"scope\": \"one\"", "\"scope\": \"", "one", 26), ("'/items/*/twice'].sum", "'/items/*/", "twice", 28),
  ])
  func `a name's definition`(_ around: String, _ before: String, _ name: String, _ line: Int) throws {
    let editor = try editor()
    let at = editor.target("login.form.json", of: around.hasPrefix(before) ? around : before + name)
    var position = at["position"]?.objectValue ?? [:]
    position["character"] = .integer((position["character"]?.integerValue ?? 0) + Int64(before.utf16.count))
    let found = editor.request(
      "textDocument/definition",
      ["textDocument": at["textDocument"] ?? .null, "position": .object(position)]
    )
    #expect(try texts(found, editor) == ["login.form.json:\(line):\(name)"])
  }

  @Test func `all references of a field, in the form and in its tests`() throws {
    let editor = try editor()
    let target = editor.target("login.form.json", of: "email\": { \"type\"").objectValue ?? [:]
    var params = target
    params["context"] = ["includeDeclaration": true]
    let found = try texts(editor.request("textDocument/references", .object(params)), editor)
    #expect(
      found == [
        "login.form.json:5:email", "login.form.json:7:email", "login.form.json:17:email", "login.form.json:18:email",
        "login.form.json:22:email", "login.form.json:24:email", "login.form.json:26:email", "login.form.json:27:email",
        "login.test.json:4:email", "login.test.json:6:email", "login.test.json:6:email", "login.test.json:6:email",
      ]
    )
    params["context"] = ["includeDeclaration": false]
    #expect(try texts(editor.request("textDocument/references", .object(params)), editor).count == found.count - 1)
  }

  @Test func `renaming a field changes the form and its tests, and nothing breaks`() throws {
    for (name, slip) in [
      ("email", "email\": { \"type\""), ("city", "city\": {"), ("items", "items\": {"), ("sku", "sku\": {"),
      ("quantity", "quantity\": {"),
    ] {
      let editor = try editor()
      let target = editor.target("login.form.json", of: slip)
      #expect(editor.request("textDocument/prepareRename", target)["placeholder"] == .string(name))
      var params = target.objectValue ?? [:]
      params["newName"] = "renamed"
      let edit = editor.request("textDocument/rename", .object(params))
      let form = try editor.applying(
        edit["changes"]?[editor.uri("login.form.json")]?.arrayValue ?? [],
        to: "login.form.json"
      )
      let test = try editor.applying(
        edit["changes"]?[editor.uri("login.test.json")]?.arrayValue ?? [],
        to: "login.test.json"
      )
      #expect(form.contains("\"renamed\": {"))
      // `items` is a keyword of the schema, too.
      #expect(!form.contains("\"\(name)\": {") || name == "items")
      editor.change("login.form.json", to: form)
      #expect(editor.pushed("login.form.json") ?? [] == [], "\(name): \(form)")
      editor.open("login.test.json", test)
      #expect(editor.pushed("login.test.json") ?? [] == [], "\(name): \(test)")
    }
  }

  @Test func `renaming an action, a step, an output`() throws {
    for (slip, name) in [("send\"", "send"), ("one\"", "one"), ("total\"", "total"), ("twice\":", "twice")] {
      let editor = try editor()
      var params = editor.target("login.form.json", of: slip).objectValue ?? [:]
      params["newName"] = "renamed"
      let edit = editor.request("textDocument/rename", .object(params))
      let form = try editor.applying(
        edit["changes"]?[editor.uri("login.form.json")]?.arrayValue ?? [],
        to: "login.form.json"
      )
      editor.change("login.form.json", to: form)
      #expect(editor.pushed("login.form.json") ?? [] == [], "\(name): \(form)")
      #expect(!form.contains(name == "one" ? "\"one\"" : name))
    }
  }

  @Test(arguments: ["", "1st", "a b", "a-b", "a.b", "in", "true", "address"])
  func `what cannot be a name, or is one already, is refused with a reason`(_ newName: String) throws {
    let editor = try editor()
    var params = editor.target("login.form.json", of: "email\": { \"type\"").objectValue ?? [:]
    params["newName"] = .string(newName)
    let answer = editor.request("textDocument/rename", .object(params))
    #expect(answer["error"]?["code"] == -32803)
  }

  @Test func `a schema that two fields share is renamed for both`() throws {
    let editor = try Editor(capabilities: [:])
    editor.open(
      "a.form.json",
      ##"{"schema": {"$defs": {"p": {"properties": {"zip": {"type": "string", "maxLength": 9}}}}, "properties": {"home": {"$ref": "#/$defs/p"}, "work": {"$ref": "#/$defs/p"}}}, "outputs": {"x": "values.home.zip + values.work.zip"}}"##
    )
    var params = editor.target("a.form.json", of: "zip\": {").objectValue ?? [:]
    params["newName"] = "postcode"
    let edit = editor.request("textDocument/rename", .object(params))
    let form = try editor.applying(edit["changes"]?[editor.uri("a.form.json")]?.arrayValue ?? [], to: "a.form.json")
    #expect(form.contains("values.home.postcode + values.work.postcode"))
    editor.change("a.form.json", to: form)
    #expect(editor.pushed("a.form.json") ?? [] == [])
  }

  @Test func `nothing has no name`() throws {
    let editor = try editor()
    #expect(
      editor.request("textDocument/prepareRename", editor.target("login.form.json", ["line": 0, "character": 0]))
        == .null
    )
    #expect(
      editor.request("textDocument/definition", editor.target("nowhere.form.json", ["line": 0, "character": 0])) == []
    )
  }
}
