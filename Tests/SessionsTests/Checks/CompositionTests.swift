import Forms
import JSON
import Testing

@testable import Sessions

/// Checks and lookups while an input method composes.
@Suite struct `Compositions` {
  private static let definition = """
    {"schema": {"properties": {
       "n": {"type": "string", "maxLength": 20}, "q": {"type": "string", "maxLength": 20},
       "copy": {"type": "string", "maxLength": 20},
       "box": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 20}}},
       "rows": {"type": "array", "maxItems": 5, "items": {"type": "object", "properties": {
         "a": {"type": "string", "maxLength": 20}}}}}},
     "fields": {"copy": {"computed": "values.q"}},
     "checks": [
       {"id": "n.free", "field": "n", "run": {"provider": {"name": "check", "arguments": {"v": "self"}}},
        "outcomes": [{"when": "response.body == true", "valid": true}, {"code": "taken"}]},
       {"id": "box.free", "field": "/box/a", "debounce": "300ms",
        "run": {"provider": {"name": "box", "arguments": {"v": "self"}}}, "outcomes": [{"valid": true}]},
       {"id": "row.free", "field": "/rows/*/a",
        "run": {"provider": {"name": "row", "arguments": {"v": "self"}}}, "outcomes": [{"valid": true}]}],
     "lookups": {
       "output": {"run": {"provider": {"name": "output", "arguments": {"v": "outputs.query"}}}},
       "computed": {"run": {"provider": {"name": "computed", "arguments": {"v": "values.copy"}}}},
       "rows": {"run": {"provider": {"name": "rows", "arguments": {"v": "outputs.all"}}}},
       "/rows/*/own": {"debounce": "300ms", "run": {"provider": {"name": "own", "arguments": {"v": "row.a"}}}}},
     "outputs": {"query": "values.q != '' ? values.q + '!' : null", "/rows/*/a": "row.a",
       "all": "outputs['/rows/*/a'].size() > 0 ? outputs['/rows/*/a'].join(',') : null"},
     "actions": {"go": {"outcomes": [{"success": "values.n"}]}}}
    """

  private func driver() throws -> SessionDriver { try SessionDriver(text: Self.definition) }

  /// The names of the providers that are asked, each with its argument.
  private func asked(_ form: SessionDriver) -> [String] {
    form.effectsInOrder.compactMap { effect in
      guard case .provider(let request) = effect.request else { return nil }
      return "\(request.name) \(request.arguments["v"]?.stringValue ?? "")"
    }
  }

  @Test(arguments: [
    ("n", [], ["check 한"]), ("q", [], ["output 한!", "computed 한"]), ("/box/a", [], ["box 한"]),
    ("/rows/0/a", ["rows ㅁ"], ["row 한", "rows 한", "own 한"]),
  ])
  func `nothing that reads the value asks before the composition ends`(
    _ address: String,
    _ before: [String],
    _ after: [String]
  ) throws {
    let form = try driver()
    if address.hasPrefix("/rows") {
      form.insert("rows", ["a": "ㅁ"])
      form.advance(milliseconds: 300)
      for effect in form.effectsInOrder { form.answer(effect, EffectResponse(kind: .ok, body: true)) }
    }
    form.change([address: "ㅎ"], composing: true)
    #expect(asked(form) == [] && form["/isValid"] == false || address == "q")
    form.change([address: "하"], composing: true)
    form.advance(milliseconds: 1_000)
    #expect(asked(form) == [])
    form.change([address: "한"])
    form.advance(milliseconds: 300)
    #expect(Set(asked(form)) == Set(after))
    for effect in form.effectsInOrder { form.answer(effect, EffectResponse(kind: .ok, body: true)) }
    #expect(form["/isPending"] == false)
  }

  @Test func `a field that keeps its value in a composed object is still being composed`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"box": {"type": "object", "properties": {
           "s": {"type": "string", "maxLength": 9}, "t": {"type": "string", "maxLength": 9}}}}},
         "fields": {"/box/s": {"suggested": "'v'"}}}
        """
    )
    let field = try #require(form.resolve("/box/s").field)
    form.change(["/box/s": "v"], composing: true)
    #expect(form.session.fields[field].flags.contains(.isComposing))
    form.change(["box": ["t": "ㅎ"]], composing: true)
    #expect(form.session.fields[field].flags.contains(.isComposing))
    form.change(["box": ["t": "하"]])
    #expect(!form.session.fields[field].flags.contains(.isComposing))
  }

  @Test func `the end of a composition asks even if it does not change the value`() throws {
    let form = try driver()
    form.change(["n": "한"], composing: true)
    #expect(asked(form) == [] && form["/fields/n/isPending"] == true)
    form.change(["n": "한"])
    #expect(asked(form) == ["check 한"])
  }

  @Test func `leaving the field ends a composition`() throws {
    let form = try driver()
    form.change(["n": "한"], composing: true)
    form.blur("n")
    #expect(asked(form) == ["check 한"])
  }

  @Test func `a tap ends a composition and waits for the answers`() throws {
    let form = try driver()
    form.change(["n": "한"], composing: true)
    #expect(form.tap("go").outcome == .held && asked(form) == ["check 한"])
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: true))
    #expect(form.events.last?.kind == .succeeded)
  }

  @Test func `a reset ends a composition`() throws {
    let form = try driver()
    form.change(["q": "한"], composing: true)
    form.reset()
    #expect(asked(form) == [] && form["/isPending"] == false)
    form.change(["q": "x"])
    #expect(Set(asked(form)) == ["output x!", "computed x"])
  }

  @Test func `other fields ask during a composition`() throws {
    let form = try driver()
    form.change(["q": "ㅎ"], composing: true)
    form.change(["n": "kim"])
    #expect(asked(form) == ["check kim"])
  }

  @Test func `an inquiry that waits still waits when another value changes`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}},
         "lookups": {"l": {"run": {"provider": {"name": "l", "arguments": {"v": "values.a + values.b"}}},
           "when": "values.a != ''"}}}
        """
    )
    form.change(["a": "ㅎ"], composing: true)
    form.change(["b": "b"])
    #expect(asked(form) == [] && form["/lookups/l/isLoading"] == true)
    form.change(["a": "한"])
    #expect(asked(form) == ["l 한b"])
  }

  @Test func `an inquiry that another input causes waits if it reads a value that is being composed`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a": {"type": "string"}, "b": {"type": "string"}, "isOn": {"type": "boolean", "default": false},
           "rows": {"type": "array", "maxItems": 5, "items": {"type": "object", "properties": {
             "r": {"type": "string"}}}}}},
         "checks": [
           {"id": "a.free", "field": "a", "when": "values.isOn", "run": {"provider": {"name": "check",
             "arguments": {"v": "self"}}}, "outcomes": [{"valid": true}]},
           {"id": "row.free", "field": "/rows/*/r", "run": {"provider": {"name": "row",
             "arguments": {"v": "self + values.a"}}}, "outcomes": [{"valid": true}]}],
         "lookups": {
           "first": {"when": "values.b != ''",
             "run": {"provider": {"name": "first", "arguments": {"v": "values.b"}}}},
           "second": {"when": "lookups.first.value == true",
             "run": {"provider": {"name": "second", "arguments": {"v": "outputs.query"}}}}},
         "outputs": {"query": "values.a + '!'"}}
        """
    )
    form.change("b", "b")
    form.change(["a": "ㅎ"], composing: true)
    form.change("isOn", true)
    #expect(asked(form) == ["first b"] && form["/fields/a/isPending"] == true)
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: true))
    #expect(asked(form) == [] && form["/lookups/second/isLoading"] == true)
    form.insert("rows", ["r": "x"])
    form.change("/rows/0/r", "y")
    #expect(asked(form) == [])
    form.change("b", "c")
    #expect(asked(form) == ["first c"])
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: true))
    form.change(["a": "한"])
    #expect(Set(asked(form)) == ["check 한", "second 한!", "row y한"])
  }

  @Test func `a row asks while another row is composed`() throws {
    let form = try driver()
    form.insert("rows", ["a": "x"])
    form.insert("rows", ["a": "y"])
    form.advance(milliseconds: 300)
    for effect in form.effectsInOrder { form.answer(effect, EffectResponse(kind: .ok, body: true)) }
    form.change(["/rows/0/a": "ㅎ"], composing: true)
    form.change("/rows/1/a", "z")
    #expect(asked(form) == ["row z"])
    form.advance(milliseconds: 300)
    #expect(asked(form) == ["row z", "own z"])
    form.change(["/rows/0/a": "한"])
    form.advance(milliseconds: 300)
    #expect(Set(asked(form)) == ["row z", "own z", "row 한", "own 한", "rows 한,z"])
  }

  @Test func `a debounce that ends during a composition does not ask`() throws {
    let form = try driver()
    form.change("/box/a", "x")
    form.change(["/box/a": "x"], composing: true)
    form.advance(milliseconds: 1_000)
    #expect(asked(form) == [])
    form.change("/box/a", "x")
    form.advance(milliseconds: 300)
    #expect(asked(form) == ["box x"])
  }

  @Test(
    arguments: [
      ("box", ["a": "한"], "box", ["a": "한", "b": 1], ["box 한"]),
      ("rows", [["a": "한"]], "rows", [["a": "한"]], ["rows 한", "own 한"]),
      ("/rows/-", ["a": "한"], "/rows/0/a", "한", ["rows 한", "own 한"]),
      ("/rows/-", ["a": "한"], "rows", [["a": "한국"]], ["row 한국", "rows 한국", "own 한국"]),
    ] as [(String, JSON, String, JSON, [String])]
  )
  func `objects, lists and rows that are composed as a whole do not ask`(
    _ address: String,
    _ composed: JSON,
    _ endAddress: String,
    _ end: JSON,
    _ after: [String]
  ) throws {
    let form = try driver()
    form.change([address: composed], composing: true)
    if address != "/rows/-" { form.change([address: composed], composing: true) }
    form.change("n", "kim")
    form.advance(milliseconds: 1_000)
    #expect(asked(form) == ["check kim"])
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: true))
    form.change([endAddress: end])
    form.advance(milliseconds: 300)
    #expect(Set(asked(form)) == Set(after))
  }

  @Test(arguments: ["rows", "/rows/0"])
  func `leaving a list or a row ends the compositions in its new rows`(_ left: String) throws {
    let form = try driver()
    form.change(["rows": [["a": "한"]]], composing: true)
    form.blur(left)
    form.advance(milliseconds: 300)
    #expect(Set(asked(form)).isSuperset(of: ["rows 한", "own 한"]))
  }

  @Test func `a row that goes ends its composition`() throws {
    let form = try driver()
    form.insert("rows", ["a": "x"])
    form.advance(milliseconds: 300)
    for effect in form.effectsInOrder { form.answer(effect, EffectResponse(kind: .ok, body: true)) }
    form.change(["/rows/0/a": "한"], composing: true)
    form.remove("/rows/0")
    #expect(asked(form) == [] && form["/isPending"] == false)
    form.change("n", "kim")
    #expect(asked(form) == ["check kim"])
  }
}
