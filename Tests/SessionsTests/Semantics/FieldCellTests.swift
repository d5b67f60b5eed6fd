import JSON
import Sessions
import Testing

@Suite struct `What formulas read of a field's state` {
  private func open() throws -> SessionDriver {
    try SessionDriver(
      [
        "schema": [
          "type": "object",
          "properties": [
            "a": ["type": "string"],
            "o": ["type": "object", "properties": ["b": ["type": "string"]]],
            "items": ["type": "array", "items": ["type": "object", "properties": ["c": ["type": "string"]]]],
          ],
        ],
        "outputs": [
          "a": "[fields.a.isEdited, fields.a.isFocused]", "o": "[fields.o.isEdited, fields.o.isFocused]",
          "b": "[fields['/o/b'].isEdited, fields['/o/b'].isFocused]",
          "/items/*/c": "[fields['/items/*/c'].isEdited, fields['/items/*/c'].isFocused]",
          "items": "[fields.items.isEdited, fields.items.isFocused]",
        ],
      ]
    )
  }

  @Test func `a field is focused from focus to blur, and edited from the first change to reset`() throws {
    let form = try open()
    #expect(form["/outputs/a"] == [false, false])
    form.focus("a")
    #expect(form["/outputs/a"] == [false, true])
    form.change("a", "")
    #expect(form["/outputs/a"] == [false, true])
    form.change("a", "x")
    #expect(form["/outputs/a"] == [true, true])
    form.blur("a")
    #expect(form["/outputs/a"] == [true, false])
    form.change(["a": ""], origin: .program)
    #expect(form["/outputs/a"] == [true, false])
    form.focus("a")
    form.reset()
    #expect(form["/outputs/a"] == [false, false])
  }

  @Test func `who changes a field is in it, also without a focus, until the change that commits`() throws {
    let form = try open()
    form.change("a", "x")
    #expect(form["/outputs/a"] == [true, true])
    form.change(["a": "xy"], commit: true)
    #expect(form["/outputs/a"] == [true, false])
    let program = try open()
    program.change(["a": "x"], origin: .program)
    #expect(program["/outputs/a"] == [false, false])
  }

  @Test func `fields around it are edited and focused with it`() throws {
    let form = try open()
    form.change("/o/b", "x")
    #expect(form["/outputs/b"] == [true, true] && form["/outputs/o"] == [true, true])
    form.blur("/o/b")
    #expect(form["/outputs/b"] == [true, false] && form["/outputs/o"] == [true, false])
    #expect(form["/outputs/items"] == [false, false])
  }

  @Test func `each row has its own, and a row that goes takes its focus along`() throws {
    let form = try open()
    let rows = form.insert("items", nil, nil)
    form.blur("items")
    form.change("/items/#\(rows[0])/c", "x")
    #expect(form["/fields/items/rows/\(rows[0])/outputs/c"] == [true, true])
    #expect(form["/fields/items/rows/\(rows[1])/outputs/c"] == [false, false])
    #expect(form["/outputs/items"] == [true, true])
    form.remove("/items/#\(rows[0])")
    #expect(form["/outputs/items"] == [true, false])
  }

  @Test func `a formula can read whether a field is shown, by itself, by what is around it and by its step`() throws {
    let form = try SessionDriver(
      [
        "schema": [
          "type": "object",
          "properties": [
            "a": ["type": "string"], "o": ["type": "object", "properties": ["b": ["type": "string"]]],
            "p": ["type": "string"],
          ],
        ],
        "fields": ["o": ["visible": "values.a != ''"]],
        "steps": [["id": "s", "fields": ["p"], "visible": "values.a == 'x'"]],
        "outputs": ["shown": "[fields.a.isVisible, fields.o.isVisible, fields['/o/b'].isVisible, fields.p.isVisible]"],
      ]
    )
    #expect(form["/outputs/shown"] == [true, false, false, false])
    form.change("a", "y")
    #expect(form["/outputs/shown"] == [true, true, true, false])
    form.change("a", "x")
    #expect(form["/outputs/shown"] == [true, true, true, true])
  }

  @Test func `a restored session has them as they were`() throws {
    let form = try open()
    form.change("/o/b", "x")
    form.focus("a")
    let restored = try Engine().restore(form.form, from: form.session.snapshot(for: .resuming), at: form.now)
      .session
    #expect(restored.document == form.kept && restored.checkInvariants().isEmpty)
    #expect(restored.document["outputs"]?["a"] == [false, true])
  }
}
