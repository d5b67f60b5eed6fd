import CEL
import Forms
import JSON
import Sessions
internal import SourceTexts
import Testing
internal import Times

/// `today`, `now`, `clock` and zones.
@Suite struct ClockTests {
  private static let fields = """
    "form": "t", "schema": {"type": "object", "properties": {"born": {"type": "string", "maxLength": 10},
      "name": {"type": "string", "maxLength": 9}}}
    """

  private static let dates = """
    {\(fields), "rules": [{"id": "adult", "field": "born", "check": "years(self, today) >= 18", "message": "Too young."}],
     "outputs": {"today": "today", "zone": "form.zone", "year": "today.substring(0, 4)"}}
    """

  private static let times = """
    {\(fields), "clock": "1s",
     "actions": {"send": {"scope": "none", "enabled": "actions.send.result == null || now >= timestamp(actions.send.result.at) + duration('3s')",
       "outcomes": [{"success": "{'at': string(now)}"}]}},
     "outputs": {"now": "string(now)", "name": "values.name"}}
    """

  private static let zurich = Zone(named: "Europe/Zurich") ?? .utc

  private func zone(_ name: String) throws -> Zone { try #require(Zone(named: name)) }

  // MARK: today

  @Test func `today is the date in the session's zone, and a rule that reads it says who is old enough`() throws {
    let wall = WallClock("2026-02-27T22:59:59.9Z")
    let form = try SessionDriver(
      text: Self.dates,
      options: OpenOptions(zone: Self.zurich, values: ["born": "2008-02-28"], show: .always),
      wall: wall
    )
    #expect(form.kept["outputs"] == ["today": "2026-02-27", "zone": "Europe/Zurich", "year": "2026"])
    #expect(form.message("born") == "Too young.")
    form.advance(milliseconds: 99)
    #expect(!form.isValid)
    form.advance(milliseconds: 1)
    #expect(form.isValid)
    #expect(form.patches.last?["outputs"] == ["today": "2026-02-28"])
  }

  @Test func `the change of the date is pushed to a session that nobody touches, and the next one too`() throws {
    let form = try SessionDriver(text: Self.dates, wall: WallClock("2026-12-30T12:00:00Z"))
    form.advance(milliseconds: 12 * 3_600_000)
    #expect(form.patches == [["outputs": ["today": "2026-12-31"]]])
    form.advance(milliseconds: 24 * 3_600_000 - 1)
    #expect(form.patches.count == 1)
    form.advance(milliseconds: 1)
    #expect(form.patches.last == ["outputs": ["today": "2027-01-01", "year": "2027"]])
    #expect(form.session.revision == 2)
  }

  @Test func `where the clocks skip midnight, today changes at the moment at which they do`() throws {
    let form = try SessionDriver(
      text: Self.dates,
      options: OpenOptions(zone: zone("America/Sao_Paulo")),
      wall: WallClock("2018-11-04T02:59:59Z")
    )
    #expect(form["/outputs/today"] == "2018-11-03")
    form.advance(milliseconds: 1_000)
    #expect(form["/outputs/today"] == "2018-11-04")
  }

  @Test func `today is compared at the start of every turn, whichever way the wall clock was set`() throws {
    let wall = WallClock("2026-11-22T12:00:00Z")
    let form = try SessionDriver(text: Self.dates, wall: wall)
    wall.goOn(by: .seconds(86_400 * 40))
    #expect(form["/outputs/today"] == "2026-11-22")
    form.change("name", "x")
    #expect(form["/outputs/today"] == "2027-01-01")
    wall.goOn(by: .seconds(-86_400 * 400))
    form.change("name", "xy")
    #expect(form["/outputs/today"] == "2025-11-27")
    // The timer follows the clock's current time.
    form.advance(milliseconds: 12 * 3_600_000)
    #expect(form["/outputs/today"] == "2025-11-28")
  }

  @Test func `a session that nobody touches notices a wall clock that was set within ten minutes`() throws {
    let wall = WallClock("2026-11-22T12:00:00Z")
    let form = try SessionDriver(text: Self.dates, wall: wall)
    wall.goOn(by: .seconds(86_400))
    form.advance(milliseconds: 600_000)
    #expect(form["/outputs/today"] == "2026-11-23")
  }

  @Test func `a wall clock that stands still before midnight keeps nobody busy`() throws {
    let form = try compiled(JSON(parsing: Self.dates))
    let still = try #require(Timestamp(rfc3339: "2026-11-22T23:59:59.999999999Z"))
    let engine = Engine(wallClock: { still })
    let session = engine.open(form, at: .milliseconds(0)).session
    #expect(session.deadline == .milliseconds(10))
    let turn = engine.apply(.timer, to: session, at: .milliseconds(10))
    #expect(!turn.hasUpdate)
    #expect(session.deadline == .milliseconds(20))
  }

  @Test func `a form that reads no date and no time has no clock and asks for none`() throws {
    let text = "{\(Self.fields), \"outputs\": {\"o\": \"values.name\"}}"
    let engine = Engine(wallClock: {
      Issue.record("the wall clock was asked")
      return .epoch
    })
    let form = try compiled(JSON(parsing: text))
    let session = engine.open(form, options: OpenOptions(zone: Self.zurich), at: .milliseconds(0)).session
    _ = engine.apply(.set(field: 1, to: "x"), to: session, at: .milliseconds(1))
    #expect(session.deadline == nil)
    #expect(session.zone == nil)
    #expect(!session.snapshot(for: .resuming).text.contains("zone"))
  }

  // MARK: now

  @Test func `now ticks as often as the clock says`() throws {
    let form = try SessionDriver(text: Self.times, wall: WallClock("2026-11-22T12:00:00.25Z"))
    #expect(form["/outputs/now"] == "2026-11-22T12:00:00.250Z" || form["/outputs/now"] == "2026-11-22T12:00:00.25Z")
    form.advance(milliseconds: 999)
    #expect(form.patches.isEmpty)
    form.advance(milliseconds: 1)
    #expect(form["/outputs/now"] == "2026-11-22T12:00:01.25Z")
    form.advance(milliseconds: 9_000)
    #expect(form["/outputs/now"] == "2026-11-22T12:00:10.25Z")
    #expect(form.patches.count == 10)
  }

  @Test func `a tap sets now before anything reads it, and the clock goes on from there`() throws {
    let form = try SessionDriver(text: Self.times, wall: WallClock("2026-11-22T12:00:00Z"))
    form.advance(milliseconds: 400)
    form.change("name", "x")
    #expect(form["/outputs/now"] == "2026-11-22T12:00:00Z")
    #expect(form.tap("send").outcome == .started)
    #expect(form["/outputs/now"] == "2026-11-22T12:00:00.4Z")
    #expect(form["/actions/send/result/at"] == "2026-11-22T12:00:00.4Z")
    #expect(form.tap("send").outcome == .rejected)
    form.advance(milliseconds: 2_999)
    #expect(!form.isEnabled("send"))
    form.advance(milliseconds: 1)
    #expect(form.isEnabled("send"))
    form.advance(milliseconds: 500)
    #expect(form.tap("send").outcome == .started)
  }

  @Test func `without a clock now is the time of the opening and of the last tap`() throws {
    let text = Self.times.replacing("\"clock\": \"1s\",", with: "")
    let form = try SessionDriver(text: text, wall: WallClock("2026-11-22T12:00:00Z"))
    #expect(form.session.deadline == nil)
    form.advance(milliseconds: 60_000)
    form.change("name", "x")
    #expect(form["/outputs/now"] == "2026-11-22T12:00:00Z")
    form.tap("send")
    #expect(form["/outputs/now"] == "2026-11-22T12:01:00Z")
  }

  @Test func `a wall clock that is set back does not stop the ticks`() throws {
    let wall = WallClock("2026-11-22T12:00:00Z")
    let form = try SessionDriver(text: Self.times, wall: wall)
    wall.goOn(by: .seconds(-3_600))
    form.advance(milliseconds: 1_000)
    #expect(form["/outputs/now"] == "2026-11-22T11:00:01Z")
    wall.goOn(by: .seconds(7_200))
    form.advance(milliseconds: 1_000)
    #expect(form["/outputs/now"] == "2026-11-22T13:00:02Z")
  }

  @Test func `a session that nobody attends sleeps, and has its ticks and its date when somebody comes back`() throws {
    let text = Self.times.replacing("\"name\": \"values.name\"", with: "\"today\": \"today\"")
    let form = try SessionDriver(text: text, wall: WallClock("2026-11-22T12:00:00Z"))
    form.session.isAttended = false
    #expect(form.session.deadline == nil)
    form.advance(milliseconds: 86_400_000)
    #expect(form.patches.isEmpty)
    form.session.isAttended = true
    form.advance(milliseconds: 0)
    #expect(form.kept["outputs"] == ["now": "2026-11-23T12:00:00Z", "today": "2026-11-23"])
  }

  @Test func `a tick leaves alone what does not read the time: checks, messages of the server, edits`() throws {
    let form = try SessionDriver(
      text: """
        {\(Self.fields), "clock": "1s",
         "checks": [{"id": "c", "field": "name", "run": {"provider": {"name": "p", "arguments": {"n": "self"}}},
           "outcomes": [{"when": "response.body == true", "valid": true}, {"code": "taken", "message": "taken"}]}],
         "outputs": {"now": "string(now)"}}
        """,
      wall: WallClock("2026-11-22T12:00:00Z")
    )
    form.change("name", "kim")
    let asked = form.onlyEffect.id
    form.apply(.fail(field: 0, message: "The server says no."))
    form.advance(milliseconds: 3_000)
    #expect(form.onlyEffect.id == asked)
    #expect(form.codes("born") == ["server"])
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: true))
    form.advance(milliseconds: 3_000)
    #expect(form.effects.isEmpty)
    #expect(form.isValid)
    #if DEBUG
      #expect(form.evaluations == 1, "a tick evaluates what reads the time")
    #endif
  }

  @Test func `a check that asks about the time asks again at every tick`() throws {
    let form = try SessionDriver(
      text: """
        {\(Self.fields), "clock": "10s",
         "checks": [{"id": "c", "field": "name", "run": {"provider": {"name": "p", "arguments": {"n": "self", "at": "now"}}},
           "outcomes": [{"when": "response.body == true", "valid": true}, {"code": "taken", "message": "taken"}]}]}
        """
    )
    form.change("name", "kim")
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: true))
    #expect(form.isValid)
    form.advance(milliseconds: 10_000)
    #expect(form.effects.count == 1)
  }

  // MARK: Snapshots

  @Test
  func
    `a restored session keeps its zone and what now said, has the date of its restoring, and ticks when it would have`()
    throws
  {
    let text = Self.times.replacing("\"name\": \"values.name\"", with: "\"today\": \"today\", \"zone\": \"form.zone\"")
    let wall = WallClock("2026-11-22T12:00:00Z")
    let form = try SessionDriver(text: text, options: OpenOptions(zone: zone("Asia/Seoul")), wall: wall)
    form.advance(milliseconds: 300)
    let snapshot = form.session.snapshot(for: .keeping)
    let restored = try form.engine.restore(form.form, from: snapshot, at: form.now)
    let session = restored.session
    #expect(!restored.turn.hasUpdate)
    #expect(session.document == form.session.document)
    #expect(session.deadline == form.session.deadline)
    wall.goOn(by: .seconds(7_200))
    let later = try form.engine.restore(form.form, from: snapshot, at: form.now).session
    let outputs = later.document["outputs"]
    #expect(outputs == ["now": "2026-11-22T12:00:00Z", "today": "2026-11-22", "zone": "Asia/Seoul"])
    #expect(later.deadline == form.now)
    wall.goOn(by: .seconds(3_600))
    let nextDay = try form.engine.restore(form.form, from: snapshot, at: form.now).session
    #expect(nextDay.document["outputs"]?["today"] == "2026-11-23")
    // The second machine's wall clock is behind: it still ticks after one period.
    wall.goOn(by: .seconds(-86_400))
    let earlier = try form.engine.restore(form.form, from: snapshot, at: form.now).session
    #expect(earlier.deadline == form.now + .seconds(1))
  }

  @Test func `a snapshot that names a zone which is not known here is not restored as if it were another`() throws {
    let form = try SessionDriver(text: Self.dates)
    let snapshot = form.session.snapshot(for: .resuming).replacing("\"zone\":\"", with: "\"zone\":\"Nowhere/")
    #expect(throws: SnapshotError.self) { try form.engine.restore(form.form, from: snapshot, at: form.now) }
  }

  // MARK: Definitions

  private func diagnostics(_ members: String) -> [String] {
    Form.compile(Array("{\(Self.fields), \(members)}".utf8)).diagnostics.map { "\($0.severity) \($0.code)" }
  }

  @Test(arguments: [
    (#""clock": "500ms", "outputs": {"o": "now"}"#, ["error clock"]),
    (#""clock": 1, "outputs": {"o": "now"}"#, ["error wrongType"]),
    (#""clock": "soon", "outputs": {"o": "now"}"#, ["error duration"]),
    (#""clock": "1s""#, ["warning unusedClock"]), (#""clock": "24h", "outputs": {"o": "now"}"#, []),
    (#""outputs": {"o": "nwo"}"#, ["error expression"]), (#""outputs": {"o": "today + 1"}"#, ["error expression"]),
    (#""outputs": {"o": "[1, 2].map(today, today + 1)", "p": "[3].exists(now, now == 3)"}"#, []),
    (#""outputs": {"o": "now.getHours(form.zone)", "p": "date(today)"}"#, []),
  ])
  func `a clock is a second at least, and the names have types`(members: String, expected: [String]) {
    #expect(diagnostics(members) == expected)
  }

  @Test func `a misspelled name is told`() {
    let messages = Form.compile(Array("{\(Self.fields), \"outputs\": {\"o\": \"tody\"}}".utf8)).diagnostics.map(
      \.description
    )
    #expect(messages.count == 1 && messages[0].contains("today"), "\(messages)")
  }
}
