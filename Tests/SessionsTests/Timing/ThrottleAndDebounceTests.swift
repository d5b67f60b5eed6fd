import Forms
import JSON
import Sessions
import Testing
internal import Times

/// Throttle and debounce of fields and of actions.
@Suite struct `Throttle and debounce` {
  private func timed(_ timing: String) throws -> SessionDriver {
    try SessionDriver(
      text: """
        {"schema": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "maxLength": 20}}},
         "fields": {"a": {"\(timing)": "100ms", "show": "edit"}}, "actions": {"go": {}}}
        """
    )
  }

  @Test
  func
    `Throttle and debounce of a field delay the value itself: every cell keeps its old state and nothing is pending`()
    throws
  {
    let form = try timed("debounce")
    let before = form.kept
    form.change("a", "x")
    #expect(form.kept == before)
    #expect(form.patches.isEmpty)
    #expect(form.session.values() == [:])
    form.advance(milliseconds: 100)
    #expect(form.isValid && form["/isDirty"] == true)
  }

  @Test(arguments: ["throttle", "debounce"])
  func `Throttle and debounce of a field: a blur flushes its field, a tap, a flush and reset flush all`(
    _ timing: String
  ) throws {
    let form = try timed(timing)
    form.change("a", "x")
    form.change("a", "xy")
    form.blur("a")
    #expect(form.session.values() == ["a": "xy"])
    form.change("a", "xyz")
    form.apply(.flush)
    #expect(form.session.values() == ["a": "xyz"])
    form.change("a", "w")
    #expect(form.tap("go").outcome == .started)
    #expect(form.session.values() == ["a": "w"])
    form.change("a", "last")
    form.reset(keepValues: true)
    #expect(form.session.values() == ["a": "last"])
    #expect(form.session.deadline == nil)
  }

  @Test func `Throttle and debounce of a field: reading the session does not flush`() throws {
    let form = try timed("debounce")
    form.change("a", "x")
    _ = form.session.values()
    _ = form.session.document
    #expect(form.session.values() == [:])
  }

  @Test func `Throttle and debounce of a field: throttling acts on both edges, so the last value is never lost`()
    throws
  {
    let form = try timed("throttle")
    for text in ["a", "ab", "abc"] { form.change("a", .string(text)) }
    #expect(form.session.values() == ["a": "a"])
    form.advance(milliseconds: 100)
    #expect(form.session.values() == ["a": "abc"])
    form.change("a", "abcd")
    #expect(form.session.values() == ["a": "abc"])
    form.advance(milliseconds: 200)
    #expect(form.session.values() == ["a": "abcd"])
    form.change("a", "e")
    #expect(form.session.values() == ["a": "e"])
  }

  private func throttled(_ throttle: String) throws -> SessionDriver {
    try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 20}}},
         "actions": {"go": {"throttle": \(throttle), "outcomes": [{"success": "values.a"}]}}}
        """
    )
  }

  @Test func `Throttle of an action: "1s" is the leading edge`() throws {
    let form = try throttled("\"1s\"")
    #expect(form.tap("go").outcome == .started)
    form.advance(milliseconds: 999)
    #expect(form.tap("go").outcome == .dropped)
    form.advance(milliseconds: 1)
    #expect(form.tap("go").outcome == .started)
    form.advance(milliseconds: 5_000)
    #expect(form.events.map(\.kind) == [.succeeded, .succeeded])
  }

  @Test(arguments: ["\"1s\"", #"{"every": "1s", "edges": "both"}"#, #"{"every": "1s", "edges": "trailing"}"#])
  func `Throttle of an action: a tap that it swallows makes no event and pushes nothing`(_ throttle: String) throws {
    let form = try throttled(throttle)
    form.tap("go")
    form.tap("go")
    let revision = form.session.revision
    let events = form.events.count
    form.tap("go")
    #expect(form.session.revision == revision && form.events.count == events && form.swallowedTaps.count >= 1)
    form.advance(milliseconds: 5_000)
    #expect(!form.events.map(\.kind).contains(.dropped))
  }

  @Test
  func `Throttle of an action: with both edges the last tap fires at the end, with the values as they then stand`()
    throws
  {
    let form = try throttled(#"{"every": "1s", "edges": "both"}"#)
    form.change("a", "first")
    form.tap("go")
    #expect(form.tap("go").outcome == .held)
    form.change("a", "then")
    form.advance(milliseconds: 1_000)
    #expect(form.events.compactMap(\.result) == ["first", "then"])
  }

  @Test func `Throttle of an action: a window that is over lets a tap through even when its timer is late`() throws {
    let form = try throttled("\"1s\"")
    form.tap("go")
    form.passWithoutTimers(milliseconds: 1_500)
    #expect(form.tap("go").outcome == .started)
  }

  @Test func `Throttle of an action: the held tap whose window is over fires before a later one`() throws {
    let form = try throttled(#"{"every": "1s", "edges": "both"}"#)
    form.tap("go")
    form.tap("go")
    form.passWithoutTimers(milliseconds: 1_500)
    #expect(form.tap("go").outcome == .held)
    #expect(form.events.map(\.kind) == [.succeeded, .succeeded])
  }

  @Test(arguments: ["both", "trailing"])
  func `Throttle of an action: a tap that comes to nothing closes nothing, at the end of a window too`(
    _ edges: String
  ) throws {
    let form = try throttled(#"{"every": "1s", "edges": "\#(edges)"}"#)
    form.change("a", "fine")
    form.tap("go")
    form.tap("go")
    form.change("a", .string(String(repeating: "x", count: 21)))
    form.advance(milliseconds: 1_000)
    #expect(form.events.last?.kind == .rejected)
    form.change("a", "fine again")
    // No window is open: a leading edge passes at once, a trailing one waits for a whole interval.
    #expect(form.tap("go").outcome == (edges == "both" ? .started : .held))
    form.advance(milliseconds: 999)
    let count = form.events.count
    form.advance(milliseconds: 1)
    #expect(form.events.count == count + (edges == "both" ? 0 : 1))
    #expect(form.events.last?.result == "fine again")
  }

  @Test func `Debounce of an action: only the last of a burst fires`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {}}}, "actions": {"go": {"debounce": "100ms"}}}
        """
    )
    for _ in 0..<3 {
      #expect(form.tap("go").outcome == .held)
      form.advance(milliseconds: 50)
    }
    #expect(form.events.isEmpty && form.patches.isEmpty && form.swallowedTaps.count == 2)
    form.advance(milliseconds: 50)
    #expect(form.events.map(\.kind) == [.succeeded])
  }
}
