import Forms
import JSON
import Sessions
import Testing

/// The meaning of a change is computed once, before the change is applied.
@Suite struct `Prepared changes` {
  private let text = """
    {"schema": {"properties": {
       "a": {"type": "string"}, "box": {"type": ["object", "null"], "properties": {"b": {"type": "string"}, "c": {}}, "additionalProperties": {}},
       "d": {"type": "string"}, "e": {"type": "object"},
       "items": {"type": "array", "items": {"properties": {"n": {"type": "string"}}}}}},
     "fields": {"a": {"normalize": ["trim"]}, "d": {"debounce": "1s"}, "e": {"resetOn": ["d"]}}}
    """

  private func changes(_ form: SessionDriver, _ values: KeyValuePairs<String, JSON?>) -> [FieldChange] {
    values.map { address, value in
      let target = form.resolve(address)
      return FieldChange(row: target.row, field: target.field ?? FieldChange.root, path: target.rest, value: value)
    }
  }

  @Test func `each change is computed for the values that the changes before it leave`() throws {
    let form = try SessionDriver(text: text)
    form.change("box", .null)
    let prepared = try form.session.prepare(
      changes(form, ["a": " x ", "/box/b": "y", "/box/c": [:], "/box/c/k": 1, "/box/z": 2])
    )
    #expect(form.session.values() == ["box": .null], "preparing changes nothing")
    let growth = form.session.growth(of: .prepared(prepared), at: form.now)
    let (raw, before) = (try SessionDriver(text: text), form.session.valueBytes)
    form.apply(.prepared(prepared))
    #expect(form.session.values() == ["a": "x", "box": ["b": "y", "c": ["k": 1], "z": 2]])
    // Triggers count, although none fires.
    #expect(form.session.valueBytes <= before + growth.bytes)
    raw.change("box", .null)
    raw.apply(.change(changes(raw, ["a": " x ", "/box/b": "y", "/box/c": [:], "/box/c/k": 1, "/box/z": 2])))
    #expect(raw.session.document == form.session.document && raw.session.valueBytes == form.session.valueBytes)
  }

  @Test func `the first change that leads nowhere is thrown, and the engine leaves out no other`() throws {
    let form = try SessionDriver(text: text)
    form.insert("items", ["n": "one"], ["n": "two"])
    // No change can rely on a row of a list that is replaced.
    let wanted = changes(
      form,
      ["a": "x", "/e/k/l": 1, "items": [["n": "three"]], "/items/0/n": "four", "box": ["b": "y"]]
    )
    #expect(throws: Unacceptable.self) { _ = try form.session.prepare(wanted) }
    #expect(form.session.firstUnacceptable(in: wanted) == 3)
    form.apply(.change(wanted))
    let values: JSON = ["a": "x", "box": ["b": "y"], "e": ["k": ["l": 1]], "items": [["n": "three"]]]
    #expect(form.session.values() == values)
  }

  @Test func `a timer that is due comes first`() throws {
    let form = try SessionDriver(text: text)
    form.change("e", ["old": 1])
    form.change("d", "held")
    let prepared = try form.session.prepare(changes(form, ["/e/new": 2]))
    form.passWithoutTimers(milliseconds: 1_000)
    form.apply(.prepared(prepared))
    // The debounced value has reset the object.
    #expect(form.session.values() == ["d": "held", "e": ["new": 2]])
  }
}
