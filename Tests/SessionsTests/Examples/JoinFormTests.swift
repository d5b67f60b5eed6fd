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
    #expect(join["/outputs"] == ["isTextValid": false, "messageColor": "label"])
  }

  @Test func `says whether the text is a valid email, and lets a tap pass whatever it says`() throws {
    let join = try open()
    join.change("email", "kim")
    #expect(join["/outputs/isTextValid"] == false)
    #expect(join.tap("check").outcome == .started)
    join.change("email", "kim@example.com")
    #expect(join["/outputs/isTextValid"] == true)
    join.advance(milliseconds: 1_000)
    join.change("email", .string(String(repeating: "x", count: 255)))
    #expect(!join.isValid && join.isEnabled("check"))
    #expect(join.tap("check").outcome == .started && join["/messages"] == [:])
  }

  @Test func `an answer that has only a message is shown, in a plain colour`() throws {
    let join = try open()
    join.tap("check")
    join.answer(status: 200, body: ["message": "사용할 수 있는 이메일입니다."])
    #expect(join["/actions/check/message"] == "사용할 수 있는 이메일입니다.")
    #expect(join["/actions/check/result"] == [:])
    #expect(join["/outputs/messageColor"] == "label" && join["/outputs/borderColor"] == "label")
  }

  @Test func `the old message stays until the next answer, and the border has a colour only beside a message`() throws {
    let join = try open()
    join.tap("check")
    #expect(join["/outputs/borderColor"] == nil)
    join.answer(status: 200, body: body(false))
    #expect(join["/outputs/borderColor"] == "systemRed")
    join.advance(milliseconds: 1_000)
    join.tap("check")
    #expect(join["/actions/check/message"] == "이미 사용 중인 이메일입니다.")
    #expect(join["/outputs/messageColor"] == "label" && join["/outputs/borderColor"] == "label")
    join.answer(status: 503)
    #expect(join["/actions/check/message"] == "서버가 지금은 요청을 받지 않습니다.")
  }

  @Test func `taps that the throttle swallows push nothing`() throws {
    let join = try open()
    join.tap("check")
    let patches = join.patches.count
    for _ in 0..<5 { #expect(join.tap("check").outcome == .held) }
    #expect(join.patches.count == patches && join.swallowedTaps.count == 4)
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
    #expect(join.events.map(\.kind) == [.succeeded, .succeeded])
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
    (EffectResponse(kind: .ok, status: 404), "notFound"),
    (EffectResponse(kind: .ok, status: 204), "unexpected"), (EffectResponse(kind: .refused), "refused"),
    (EffectResponse(kind: .ok, status: 200, body: ["available": true]), "unexpected"),
    (EffectResponse(kind: .ok, status: 200, body: "text"), "unexpected"),
  ])
  func `a failure turns orange and ends nothing`(_ response: EffectResponse, _ error: String) throws {
    let join = try open()
    join.tap("check")
    join.answer(join.onlyEffect, response)
    #expect(join["/actions/check/error"] == .string(error))
    #expect(join["/outputs/messageColor"] == "systemOrange" && join["/outputs/borderColor"] == "systemOrange")
    #expect(join["/actions/check/message"] != nil)
    join.advance(milliseconds: 1_000)
    join.tap("check")
    join.answer(status: 200, body: body(true))
    #expect(join["/outputs/messageColor"] == "systemBlue")
  }
}
