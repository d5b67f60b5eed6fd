import Forms
import JSON
import Sessions
import Testing
internal import Times

/// A client can only cause bounded memory use, and no message of it stops the process.
@Suite struct `Bounds of a session` {
  private func form(_ flight: String, _ more: String = "") throws -> (Engine, Session, Form) {
    let text = """
      {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "integer", "default": 1}, "b": {"type": "string", "maxLength": 9}}},
       "checks": [{"id": "c", "field": "b", "run": {"provider": {"name": "p"}}, "outcomes": [{"when": "true", "valid": true}, {"code": "no"}]}],
       "actions": {"go": {"flight": "\(flight)", \(more) "run": {"provider": {"name": "p", "arguments": {"a": "10 / values.a"}}}}}}
      """
    let form = try #require(Form.compile(Array(text.utf8)).form)
    let engine = Engine()
    return (engine, engine.open(form, at: .milliseconds(0)).session, form)
  }

  @Test func `a long queue of runs that fail at once is worked off, as long as it may be`() throws {
    let (engine, session, _) = try form("queue")
    let now = Instant.milliseconds(0)
    let first = try #require(engine.apply(.tap(action: 0), to: session, at: now).starts.first)
    _ = engine.apply(.set(field: 0, to: 0), to: session, at: now)
    for _ in 0..<5_000 { _ = engine.apply(.tap(action: 0), to: session, at: now) }
    let turn = engine.apply(.effect(first.id, EffectResponse(kind: .ok, body: 1)), to: session, at: now)
    #expect(turn.events.count == Engine.runsMax)
    #expect(session.document["actions"]?["go"]?["isLoading"] == false)
    #expect(session.checkInvariants().isEmpty)
  }

  @Test(arguments: ["queue", "merge"])
  func `more runs of one action than there is room for are dropped, and say so`(_ flight: String) throws {
    let (engine, session, _) = try form(flight)
    for number in 1...(Engine.runsMax + 5) {
      let turn = engine.apply(.tap(action: 0), to: session, at: .milliseconds(0))
      #expect((turn.tap?.outcome == .dropped) == (number > Engine.runsMax))
      if number > Engine.runsMax { #expect(turn.events.map(\.kind) == [.dropped]) }
    }
  }

  @Test(arguments: ["queue", "merge", "latest"])
  func `runs may keep large arguments only as far as there is room for them`(_ flight: String) throws {
    let driver = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string"}}},
         "actions": {"go": {"flight": "\(flight)", "run": {"provider": {"name": "p", "arguments": {"a": "values.a"}}}}}}
        """
    )
    driver.change("a", .string(String(repeating: "x", count: Engine.runBytesMax)))
    // The first value may have any size. After it no room is left, unless the next value replaces it.
    #expect(driver.tap("go").outcome == .started)
    let second = driver.tap("go")
    #expect(second.outcome == (flight == "latest" ? .started : .dropped))
    driver.change("a", "small")
    #expect(driver.tap("go").outcome == (flight == "latest" ? .started : .dropped))
    for effect in driver.effectsInOrder { driver.answer(effect, EffectResponse(kind: .ok, body: 1)) }
    // It has ended, so there is room again.
    for _ in 0..<5 { #expect(driver.tap("go").outcome != .dropped) }
  }

  @Test func `outputs of one turn hold no more text than may be written`() throws {
    let outputs = (0..<300).map { #""o\#($0)": "values.a + string(\#($0))""# }.joined(separator: ", ")
    let driver = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string"}}}, "outputs": {\(outputs)}}
        """
    )
    driver.change("a", .string(String(repeating: "x", count: 1 << 20)))
    let told = driver.session.document["outputs"]?.objectValue ?? JSONObject()
    #expect(told.contains { $0.value.stringValue?.utf8.count ?? 0 > 1 << 20 })
    #expect(told.reduce(0) { $0 + ($1.value.stringValue?.utf8.count ?? 0) } <= Engine.turnBudget * 8)
    driver.change("a", "b")
    #expect(driver.session.document["outputs"]?["o299"] == "b299")
  }

  @Test func `more taps that wait for checks than there is room for are dropped, and say so`() throws {
    let (engine, session, _) = try form("queue")
    _ = engine.apply(.set(field: 1, to: "x"), to: session, at: .milliseconds(0))
    for number in 1...(Engine.runsMax + 5) {
      let turn = engine.apply(.tap(action: 0), to: session, at: .milliseconds(0))
      #expect(turn.tap?.outcome == (number > Engine.runsMax ? .dropped : .held))
    }
  }

  @Test func `what a debounced field holds back is bounded, for parts of a value too`() throws {
    let form = try SessionDriver(
      text:
        #"{"schema": {"type": "object", "properties": {"a": {"type": "array"}}}, "fields": {"a": {"debounce": "1s"}}}"#
    )
    form.change("a", [])
    for _ in 0..<500 { form.apply(.change([FieldChange(field: 0, path: ["-"], value: 1)])) }
    let early = form.session.values()["a"]?.arrayValue?.count ?? 0
    #expect(early > 400 && early < 500)
    form.advance(milliseconds: 1_000)
    #expect(form.session.values()["a"]?.arrayValue?.count == 500)
  }

  @Test func `a change of a part is judged by what the field holds back`() throws {
    let form = try SessionDriver(
      text:
        #"{"schema": {"type": "object", "properties": {"a": {"type": "array"}}}, "fields": {"a": {"debounce": "1s"}}}"#
    )
    form.change("a", [["q": 1]])
    #expect(form.session.firstUnacceptable(in: [FieldChange(field: 0, path: ["0", "q"], value: 2)]) == nil)
    #expect(form.session.firstUnacceptable(in: [FieldChange(field: 0, path: ["7"], value: 2)]) == 0)
  }

  @Test func `a default of the schema is normalized like any initial value`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "required": ["a", "b"], "properties": {"a": {"type": "string", "default": ""}, "b": {"type": "string", "default": " x "}}},
         "fields": {"b": {"normalize": ["trim"]}}}
        """
    )
    #expect(form.codes("a") == ["required"] && form.session.values() == ["b": "x"])
    #expect(form["/isDirty"] == false)
    form.change("b", "y")
    form.change("b", "x")
    #expect(form["/isDirty"] == false)
    form.reset()
    #expect(form.session.values() == ["b": "x"])
  }

  @Test(arguments: [
    (#"["nfc"]"#, 53, true), (#"["nfc"]"#, 54, false), (#"["trim", "nfc", "lower"]"#, 54, false),
    (#"["nfc", "trim"]"#, 54, true), (#"["collapse", "nfc", "collapse"]"#, 54, true),
  ])
  func `a text that no composing makes short enough is not composed`(steps: String, count: Int, isComposed: Bool) throws
  {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 10}}}, "fields": {"a": {"normalize": \(steps)}}}
        """
    )
    // Three bytes each; 160 are 16 for each of the ten code points.
    form.change("a", .string(String(repeating: "e\u{301}", count: count)))
    #expect(form.session.value(of: 0)?.stringValue?.unicodeScalars.count == (isComposed ? 1 : 2) * count)
    #expect(form.codes("a") == ["maxLength"])
    form.change("a", .string(String(repeating: "e\u{301}", count: 10)))
    #expect(form.codes("a").isEmpty)
  }

  @Test func `a text of each length is normalized if it needs to be, and else unchanged`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string"}}},
         "fields": {"a": {"normalize": ["trim", "nfc"]}}}
        """
    )
    func normalized(_ text: String) -> [UInt8]? {
      form.change("a", .string(text))
      return form.session.value(of: 0)?.stringValue.map { Array($0.utf8) }
    }
    for length in 1...40 {
      let text = String(repeating: "x", count: length)
      let bytes = Array(text.utf8)
      for text in [text, " " + text, text + "\n", "\u{3000}" + text + "\t"] { #expect(normalized(text) == bytes) }
      for index in 0...length {
        let (start, end) = (text.prefix(index), text.dropFirst(index))
        #expect(normalized("\(start)e\u{301}\(end)") == Array("\(start)\u{e9}\(end)".utf8))
      }
    }
  }

  @Test func `a very long text is trimmed, and no more`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string"}}},
         "fields": {"a": {"normalize": ["trim", "collapse", "nfc", "lower"]}}}
        """
    )
    let marks = String(repeating: "\u{301}\u{323}", count: 65_535)
    form.change("a", .string("  E" + marks + " "))
    #expect(form.session.value(of: 0)?.stringValue?.unicodeScalars.first == "\u{1eb9}")
    form.change("a", .string("  E" + marks + "\u{301}\u{323} "))
    #expect(
      form.session.value(of: 0)?.stringValue?.unicodeScalars.prefix(2).elementsEqual("E\u{301}".unicodeScalars) == true
    )
  }

  @Test func `what a pattern removes is spent for, and a text that is too long for it keeps all`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"iban": {"type": "string"}, "n": {"type": "integer"}}},
         "fields": {"iban": {"normalize": ["trim", {"remove": "[ -]"}, "upper"]}, "n": {"coerce": true, "normalize": [{"remove": ","}]}}}
        """
    )
    form.change(["iban": " de89 3704-0044 ", "n": "1,000"])
    #expect(form.values == ["iban": "DE8937040044", "n": 1000])
    form.change("iban", " - ")
    #expect(form.values == ["n": 1000])
    let spaces = String(repeating: "ab ", count: 60_000)
    form.change("iban", .string(spaces))
    #expect(form.session.value(of: 0)?.stringValue?.utf8.count == 120_000)
    #if DEBUG
      #expect(form.unitsLeft < Engine.turnBudget - 2 * 180_000 + 90_000)
    #endif
    form.change("iban", .string(spaces + spaces))
    #expect(form.session.value(of: 0)?.stringValue?.utf8.count == 359_999)
  }

  @Test func `texts beyond what a turn may spend are trimmed, and no more`() throws {
    let names = (0..<8).map { "f\($0)" }
    let properties = names.map { #""\#($0)": {"type": "string"}"# }.joined(separator: ", ")
    let fields = names.map { #""\#($0)": {"normalize": ["trim", "nfc"]}"# }.joined(separator: ", ")
    let form = try SessionDriver(
      text: #"{"schema": {"type": "object", "properties": {\#(properties)}}, "fields": {\#(fields)}}"#
    )
    let text = String(repeating: "e\u{301}", count: 50_000)
    form.apply(.change(names.indices.map { FieldChange(field: $0, value: .string(" " + text + " ")) }))
    // Three bytes each, four units a byte.
    let counts = names.indices.map { form.session.value(of: $0)?.stringValue?.unicodeScalars.count ?? 0 }
    let composed = Engine.turnBudget / (4 * 3 * 50_000)
    #expect((1..<8).contains(composed))
    #expect(counts == names.indices.map { $0 < composed ? 50_000 : 100_000 })
    #expect(form.unitsLeft == 0)
    // The next turn has its own budget.
    form.change("f7", .string(text + "!"))
    #expect(form.session.value(of: 7)?.stringValue?.unicodeScalars.count == 50_001)
  }

  @Test func `a pointer of many tokens is refused, not followed`() throws {
    let form = try #require(Form.compile(Array(#"{"form": "t", "schema": {"properties": {"a": {}}}}"#.utf8)).form)
    let engine = Engine()
    let session = engine.open(form, at: .milliseconds(0)).session
    let path = [String](repeating: "x", count: FieldChange.depthMax)
    for (tokens, value, isAccepted) in [
      (path, JSON.integer(1), true), (path, [1], false), (path + path, 1, false),
      ([String](repeating: "x", count: 100_000), 1, false),
    ] {
      let change = FieldChange(field: 0, path: tokens, value: value)
      #expect((session.firstUnacceptable(in: [change]) == nil) == isAccepted)
      _ = engine.apply(.change([change]), to: session, at: .milliseconds(0))
    }
    #expect(session.checkInvariants().isEmpty)
  }

  @Test func `a debounced field keeps only the last whole value that its user entered`() throws {
    let definition = #"{"form": "t", "schema": {"properties": {"a": {}}}, "fields": {"a": {"debounce": "1s"}}}"#
    let form = try #require(Form.compile(Array(definition.utf8)).form)
    let engine = Engine()
    let session = engine.open(form, at: .milliseconds(0)).session
    for number in 0..<10 {
      _ = engine.apply(.set(field: 0, to: .integer(Int64(number))), to: session, at: .milliseconds(0))
    }
    #expect(session.snapshot(for: .resuming).text.contains(#""held":[{"value":9}]"#))
    _ = engine.apply(.timer, to: session, at: .milliseconds(1000))
    #expect(session.values() == ["a": 9])
  }
}
