import Forms
import JSON
import Sessions
import Testing

/// The bytes that a session holds for its client are known at any time, and before an input is applied.
@Suite struct `The bytes of a session's values` {
  private let text = """
    {"schema": {"type": "object", "properties": {
       "a": {"type": "string", "default": "12345678"}, "b": {"type": "object"}, "d": {"type": "string"}}},
     "fields": {"a": {"normalize": ["trim"]}, "d": {"debounce": "1s"}}, "actions": {"go": {}}}
    """
  private func driver(_ values: JSONObject? = nil) throws -> SessionDriver {
    try SessionDriver(text: text, options: OpenOptions(values: values))
  }
  private func bytes(_ values: JSON...) -> Int { values.reduce(0) { $0 + $1.approximateBytes } }

  @Test func `a small value counts like a large one`() throws {
    let form = try driver()
    #expect(form.session.valueBytes == bytes("12345678"))
    form.change("a", "x")
    #expect(form.session.valueBytes == bytes("x"))
    form.change("a", "")
    #expect(form.session.valueBytes == 0)
    form.change("b", ["k": [1, 2]])
    #expect(form.session.valueBytes == bytes(["k": [1, 2]]))
  }

  @Test(arguments: [false, true])
  func `errors whose texts depend on the value count beside it`(hasUndo: Bool) throws {
    let form = try SessionDriver(
      text: """
        {"undo": \(hasUndo), "schema": {"type": "object", "properties": {
           "b": {"type": "object", "additionalProperties": {"type": "integer"}},
           "rows": {"type": "array", "items": {"type": "object", "properties": {
              "b": {"type": "object", "additionalProperties": {"type": "integer"}}}}}}}}
        """
    )
    form.change("b", ["k": 1, "l": 2])
    let valid = form.session.computedBytes
    form.change("b", ["k": "x", "l": "y"])
    #expect(form["/fields/b/errors"]?.arrayValue?.count == 2)
    // Each error is an object with a text, a path and parameters.
    #expect(form.session.computedBytes - valid > 2 * 200)
    form.change("b", ["k": 1, "l": 2])
    #expect(hasUndo || form.session.computedBytes == valid)
    // They go with their row, and come back with it: the driver counts them after each turn.
    form.change("rows", [["b": ["k": "x"]]])
    form.remove("/rows/0")
    form.apply(.undo)
    form.change("rows", [])
    #expect(hasUndo || form.session.computedBytes == valid)
  }

  @Test func `initial values that the session was given count beside the current ones`() throws {
    let form = try driver(["a": "given"])
    #expect(form.session.valueBytes == bytes("given", "given"))
    form.change("a", "x")
    #expect(form.session.valueBytes == bytes("given", "x"))
    form.reset(keepValues: true)
    #expect(form.session.valueBytes == bytes("x", "x"))
    form.change("a", "")
    #expect(form.session.valueBytes(after: .reset(keepValues: false), at: form.now) == bytes("x", "x"))
    form.reset()
    #expect(form.session.valueBytes == bytes("x", "x"))
  }

  @Test func `what a debounce holds back counts, and only the last value of its user`() throws {
    let form = try driver(["a": ""])
    form.change("d", "first")
    form.change("d", "second")
    #expect(form.session.valueBytes == bytes("second"))
    form.advance(milliseconds: 1_000)
    #expect(form.session.valueBytes == bytes("second"))
    form.change("d", "third")
    #expect(form.session.valueBytes == bytes("second", "third"))
    form.blur("d")
    #expect(form.session.valueBytes == bytes("third"))
  }

  @Test func `what a change makes of it is known before`() throws {
    let form = try driver()
    let large = JSON.string(String(repeating: "x", count: 5_000))
    let inputs: [(Input, Int)] = [
      (.set(field: 0, to: large), bytes(large)),
      (.set(field: 0, to: " spaced "), bytes("spaced")),
      (.set(field: 0, to: nil), 0),
      (.change([FieldChange(field: 0, value: "a"), FieldChange(field: 0, value: large)]), bytes(large)),
      (.change([FieldChange(field: 1, path: ["k", "l"], value: 1)]), bytes("12345678", ["k": ["l": 1]])),
      (.change([FieldChange(field: 0, path: ["no place"], value: large)]), bytes("12345678")),
      // A debounced field keeps its value and holds the new one back.
      (.set(field: 2, to: large), bytes("12345678", large)),
      (.reset(keepValues: true), bytes("12345678", "12345678")),
      (.tap(action: 0), bytes("12345678")),
    ]
    for (input, expected) in inputs {
      #expect(form.session.valueBytes(after: input, at: form.now) == expected, "\(input)")
      #expect(form.session.valueBytes == bytes("12345678"), "asking changes nothing")
    }
  }

  @Test func `no normalizing makes more of a text than the bound says`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a": {"type": "string"}}}, "actions": {"go": {}},
         "fields": {"a": {"normalize": ["nfc", "lower", "upper"]}}}
        """
    )
    var most = 0.0
    // Every scalar that changes by itself: no scalar grows more than threefold in one step.
    for scalar in (0xa0...0x2_ffff as ClosedRange<UInt32>).lazy.compactMap(Unicode.Scalar.init) {
      let properties = scalar.properties
      guard
        properties.changesWhenLowercased || properties.changesWhenUppercased || properties.isFullCompositionExclusion
      else { continue }
      let text = JSON.string(String(scalar))
      let bound = try #require(form.session.growthBound(of: .set(field: 0, to: text)))
      let growth = form.session.valueBytes(after: .set(field: 0, to: text), at: form.now)
      if growth > bound { Issue.record("U+\(String(scalar.value, radix: 16)): \(growth) bytes") }
      most = max(most, Double(growth) / Double(String(scalar).utf8.count))
    }
    #expect(most > 2)
    #expect(form.session.growthBound(of: .tap(action: 0)) == 0)
    #expect(form.session.growthBound(of: .reset(keepValues: true)) == nil)
  }

  @Test(
    arguments: [
      (#"["trim"]"#, 1), (#"["nfc"]"#, 3), (#"["nfc", "lower", "upper"]"#, 27), (#"["nfkc", "lower"]"#, 27),
    ] as [(String, Int)]
  )
  func `the bound follows from the steps of the form`(_ steps: String, _ factor: Int) throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a": {"type": "string"}}}, "fields": {"a": {"normalize": \(steps)}}}
        """
    )
    let text = String(repeating: "x", count: 100)
    #expect(form.session.growthBound(of: .set(field: 0, to: .string(text))) == factor * bytes(.string(text)))
  }

  @Test func `a reset that keeps the values keeps each row as a whole`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"orders": {"type": "array", "items": {"properties": {
           "name": {"type": "string"}, "lines": {"type": "array", "items": {"properties": {"n": {"type": "string"}}}}}}}}},
         "fields": {"/orders/*/lines/*/n": {"debounce": "1s"}}}
        """
    )
    form.insert("orders", ["name": "a", "lines": [[:], ["n": "given"]]], nil)
    form.change("/orders/0/lines/0/n", "held back")
    let input = Input.reset(keepValues: true)
    let most = form.session.valueBytes(after: input, at: form.now)
    form.apply(input)
    #expect(form.session.valueBytes <= most)
  }

  @Test func `a restored session counts what the original does`() throws {
    let form = try driver(["a": "given"])
    form.change(["b": ["k": 1], "d": "held"])
    let snapshot = form.session.snapshot(for: .resuming)
    let restored = try Engine().restore(form.form, from: snapshot, at: form.now).session
    #expect(restored.valueBytes == form.session.valueBytes)
  }
}
