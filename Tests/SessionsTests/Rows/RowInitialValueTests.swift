import Forms
import JSON
import Sessions
import Testing

/// A row keeps a field's initial value from the field's first change on; until then the value is the initial one.
@Suite struct `What the fields of rows began with` {
  private let text = """
    {"schema": {"properties": {"items": {"type": "array", "items": {"type": "object", "properties": {
       "sku": {"type": "string"}, "n": {"type": "integer"}, "note": {"type": "string"},
       "more": {"type": "object", "properties": {"a": {"type": "string"}}},
       "lines": {"type": "array", "items": {"properties": {"t": {"type": "string"}}}}}}}}},
     "fields": {"/items/*/note": {"debounce": "1s"}}, "outputs": {"/items/*/twice": "row.n * 2"}}
    """
  private let opened: JSON = [
    ["sku": "A", "n": 1], ["sku": "B", "n": 2, "more": ["a": "x", "z": 1], "lines": [["t": "one"], ["t": "two"]]],
  ]
  private func driver(_ items: JSON? = nil) throws -> SessionDriver {
    try SessionDriver(text: text, options: OpenOptions(values: items.map { ["items": $0] }))
  }
  private func bytes(_ values: JSON...) -> Int { values.reduce(0) { $0 + $1.approximateBytes } }

  @Test func `they count from the first change on`() throws {
    let form = try driver()
    form.insert("items", ["sku": "A"])
    let before = form.session.valueBytes
    let changes: [(value: JSON, bytes: Int)] = [
      ("A", 0), ("long", bytes("long")), ("longer", bytes("longer")), ("A", bytes("A")), ("", 0),
    ]
    let target = form.resolve("/items/0/sku")
    for (value, bytes) in changes {
      let input = Input.change([FieldChange(row: target.row, field: target.field ?? 0, value: value)])
      let most = form.session.valueBytes(after: input, at: form.now)
      form.apply(input)
      #expect(form.session.valueBytes == before + bytes && most == before + bytes, "\(value)")
    }
    form.reset(keepValues: true)
    let values = form.values
    form.change("/items/0/sku", "B")
    form.reset()
    #expect(form.values == values)
  }

  @Test func `what is held back in a row takes effect without more memory`() throws {
    let form = try driver()
    form.insert("items", ["note": "given"])
    let target = form.resolve("/items/0/note")
    let input = Input.change([FieldChange(row: target.row, field: target.field ?? 0, value: "held")])
    let most = form.session.valueBytes(after: input, at: form.now)
    let before = form.session.valueBytes
    form.apply(input)
    #expect(form.session.valueBytes == most && most == before + bytes("held", "given"))
    form.advance(milliseconds: 1_000)
    #expect(form.session.valueBytes == before + bytes("held"))
    form.reset(keepValues: true)
    #expect(form["/isDirty"] == false)
  }

  @Test func `moves and rows that come and go keep nothing of the others`() throws {
    let form = try driver(opened)
    let (values, document, kept) = (form.values, form.session.document, form.session.contentBytes)
    form.move("/items/#2", to: 0)
    let moved = form.insert("items", at: 1, ["sku": "C"])
    form.remove("/items/#\(moved[0])")
    #expect(form.session.contentBytes == kept)
    form.reset()
    #expect(form.values == values && form.session.contentBytes == kept && form.session.document == document)
  }

  @Test func `a reset restores what has changed, and gives back what was kept for that`() throws {
    let form = try driver(opened)
    let (values, kept) = (form.values, form.session.contentBytes)
    form.change("/items/#1/sku", "changed")
    form.change("/items/#2/more", ["a": "y"])
    form.change("/items/#2/lines/0/t", "three")
    form.remove("/items/#2/lines/1")
    form.change("/items/#1/more/a", "new")
    form.reset()
    #expect(form.values == values && form.session.contentBytes == kept && form["/isDirty"] == false)
  }

  @Test func `a row that is removed gives back all its bytes`() throws {
    let form = try driver([])
    let kept = form.session.contentBytes
    form.insert("items", opened.arrayValue?[1])
    form.change("/items/0/lines/0/t", "another")
    form.change("/items/0/sku", "changed")
    form.change("/items/0/note", "held back")
    form.remove("/items/0")
    #expect(form.session.contentBytes == kept)
  }

  @Test(arguments: [SnapshotUse.resuming, .keeping]) func `a snapshot keeps them`(_ use: SnapshotUse) throws {
    let form = try driver(opened)
    let values = form.values
    form.change("/items/#1/sku", "changed")
    form.change("/items/#2/more", .null)
    form.insert("/items/#2/lines", ["t": "three"])
    form.change("/items/#2/lines/1/t", "four")
    let engine = Engine()
    let snapshot = form.session.snapshot(for: use)
    let restored = try engine.restore(form.form, from: snapshot, at: form.now).session
    // A client that returns to a kept session is in no field.
    #expect(use == .keeping || restored.document == form.session.document)
    #expect(restored.values() == form.values)
    #expect(restored.valueBytes == form.session.valueBytes && restored.checkInvariants() == [])
    _ = engine.apply(.reset(keepValues: false), to: restored, at: form.now)
    #expect(restored.values() == values && restored.document["isDirty"] == false)
  }

  @Test func `a list inside of a new row keeps what it began with, and that is known before`() throws {
    let form = try driver()
    let text = JSON.string(String(repeating: "x", count: 10_000))
    let input = Input.insert(
      list: form.resolve("items").field ?? 0,
      at: 0,
      [["lines": [["t": text], ["t": text]]], ["lines": [["t": text]]]]
    )
    let most = form.session.valueBytes(after: input, at: form.now)
    form.apply(input)
    #expect(form.session.contentBytes <= most)
  }
}
