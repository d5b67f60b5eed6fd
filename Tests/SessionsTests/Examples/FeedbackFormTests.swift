import Forms
import JSON
import Sessions
import Testing

@Suite struct `the feedback form` {
  private func open(locale: String = "en") throws -> SessionDriver {
    SessionDriver(try example("feedback"), options: OpenOptions(locale: locale))
  }

  private func settled(_ form: SessionDriver) { form.advance(milliseconds: 100) }

  @Test func `the empty message has no error before the first edit and one after it was emptied`() throws {
    let feedback = try open()
    #expect(feedback.codes("message") == ["required"])
    #expect(feedback.message("message") == nil)
    feedback.change("message", "x")
    settled(feedback)
    feedback.change("message", "")
    settled(feedback)
    #expect(feedback.message("message") == "*Please write something.")
  }

  @Test(arguments: ["", " "])
  func `a first empty text, as clients send that tell their initial one, is no edit and shows nothing`(_ text: String)
    throws
  {
    let feedback = try open()
    for field in ["type", "message", "email"] { feedback.change(field, .string(field == "type" ? "" : text)) }
    settled(feedback)
    #expect(feedback["/messages"] == [:] && feedback.session.revision == 0)
  }

  @Test(arguments: [
    ("ko", "*내용을 입력해주세요.", "*이메일 형식이 아닙니다."), ("en", "*Please write something.", "*That is not an email address."),
  ])
  func `its two error texts begin with a star`(_ locale: String, _ message: String, _ email: String) throws {
    let feedback = try open(locale: locale)
    feedback.change(["message": "x", "email": "kim@x.y"])
    feedback.change(["message": ""], commit: true)
    feedback.blur("email")
    #expect(feedback.message("message") == message)
    #expect(feedback.message("email") == email)
  }

  @Test func `its choices have labels in Korean and English`() throws {
    let field = try example("feedback").fields[0]
    #expect(field.options.map(\.value) == ["bug", "idea", "praise", "other"])
    func labels(_ locale: String) -> [String?] { field.options.map { $0.label?.resolved(for: locale, default: "ko") } }
    #expect(labels("ko") == ["문제 신고", "제안", "칭찬", "기타"])
    #expect(labels("en") == ["Something is broken", "An idea", "Praise", "Something else"])
  }

  @Test func `the email error appears at blur, goes while typing and does not come back before the next blur`() throws {
    let feedback = try open()
    feedback.focus("email")
    feedback.change("email", "kim")
    settled(feedback)
    #expect(feedback.message("email") == nil)
    feedback.blur("email")
    #expect(feedback.message("email") == "*That is not an email address.")
    feedback.focus("email")
    #expect(feedback.message("email") == "*That is not an email address.")
    feedback.change("email", "kim@b.cd")
    settled(feedback)
    #expect(feedback.message("email") == nil)
    feedback.change("email", "kim@")
    settled(feedback)
    #expect(feedback.message("email") == nil)
    feedback.blur("email")
    #expect(feedback.message("email") == "*That is not an email address.")
  }

  @Test func `an empty email is no error, for it is optional`() throws {
    let feedback = try open()
    feedback.change(["type": "bug", "message": "it broke", "email": ""])
    settled(feedback)
    feedback.blur("email")
    #expect(feedback.isValid)
    #expect(feedback.message("email") == nil)
  }

  @Test func `a type that is not in the list is refused`() throws {
    let feedback = try open()
    feedback.change("type", "rant")
    #expect(feedback.codes("type") == ["oneOf"])
    #expect(feedback.message("type") == "Please choose one of the list.")
  }

  @Test func `the first key takes effect at once, the next ones at the end of a tenth of a second`() throws {
    let feedback = try open()
    feedback.change("message", "h")
    #expect(feedback.session.values() == ["message": "h"])
    feedback.change("message", "he")
    feedback.change("message", "hel")
    #expect(feedback.session.values() == ["message": "h"])
    settled(feedback)
    #expect(feedback.session.values() == ["message": "hel"])
  }

  @Test func `a tap sends what was typed last and thanks`() throws {
    let feedback = try open()
    feedback.change("type", "idea")
    feedback.change("message", "m")
    feedback.change("message", "more forms")
    feedback.tap("send")
    guard case .http(let request) = feedback.onlyEffect.request else {
      Issue.record("no request")
      return
    }
    #expect(request.json == ["type": "idea", "message": "more forms"])
    feedback.answer(status: 201, body: ["id": 7])
    #expect(feedback["/actions/send/result"] == ["id": 7])
    #expect(feedback["/actions/send/message"] == "Thank you for your feedback.")
  }

  @Test func `while it is sent a second tap is dropped, and after a failure it can be sent again`() throws {
    let feedback = try open()
    feedback.change(["type": "bug", "message": "x"])
    feedback.tap("send")
    #expect(feedback.tap("send").outcome == .dropped)
    feedback.answer(kind: .timeout)
    #expect(feedback["/actions/send/error"] == "timeout")
    #expect(feedback.isEnabled("send"))
    feedback.tap("send")
    feedback.answer(status: 201, body: ["id": 8])
    #expect(feedback.events.map(\.kind) == [.dropped, .failed, .succeeded])
  }
}
