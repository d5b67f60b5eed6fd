import Forms
import JSON
import Sessions
import Testing

/// Users take back their edits, and repeat them.
@Suite struct `Undo` {
  private static let definition = """
    {"undo": true, "schema": {"properties": {
       "name": {"type": "string", "maxLength": 20}, "city": {"type": "string", "maxLength": 20},
       "country": {"type": "string", "maxLength": 20}, "slug": {"type": "string", "maxLength": 20},
       "note": {"type": "string", "maxLength": 20}, "slow": {"type": "string", "maxLength": 20},
       "pin": {"type": "string", "maxLength": 20, "writeOnly": true}, "amount": {"type": "number"},
       "home": {"type": ["object", "null"], "properties": {"a": {"type": "string", "maxLength": 9},
         "parts": {"type": "array", "maxItems": 9, "items": {"type": "object", "properties": {"n": {"type": "string", "maxLength": 9}}}}}},
       "keys": {"type": "array", "maxItems": 9, "items": {"type": "object", "properties": {
         "a": {"type": "string", "maxLength": 9}, "pin": {"type": "string", "maxLength": 9, "writeOnly": true}}}},
       "rows": {"type": "array", "maxItems": 9, "items": {"type": "object", "properties": {
         "a": {"type": "string", "maxLength": 9},
         "parts": {"type": "array", "maxItems": 9, "items": {"type": "object", "properties": {"n": {"type": "string", "maxLength": 9}}}}}}}}},
     "fields": {"city": {"resetOn": ["country"]}, "slug": {"suggested": "values.name"}, "slow": {"debounce": "1s"},
       "note": {"visible": "values.name != 'x'", "whenHidden": "clear"}, "amount": {"read": "number"}},
     "outputs": {"count": "size(values.rows)"}}
    """

  private func driver(_ values: JSONObject? = nil) throws -> SessionDriver {
    try SessionDriver(text: Self.definition, options: OpenOptions(locale: "de", values: values))
  }

  // MARK: Values

  @Test func `the last edit is taken back and repeated, and the client gets the values`() throws {
    let form = try driver(["name": "Ann"])
    #expect(form["/canUndo"] == false && form["/canRedo"] == false)
    form.change(["name": "Kim"], commit: true)
    form.change(["city": "Seoul"], commit: true)
    #expect(form["/canUndo"] == true)
    form.apply(.undo)
    #expect(form.values["city"] == nil && form.told.absent == ["city"])
    form.apply(.undo)
    #expect(form.values["name"] == "Ann" && form.told.values["name"] == "Ann")
    #expect(form["/canUndo"] == false && form["/canRedo"] == true)
    form.apply(.redo)
    form.apply(.redo)
    #expect(form.values["name"] == "Kim" && form.values["city"] == "Seoul")
    #expect(form["/canUndo"] == true && form["/canRedo"] == false)
  }

  @Test func `without an edit nothing changes`() throws {
    let form = try driver()
    let revision = form.session.revision
    form.apply(.undo)
    form.apply(.redo)
    #expect(form.session.revision == revision)
  }

  @Test func `the next edit leaves nothing to repeat`() throws {
    let form = try driver()
    form.change("name", "Kim")
    form.apply(.undo)
    form.change("city", "Bern")
    #expect(form["/canRedo"] == false)
    form.apply(.redo)
    #expect(form.values["name"] == nil)
  }

  @Test func `a form without undo has neither the cells nor the edits`() throws {
    let form = try SessionDriver(text: #"{"schema": {"properties": {"a": {"type": "string", "maxLength": 9}}}}"#)
    form.change("a", "x")
    form.apply(.undo)
    #expect(form.values["a"] == "x" && form["/canUndo"] == nil && !form.session.hasUndo)
  }

  // MARK: What is one edit

  @Test func `typing is one edit until the user does something else`() throws {
    let form = try driver()
    for text in ["K", "Ki", "Kim"] { form.change("name", .string(text)) }
    form.blur("name")
    for text in ["Kim ", "Kim J"] { form.change("name", .string(text)) }
    form.apply(.undo)
    #expect(form.values["name"] == "Kim")
    form.apply(.undo)
    #expect(form.values["name"] == nil)
  }

  @Test func `two commits of one field are two edits`() throws {
    let form = try driver()
    form.change(["name": "a"], commit: true)
    form.change(["name": "b"], commit: true)
    form.apply(.undo)
    #expect(form.values["name"] == "a")
  }

  @Test func `what was typed and deleted again is no edit`() throws {
    let form = try driver()
    form.change("name", "K")
    form.change("name", "")
    #expect(form["/canUndo"] == false)
  }

  @Test func `several values of one message are one edit`() throws {
    let form = try driver()
    form.change(["name": "Kim", "city": "Seoul"])
    form.apply(.undo)
    #expect(form.values["name"] == nil && form.values["city"] == nil)
    #expect(form["/canUndo"] == false)
  }

  @Test func `a value that is held back is the edit that is taken back`() throws {
    let form = try driver()
    form.change("name", "Kim")
    form.change("slow", "abc")
    form.apply(.undo)
    #expect(form.values["slow"] == nil && form.values["name"] == "Kim")
    form.apply(.redo)
    #expect(form.values["slow"] == "abc")
  }

  // MARK: Consequences

  @Test func `fields that an edit has reset and cleared come back with it, and nothing else is reset`() throws {
    let form = try driver(["country": "KR", "note": "n"])
    form.change(["city": "Seoul"], commit: true)
    form.change("country", "CH")
    #expect(form.values["city"] == nil)
    form.apply(.undo)
    #expect(form.values["country"] == "KR" && form.values["city"] == "Seoul")
    form.apply(.redo)
    #expect(form.values["country"] == "CH" && form.values["city"] == nil)
    form.change("name", "x")
    #expect(form.values["note"] == nil)
    form.apply(.undo)
    #expect(form.values["note"] == "n")
  }

  @Test func `a suggestion is followed again`() throws {
    let form = try driver()
    form.change("name", "Kim")
    form.change("slug", "mine")
    form.apply(.undo)
    #expect(form.values["slug"] == "Kim")
    form.change("name", "Ann")
    #expect(form.values["slug"] == "Ann")
  }

  @Test func `the text that was typed comes back`() throws {
    let form = try driver()
    form.change(["amount": "1.234,50"], commit: true)
    form.change(["amount": "7"], commit: true)
    form.apply(.undo)
    #expect(form.values["amount"] == 1234.5 && form["/fields/amount/text"] == "1.234,50")
  }

  @Test func `a reset is an edit, and one that keeps the values is none`() throws {
    let form = try driver(["name": "Ann"])
    form.change("name", "Kim")
    form.insert("rows", ["a": "1"])
    form.reset()
    #expect(form.values["name"] == "Ann")
    form.apply(.undo)
    #expect(form.values["name"] == "Kim" && form.order("rows") == ["1"])
    form.reset(keepValues: true)
    form.apply(.undo)
    #expect(form.values["rows"] == nil && form.values["name"] == "Kim" && form["/isDirty"] == true)
  }

  // MARK: Rows

  @Test func `a removed row comes back with its identity and its state`() throws {
    let form = try driver(["rows": [["a": "1"], ["a": "2"], ["a": "3"]]])
    form.change(["/rows/#2/a": "two"], commit: true)
    form.insert("/rows/#2/parts", ["n": "p"])
    let before = form["/fields/rows/rows/2"]
    form.remove("/rows/#2")
    #expect(form.order("rows") == ["1", "3"] && form["/outputs/count"] == 2)
    form.apply(.undo)
    #expect(form.order("rows") == ["1", "2", "3"] && form["/fields/rows/rows/2"] == before)
    #expect(form.values["rows"]?.arrayValue?[1] == ["a": "two", "parts": [["n": "p"]]])
    #expect(form["/outputs/count"] == 3 && form.told.values["/rows"] != nil || form.told.values["rows"] != nil)
    // Its earlier edits can still be taken back.
    form.apply(.undo)
    form.apply(.undo)
    #expect(form.values["rows"]?.arrayValue?[1] == ["a": "2"])
  }

  @Test func `an error of a server does not come back with its row`() throws {
    let form = try driver(["rows": [["a": "1"]]])
    let target = form.resolve("/rows/#1/a")
    form.apply(.fail(field: target.field ?? 0, row: target.row, message: "Taken."))
    #expect(form["/messages"]?.objectValue?.count == 1)
    form.remove("/rows/#1")
    form.apply(.undo)
    #expect(form["/messages"] == [:] && form["/fields/rows/rows/1"]?["fields"]?["a"]?["errors"] == nil)
  }

  @Test func `insertions and moves are taken back, and repeated with the same identities`() throws {
    let form = try driver(["rows": [["a": "1"], ["a": "2"]]])
    form.insert("rows", at: 1, ["a": "x"])
    form.move("/rows/#1", to: 2)
    #expect(form.order("rows") == ["3", "2", "1"])
    form.apply(.undo)
    #expect(form.order("rows") == ["1", "3", "2"])
    form.apply(.undo)
    #expect(form.order("rows") == ["1", "2"])
    form.apply(.redo)
    form.apply(.redo)
    #expect(form.order("rows") == ["3", "2", "1"] && form.values["rows"] == [["a": "x"], ["a": "2"], ["a": "1"]])
  }

  // MARK: Other sources

  @Test func `what a program has changed since is not taken back`() throws {
    let form = try driver()
    form.change(["name": "Kim", "city": "Seoul"])
    form.change(["name": "Program"], origin: .program)
    form.apply(.undo)
    #expect(form.values["name"] == "Program" && form.values["city"] == nil)
    form.change(["city": "Bern"])
    form.change(["city": "Basel"], origin: .program)
    #expect(form["/canUndo"] == false)
  }

  @Test func `a program that changes the rows of a list ends the edits of its order`() throws {
    let form = try driver(["rows": [["a": "1"], ["a": "2"]]])
    form.remove("/rows/#1")
    form.change(["rows": [["a": "2"], ["a": "9"]]], origin: .program)
    #expect(form["/canUndo"] == false)
  }

  @Test func `a change of a secret is not an edit`() throws {
    let form = try driver()
    form.change("pin", "CANARY")
    #expect(form["/canUndo"] == false)
  }

  @Test(arguments: ["/home", "/rows/0"])
  func `what a program gave inside goes with the object, and comes back with it`(_ object: String) throws {
    let form = try driver(["home": "text", "rows": ["text"]])
    form.change([object: ["parts": []]], commit: true)
    form.change(["\(object)/a": "1"], origin: .program)
    form.change(["\(object)/parts/-": ["n": "2"]], origin: .program)
    let given = form.values
    form.apply(.undo)
    #expect(form.values == ["home": "text", "rows": ["text"]] && form["/canUndo"] == false)
    form.apply(.redo)
    #expect(form.values == given)
  }

  @Test func `what a program gave inside goes also when an edit is repeated`() throws {
    let form = try driver(["rows": [["a": "1"]]])
    form.change(["/rows/0": "text"], commit: true)
    form.apply(.undo)
    form.change(["/rows/0/a": "2"], origin: .program)
    form.apply(.redo)
    #expect(form.values["rows"] == ["text"])
    form.apply(.undo)
    #expect(form.values["rows"] == [["a": "2"]])
  }

  @Test func `a null does not come back around what a program gave inside`() throws {
    let form = try driver(["home": .null])
    form.change(["/home/a": "1"], commit: true)
    form.change(["/home/a": "2"], origin: .program)
    form.apply(.undo)
    #expect(form.values["home"] == ["a": "2"])
  }

  @Test func `an object that was removed is removed again, with the default inside`() throws {
    let form = try SessionDriver(
      text: """
        {"undo": true, "schema": {"properties": {"home": {"type": "object", "properties": {
           "a": {"type": "string", "maxLength": 9}, "b": {"type": "string", "maxLength": 9}}}},
           "if": {"required": ["kind"]}, "else": {"properties": {"home": {"properties": {"b": {"default": "x"}}}}}}}
        """
    )
    form.change(["home": .null], commit: true)
    #expect(form.values["home"] == nil)
    form.change(["home": ["a": "1"]], commit: true)
    #expect(form.values["home"] == ["a": "1", "b": "x"])
    form.apply(.undo)
    #expect(form.values["home"] == nil)
  }

  @Test func `rows do not come back inside of a value that is no object`() throws {
    let form = try driver(["rows": [["parts": [["n": "1"]]]]])
    form.change(["/rows/0/parts": .null], commit: true)
    form.change(["/rows/0": "text"], origin: .program)
    form.apply(.undo)
    #expect(form.values["rows"] == ["text"])
    form.apply(.redo)
    #expect(form.values["rows"] == ["text"])
  }

  // MARK: Bounds

  @Test func `the oldest edits are dropped`() throws {
    let form = try driver()
    form.engine.undoMax = 2
    for text in ["a", "b", "c"] { form.change(["name": .string(text)], commit: true) }
    for _ in 0..<3 { form.apply(.undo) }
    #expect(form.values["name"] == "a")
    form.engine.undoMax = 0
    form.change(["name": "z"], commit: true)
    #expect(form["/canUndo"] == false && form["/canRedo"] == false)
  }

  @Test func `the bytes of the edits count, and bound their number`() throws {
    let form = try driver(["rows": [["a": "1"]]])
    let before = form.session.contentBytes
    form.remove("/rows/#1")
    #expect(form.session.contentBytes > before / 2)
    form.engine.undoBytesMax = 0
    form.change(["name": "z"], commit: true)
    #expect(form["/canUndo"] == false && form.session.contentBytes < before)
  }

  // MARK: Snapshots

  @Test(arguments: [SnapshotUse.resuming, .keeping])
  func `a restored session has its edits, and a migrated one has none`(_ use: SnapshotUse) throws {
    let form = try driver(["keys": [["a": "k", "pin": "CANARY"]], "rows": [["a": "1"], ["a": "2"]]])
    form.change(["name": "Kim"], commit: true)
    form.insert("/rows/#2/parts", ["n": "p"])
    form.remove("/rows/#2")
    form.remove("/keys/#1")
    form.change(["city": "Bern"], commit: true)
    form.apply(.undo)
    let snapshot = form.session.snapshot(for: use)
    if case .keeping = use {
      for bytes in snapshot.parts.values { #expect(!String(decoding: bytes, as: UTF8.self).contains("CANARY")) }
    }
    let engine = Engine()
    let restored = try engine.restore(form.form, from: snapshot, at: form.now).session
    #expect(restored.checkInvariants() == [] && restored.document == form.kept)
    for input in [Input.redo, .undo, .undo, .undo, .undo, .undo] { _ = engine.apply(input, to: restored, at: form.now) }
    #expect(restored.checkInvariants() == [])
    #expect(restored.values() == ["keys": [["a": "k"]], "rows": [["a": "1"], ["a": "2"]]])
    #expect(restored.document.value(at: JSONPointer("/fields/rows/order")!) == ["2", "3"])
    #expect(restored.document.value(at: JSONPointer("/fields/keys/order")!) == ["1"])
    #expect(restored.values(includingSecrets: true).description.contains("CANARY") == (use == .resuming))
    let migrated = try engine.restore(form.form, from: snapshot, at: form.now, migrates: true).session
    #expect(migrated.document["canUndo"] == false && migrated.document["canRedo"] == false)
    #expect(migrated.checkInvariants() == [])
  }
}
