import Forms
import JSON
import Sessions
import Testing

@Suite struct `the join form` {
  private func open() throws -> SessionDriver { SessionDriver(try example("join"), options: OpenOptions(locale: "ko")) }

  private func body(_ isAvailable: Bool) -> JSON {
    ["available": .bool(isAvailable), "message": isAvailable ? "사용할 수 있는 이메일입니다." : "이미 사용 중인 이메일입니다."]
  }

  @Test func `opens with the check enabled and a plain message colour`() throws {
    let join = try open()
    #expect(join.isValid && join.isEnabled("check"))
    #expect(join["/outputs/messageColor"] == "label")
  }

  @Test func `asks at the first tap and shows the answer`() throws {
    let join = try open()
    join.change("email", " kim@example.com ")
    #expect(join.tap("check").outcome == .started)
    #expect(join.target(of: join.onlyEffect) == "/emails/availability?email=kim%40example.com&locale=ko")
    join.answer(status: 200, body: body(true))
    #expect(join["/actions/check/result"] == ["available": true])
    #expect(join["/actions/check/message"] == "사용할 수 있는 이메일입니다.")
    #expect(join["/outputs/messageColor"] == "systemBlue")
  }

  @Test func `a second tap within the second fires once at its end, with the text as it then stands`() throws {
    let join = try open()
    join.change("email", "a@b.c")
    join.tap("check")
    join.answer(status: 200, body: body(false))
    #expect(join["/outputs/messageColor"] == "systemRed")
    join.advance(milliseconds: 300)
    #expect(join.tap("check").outcome == .held)
    join.advance(milliseconds: 200)
    #expect(join.tap("check").outcome == .held)
    #expect(join.effects.isEmpty)
    join.change("email", "later@b.c")
    join.advance(milliseconds: 499)
    #expect(join.effects.isEmpty)
    join.advance(milliseconds: 1)
    #expect(join.target(of: join.onlyEffect) == "/emails/availability?email=later%40b.c&locale=ko")
    join.answer(status: 200, body: body(true))
    join.advance(milliseconds: 5_000)
    #expect(join.events.map(\.kind) == [.succeeded, .dropped, .succeeded])
    #expect(join["/actions/check/attempts"] == 2)
  }

  @Test func `a tap after the second fires at once`() throws {
    let join = try open()
    join.tap("check")
    join.answer(status: 200, body: body(true))
    join.advance(milliseconds: 1_000)
    #expect(join.tap("check").outcome == .started)
  }

  @Test func `an older answer never takes the place of a newer one`() throws {
    let join = try open()
    join.change("email", "old@b.c")
    join.tap("check")
    let old = join.onlyEffect
    join.advance(milliseconds: 1_500)
    join.change("email", "new@b.c")
    join.tap("check")
    #expect(join.effects.count == 1)
    join.answer(status: 200, body: body(true))
    join.answer(old, EffectResponse(kind: .ok, status: 200, body: body(false)))
    #expect(join["/actions/check/result"] == ["available": true])
    #expect(join.events.map(\.kind) == [.superseded, .succeeded])
  }

  @Test(arguments: [
    (EffectResponse(kind: .ok, status: 400), "badRequest"), (EffectResponse(kind: .ok, status: 503), "serverError"),
    (EffectResponse(kind: .ok, status: 204), "unexpected"), (EffectResponse(kind: .refused), "refused"),
    (EffectResponse(kind: .ok, status: 200, body: ["available": true]), "fault"),
  ])
  func `a failure turns orange and ends nothing`(_ response: EffectResponse, _ error: String) throws {
    let join = try open()
    join.tap("check")
    join.answer(join.onlyEffect, response)
    #expect(join["/actions/check/error"] == .string(error))
    #expect(join["/outputs/messageColor"] == "systemOrange")
    join.advance(milliseconds: 1_000)
    join.tap("check")
    join.answer(status: 200, body: body(true))
    #expect(join["/outputs/messageColor"] == "systemBlue")
  }
}
