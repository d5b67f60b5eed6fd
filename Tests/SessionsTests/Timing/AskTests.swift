import Forms
import JSON
import Sessions
import Testing
internal import Times

/// The moment at which a check asks.
@Suite struct `When a check asks` {
  private static func definition(_ ask: String, debounce: String? = nil, cache: Bool = false) -> String {
    func check(_ id: String, _ field: String) -> String {
      """
      {"id": "\(id)", "field": "\(field)", "ask": "\(ask)"\(debounce.map { ", \"debounce\": \"\($0)\"" } ?? ""),
       "cache": \(cache), "run": {"provider": {"name": "\(id)", "arguments": {"v": "self", "other": "values.other"}}},
       "outcomes": [{"when": "response.body == true", "valid": true}, {"code": "taken"}]}
      """
    }
    return """
      {"schema": {"properties": {
         "name": {"type": "string", "maxLength": 9}, "other": {"type": "string", "maxLength": 9},
         "box": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 9}}},
         "items": {"type": "array", "maxItems": 5, "items": {"type": "object", "properties": {
           "name": {"type": "string", "maxLength": 9}}}}}},
       "checks": [\(check("one", "name")), \(check("inner", "/box/name")), \(check("row", "/items/*/name"))],
       "actions": {"send": {"run": {"provider": {"name": "send", "arguments": {"values": "values"}}},
         "outcomes": [{"success": "true"}]}}}
      """
  }

  private func driver(
    _ ask: String,
    debounce: String? = nil,
    cache: Bool = false,
    values: JSONObject = [:]
  ) throws -> SessionDriver {
    try SessionDriver(
      text: Self.definition(ask, debounce: debounce, cache: cache),
      options: OpenOptions(values: values)
    )
  }

  /// The effects under way, by the names of their providers.
  private func asked(_ form: SessionDriver) -> [String] {
    form.effects.values.compactMap { effect in
      guard case .provider(let request) = effect.request else { return nil }
      return request.name
    }.sorted()
  }

  private func answer(_ form: SessionDriver, _ isValid: Bool) {
    for effect in form.effects.values { form.answer(effect, EffectResponse(kind: .ok, body: .bool(isValid))) }
  }

  @Test(arguments: ["name", "/box/name", "/items/0/name"])
  func `under leave, it asks at a blur, and not while the user types`(_ place: String) throws {
    let form = try driver("leave")
    form.insert("items", [:])
    form.change(place, "a")
    form.change(place, "ab")
    #expect(asked(form) == [] && form["/isPending"] == false && form["/isValid"] == true)
    form.blur(place)
    #expect(asked(form).count == 1 && form["/isPending"] == true)
    answer(form, false)
    #expect(form["/isValid"] == false && form["/isPending"] == false)
    // Another value has no error until it is asked about.
    form.focus(place)
    #expect(form["/isValid"] == false)
    form.change(place, "abc")
    #expect(asked(form) == [] && form["/isValid"] == true)
    form.change([place: "abcd"], commit: true)
    #expect(asked(form).count == 1)
    answer(form, true)
    #expect(form["/isValid"] == true)
    // The same value is not asked about twice.
    form.focus(place)
    form.blur(place)
    #expect(asked(form) == [])
  }

  @Test func `under leave, a change of another field asks when that field is left`() throws {
    let form = try driver("leave")
    form.change(["name": "a"], commit: true)
    answer(form, true)
    form.change("other", "x")
    #expect(asked(form) == [])
    form.blur("other")
    #expect(asked(form) == ["one"])
    answer(form, true)
    // The user is in the check's own field: it does not ask yet.
    form.change("name", "b")
    form.change(["other": "y"], commit: true)
    #expect(asked(form) == [])
    form.blur("name")
    #expect(asked(form) == ["one"])
  }

  @Test(arguments: ["leave", "tap"], ["name", "/box/name", "/items/0/name"])
  func `a tap asks what was not asked, and waits for the answer`(_ ask: String, _ place: String) throws {
    let form = try driver(ask)
    form.insert("items", [:])
    form.change(place, "a")
    #expect(form.tap("send").outcome == .held && asked(form).count == 1)
    answer(form, true)
    #expect(asked(form) == ["send"])
    answer(form, true)
    form.change(place, "b")
    #expect(form.tap("send").outcome == .held)
    answer(form, false)
    #expect(asked(form) == [] && form.events.last?.kind == .rejected)
  }

  @Test(arguments: ["leave", "tap"]) func `a change during a held tap is asked about`(_ ask: String) throws {
    let form = try driver(ask)
    form.change("name", "a")
    #expect(form.tap("send").outcome == .held)
    form.change("name", "b")
    #expect(asked(form) == ["one"])
    answer(form, true)
    #expect(asked(form) == ["send"])
  }

  @Test(arguments: ["leave", "tap"]) func `an untouched value is asked about at a tap`(_ ask: String) throws {
    let form = try driver(ask, values: ["name": "a", "box": ["name": "b"], "items": [["name": "c"]]])
    form.focus("other")
    form.blur("other")
    #expect(asked(form) == [])
    #expect(form.tap("send").outcome == .held)
    #expect(asked(form) == ["inner", "one", "row"])
  }

  @Test func `under tap, leaving a field does not ask, and does not try again`() throws {
    let form = try driver("tap")
    form.change(["name": "a"], commit: true)
    form.blur("name")
    #expect(asked(form) == [])
    form.tap("send")
    form.answer(kind: .timeout)
    #expect(form["/isValid"] == false)
    form.focus("name")
    form.blur("name")
    #expect(asked(form) == [])
    form.tap("send")
    #expect(asked(form) == ["one"])
  }

  @Test(arguments: ["name", "/box/name", "/items/0/name"])
  func `a blur ends the debounce`(_ place: String) throws {
    let form = try driver("change", debounce: "300ms")
    form.insert("items", [:])
    form.change(place, "a")
    #expect(asked(form) == [] && form["/isPending"] == true)
    form.blur(place)
    #expect(asked(form).count == 1)
    answer(form, true)
    form.advance(milliseconds: 1_000)
    #expect(asked(form) == [] && form["/isValid"] == true)
    form.change([place: "b"], commit: true)
    #expect(asked(form).count == 1)
  }

  @Test func `a blur ends a composition, and the debounce with it`() throws {
    let form = try driver("change", debounce: "300ms")
    form.change(["name": "ㅎ"], composing: true)
    form.advance(milliseconds: 1_000)
    #expect(asked(form) == [])
    form.blur("name")
    #expect(asked(form) == ["one"])
  }

  @Test(arguments: ["leave", "tap"]) func `an answer that is kept is used at once`(_ ask: String) throws {
    let form = try driver(ask, cache: true)
    form.change("name", "a")
    form.tap("send")
    answer(form, false)
    form.change("name", "b")
    #expect(form.codes("name") == [])
    form.change("name", "a")
    #expect(form.codes("name") == ["taken"] && asked(form) == [])
  }

  @Test(arguments: ["leave", "tap"]) func `a reset forgets what was asked`(_ ask: String) throws {
    let form = try driver(ask)
    form.change("name", "a")
    form.tap("send")
    form.reset()
    #expect(asked(form) == [])
    form.change("name", "b")
    #expect(asked(form) == [] && form["/isValid"] == true)
  }

  @Test(arguments: ["leave", "tap"]) func `a restored session asks again what was under way`(_ ask: String) throws {
    let form = try driver(ask)
    form.change("name", "a")
    if ask == "leave" { form.blur("name") } else { form.tap("send") }
    #expect(asked(form) == ["one"])
    let snapshot = form.session.snapshot(for: .resuming)
    let restored = try Engine().restore(form.form, from: snapshot, at: .milliseconds(0))
    #expect(restored.turn.starts.count == 1)
    // What was not asked is not asked either.
    let other = try driver(ask)
    other.change("name", "a")
    let later = try Engine().restore(
      other.form,
      from: other.session.snapshot(for: .resuming),
      at: .milliseconds(0)
    )
    #expect(later.turn.starts.isEmpty)
  }

  @Test func `a validation asks all checks`() throws {
    for ask in ["change", "leave", "tap"] {
      let form = try driver(ask, values: ["name": "a"])
      form.apply(.flush)
      #expect(asked(form) == ["one"])
    }
  }

  @Test func `another word is refused`() throws {
    let found = Form.compile(Array(Self.definition("blur").utf8)).diagnostics
    #expect(found.contains { "\($0)".contains("leave") }, "\(found)")
  }
}
