import Forms
import JSON
import Sessions
import Testing

/// Fields whose values formulas give until an input does.
@Suite struct `Suggested values` {
  private static let definition = """
    {"schema": {"properties": {"title": {"type": "string", "maxLength": 20},
       "slug": {"type": "string", "maxLength": 20, "default": "unused"},
       "box": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}, "b": {"type": "string", "maxLength": 9}}},
       "rows": {"type": "array", "items": {"type": "object", "properties": {
         "a": {"type": "string", "maxLength": 9}, "b": {"type": "string", "maxLength": 9}}}}}},
     "fields": {"slug": {"suggested": "values.title.lowerAscii()", "normalize": ["trim"], "show": "edit"},
       "/box/b": {"suggested": "values.box.a"}, "/rows/*/b": {"suggested": "row.a"}}}
    """

  private func driver(_ values: JSONObject? = nil) throws -> SessionDriver {
    try SessionDriver(text: Self.definition, options: OpenOptions(values: values))
  }

  @Test func `the value follows the formula until it is edited, and again after a reset`() throws {
    let form = try driver()
    #expect(form.values == [:])
    form.change("title", "One")
    #expect(form.values == ["title": "One", "slug": "one"] && form.told.values == ["slug": "one"])
    #expect(form["/fields/slug/isDirty"] == false)
    form.change("slug", "mine")
    #expect(form["/fields/slug/isDirty"] == true)
    // The client may have sent it before it heard of the suggestion.
    #expect(form.told.values == ["slug": "mine"])
    form.change("title", "Two")
    #expect(form.values["slug"] == "mine" && form.told.values.isEmpty)
    form.change("slug", "own")
    #expect(form.told.values.isEmpty)
    form.reset()
    #expect(form.values == [:] && form["/isDirty"] == false && Set(form.told.absent) == ["title", "slug"])
    form.change("title", "Three")
    #expect(form.told.values == ["title": "Three", "slug": "three"])
  }

  @Test func `a field that the user has emptied stays empty, and is dirty`() throws {
    let form = try driver()
    form.change("title", "One")
    form.change("slug", " ")
    form.change("title", "Two")
    #expect(form.values == ["title": "Two"] && form["/fields/slug/isDirty"] == true)
    form.change("title", .null)
    #expect(form["/isDirty"] == true)
    form.reset()
    #expect(form["/isDirty"] == false)
    form.change("title", "Three")
    #expect(form.values["slug"] == "three")
  }

  @Test(arguments: [Origin.user, .autofill, .restore, .program])
  func `whoever gives it a value ends the following`(_ origin: Origin) throws {
    let form = try driver()
    form.change(["title": "One"])
    form.change(["slug": "own"], origin: origin)
    form.change(["title": "Two"])
    #expect(form.values["slug"] == "own")
    #expect(form["/fields/slug/isDirty"] == true)
  }

  @Test func `an input that leaves the suggestion as it is does not end the following`() throws {
    let form = try driver(["title": "One"])
    form.change("slug", " one ")
    form.change(["slug": "one"], origin: .program)
    #expect(form.patches.isEmpty)
    form.change("title", "Two")
    #expect(form.values["slug"] == "two")
    form.change("title", .null)
    form.change("slug", "")
    form.change("title", "Three")
    #expect(form.values["slug"] == "three")
  }

  @Test func `a value that the session is opened with is an initial value like any other`() throws {
    let form = try driver(["title": "One", "slug": "own"])
    form.change("title", "Two")
    #expect(form.values["slug"] == "own" && form["/fields/slug/isDirty"] == false)
    form.change("slug", "new")
    form.reset()
    #expect(form.values == ["title": "One", "slug": "own"] && form["/isDirty"] == false)
    let empty = try driver(["title": "One", "slug": .null])
    #expect(empty.values["slug"] == "one")
  }

  @Test func `a whole value that lacks the field says nothing to it, and one that has it does`() throws {
    let form = try driver()
    form.change("/box/a", "x")
    #expect(form.values["box"] == ["a": "x", "b": "x"])
    form.change("box", ["a": "y"])
    #expect(form.values["box"] == ["a": "y", "b": "y"] && form.told.values == ["/box/b": "y"])
    form.change("box", ["a": "y", "b": "y"])
    form.change("/box/a", "z")
    #expect(form.values["box"] == ["a": "z", "b": "z"])
    form.change("box", ["a": "z", "b": .null])
    form.change("/box/a", "w")
    #expect(form.values["box"] == ["a": "w"])
    form.change("box", ["a": "w", "b": "own"])
    form.change("/box/a", "v")
    #expect(form.values["box"] == ["a": "v", "b": "own"])
    form.change("box", ["a": "v"])
    #expect(form.values["box"] == ["a": "v"])
  }

  @Test func `each row follows by itself`() throws {
    let form = try driver(["rows": [["a": "p"], ["a": "q", "b": "own"]]])
    #expect(form.values["rows"] == [["a": "p", "b": "p"], ["a": "q", "b": "own"]])
    form.change(["/rows/0/a": "x", "/rows/1/a": "y"])
    #expect(form.values["rows"] == [["a": "x", "b": "x"], ["a": "y", "b": "own"]])
    #expect(form.told.values == ["/rows/#1/b": "x"])
    form.insert("rows", ["a": "n"])
    #expect(form.told.values == ["/rows/#3/b": "n"])
    form.change("/rows/2/b", "")
    form.change("/rows/2/a", "m")
    #expect(form.values["rows"] == [["a": "x", "b": "x"], ["a": "y", "b": "own"], ["a": "m"]])
    form.change("/rows/0/b", "mine")
    form.remove("/rows/1")
    form.reset()
    #expect(form.values["rows"] == [["a": "p", "b": "p"], ["a": "q", "b": "own"]] && form["/isDirty"] == false)
    form.change(["/rows/0/a": "x", "/rows/1/a": "y"])
    #expect(form.values["rows"] == [["a": "x", "b": "x"], ["a": "y", "b": "own"]])
  }

  @Test func `a reset that keeps values keeps what was given as the beginning, and what follows goes on`() throws {
    let form = try driver(["rows": [["a": "p"], ["a": "q"]]])
    form.change(["title": "One", "/rows/0/b": "own"])
    form.reset(keepValues: true)
    #expect(form["/isDirty"] == false)
    form.change(["title": "Two", "/rows/0/a": "x", "/rows/1/a": "y"])
    #expect(form.values["slug"] == "two" && form.values["rows"] == [["a": "x", "b": "own"], ["a": "y", "b": "y"]])
    form.change(["slug": "own", "/rows/0/b": "new"])
    form.reset()
    #expect(form.values == ["title": "One", "slug": "one", "rows": [["a": "p", "b": "own"], ["a": "q", "b": "q"]]])
    form.change("slug", "own")
    form.reset(keepValues: true)
    form.change("slug", "other")
    form.reset()
    #expect(form.values["slug"] == "own")
  }

  @Test func `a snapshot keeps whether a field follows`() throws {
    let form = try driver(["rows": [["a": "p"], ["a": "q"]]])
    form.change(["title": "One", "/box/a": "x"])
    form.change(["/rows/0/b": "own", "/box/b": ""])
    let engine = Engine()
    let restored = try engine.restore(form.form, from: form.session.snapshot(for: .resuming), at: form.now)
      .session
    #expect(restored.document == form.kept && restored.values() == form.values)
    #expect(restored.checkInvariants() == [])
    let change: [(String, JSON)] = [("title", "Two"), ("/box/a", "y"), ("/rows/0/a", "r"), ("/rows/1/a", "s")]
    let changes = change.map { address, value in
      let target = form.resolve(address)
      return FieldChange(row: target.row, field: target.field!, path: [], value: value)
    }
    _ = engine.apply(.change(changes), to: restored, at: form.now)
    #expect(
      restored.values() == [
        "title": "Two", "slug": "two", "box": ["a": "y"], "rows": [["a": "r", "b": "own"], ["a": "s", "b": "s"]],
      ]
    )
    _ = engine.apply(.reset(keepValues: false), to: restored, at: form.now)
    #expect(restored.values() == ["rows": [["a": "p", "b": "p"], ["a": "q", "b": "q"]]])
  }

  @Test func `a value that is held back ends the following when it takes effect`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a": {"type": "string", "maxLength": 9}, "b": {"type": "string", "maxLength": 9}}},
         "fields": {"b": {"suggested": "values.a", "debounce": "100ms"}}}
        """
    )
    form.change("a", "x")
    form.change("b", "own")
    form.change("a", "y")
    #expect(form.values["b"] == "y")
    form.advance(milliseconds: 100)
    form.change("a", "z")
    #expect(form.values["b"] == "own")
  }

  @Test func `what a suggestion takes counts as computed until it is given`() throws {
    let form = try driver()
    form.change("title", "twelve bytes")
    let (values, computed) = (form.session.valueBytes, form.session.computedBytes)
    #expect(computed > 0)
    let slug = form.form.field(at: "slug")!
    let expected = form.session.valueBytes(after: .set(field: slug, to: "own"), at: form.now)
    form.change("slug", "own")
    #expect(form.session.valueBytes == expected && expected > values && form.session.computedBytes == 0)
    form.reset()
    #expect(form.session.valueBytes == 0 && form.session.computedBytes == 0)
  }
}
