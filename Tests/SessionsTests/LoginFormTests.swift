import Forms
import JSON
import Sessions
import Testing

@Suite struct `the login form` {
  private func open() throws -> SessionDriver {
    SessionDriver(try example("login"), options: OpenOptions(locale: "ko"))
  }

  @Test func `opens invalid, with a disabled grey button and no message`() throws {
    let login = try open()
    #expect(!login.isValid)
    #expect(!login.isEnabled("login"))
    #expect(login["/outputs/buttonColor"] == "systemGray4")
    #expect(login["/messages"] == [:])
    #expect(login.codes("email") == ["required"])
    #expect(login["/actions/login"] == ["isEnabled": false, "isLoading": false, "attempts": 0])
  }

  @Test func `shows the shape of an email at blur and takes it back while typing`() throws {
    let login = try open()
    login.change("email", "kim")
    #expect(login.message("email") == nil)
    #expect(login.codes("email") == ["email.shape"])
    login.blur("email")
    #expect(login.message("email") == "이메일 형식이 아닙니다.")
    login.change("email", "kim@example.com")
    #expect(login.message("email") == nil)
    login.change("email", "kim@example")
    #expect(login.message("email") == nil)
    login.blur("email")
    #expect(login.message("email") == "이메일 형식이 아닙니다.")
  }

  @Test func `enables the button when both fields are valid, in one update`() throws {
    let login = try open()
    login.change(["email": "kim@example.com", "password": "hunter2"])
    #expect(login.patches.count == 1)
    #expect(login.isValid && login.isEnabled("login"))
    #expect(login["/outputs/buttonColor"] == "systemPink")
  }

  @Test func `logs in and welcomes`() throws {
    let login = try open()
    login.change(["email": "kim@example.com", "password": "hunter2"])
    let tap = login.tap("login")
    #expect(tap.outcome == .started)
    #expect(tap.run == 1)
    #expect(login["/actions/login/isLoading"] == true)
    #expect(login["/actions/login/attempts"] == 1)
    guard case .http(let request) = login.onlyEffect.request else {
      Issue.record("no request")
      return
    }
    #expect(request.service == "accounts")
    #expect(request.target == "/login")
    #expect(request.json == ["email": "kim@example.com", "password": "hunter2"])
    login.answer(status: 200, body: ["name": "Kim"])
    #expect(login["/actions/login/result"] == ["name": "Kim"])
    #expect(login["/actions/login/message"] == "Kim님 환영합니다.")
    #expect(login["/actions/login/isLoading"] == false)
    #expect(login.events.map(\.kind) == [.succeeded])
  }

  @Test(arguments: [
    (EffectResponse(kind: .ok, status: 400), "badRequest"), (EffectResponse(kind: .ok, status: 500), "serverError"),
    (EffectResponse(kind: .ok, status: 302), "unexpected"), (EffectResponse(kind: .refused), "refused"),
    (EffectResponse(kind: .timeout), "timeout"), (EffectResponse(kind: .badBody, status: 200), "badBody"),
    (EffectResponse(kind: .ok, status: 404), "notFound"), (EffectResponse(kind: .ok, status: 503), "serverError"),
    (EffectResponse(kind: .ok, status: 200, body: "text"), "unexpected"),
    (EffectResponse(kind: .ok, status: 200, body: nil), "unexpected"),
    (EffectResponse(kind: .ok, status: 200, body: ["name": 7]), "unexpected"),
    (EffectResponse(kind: .ok, status: 200, body: [["name": "Kim"]]), "unexpected"),
  ])
  func `tells failures apart, and the same session logs in after each`(_ response: EffectResponse, _ error: String)
    throws
  {
    let login = try open()
    login.change(["email": "kim@example.com", "password": "hunter2"])
    login.tap("login")
    login.answer(login.onlyEffect, response)
    #expect(login["/actions/login/error"] == .string(error))
    #expect(login["/actions/login/message"] != nil && login["/outputs/resultTitle"] == "로그인 실패")
    #expect(login.faults.isEmpty)
    #expect(login.isValid && login.isEnabled("login"))
    login.tap("login")
    #expect(login["/actions/login/error"] == nil)
    login.answer(status: 200, body: ["name": "Kim"])
    #expect(login["/outputs/resultTitle"] == "로그인 성공")
    #expect(login.events.map(\.kind) == [.failed, .succeeded])
  }

  @Test(arguments: ["login", "login-sql"])
  func `names its button and placeholder, and both outcomes by language`(_ name: String) throws {
    let form = try example(name)
    func texts(_ locale: String) -> [String?] {
      [form.fields[1].placeholder, form.actions[0].label].map { $0?.resolved(for: locale, default: "ko") }
    }
    #expect(texts("ko") == ["비밀번호를 입력해주세요", "로그인"])
    #expect(texts("en") == ["Enter your password", "Log in"])
    for (locale, failed, succeeded) in [("ko", "로그인 실패", "로그인 성공"), ("en", "Login failed", "Logged in")] {
      let login = SessionDriver(form, options: OpenOptions(locale: locale))
      #expect(login["/outputs/resultTitle"] == nil)
      login.change(["email": "kim@example.com", "password": "hunter2"])
      login.tap("login")
      #expect(login["/outputs/resultTitle"] == nil)
      login.answer(kind: .refused)
      #expect(login["/outputs/resultTitle"] == .string(failed))
      login.tap("login")
      #expect(login["/outputs/resultTitle"] == nil)
      let body: JSON = ["name": "Kim"]
      login.answer(
        login.onlyEffect,
        name == "login"
          ? EffectResponse(kind: .ok, status: 200, body: body)
          : EffectResponse(kind: .ok, rows: [["name": "Kim", "verified": 1]])
      )
      #expect(login["/outputs/resultTitle"] == .string(succeeded))
    }
  }

  @Test(arguments: [
    (404, "서버가 그 주소를 모릅니다.", "The server does not know that address."),
    (503, "서버가 지금은 요청을 받지 않습니다.", "The server takes no requests for now."),
  ])
  func `a server that answers 404 or 503 did answer, and the text says so`(_ status: Int, _ ko: String, _ en: String)
    throws
  {
    for (name, action) in [("login", "login"), ("join", "check"), ("search", "search"), ("feedback", "send")] {
      for (locale, text) in [("ko", ko), ("en", en)] {
        let form = SessionDriver(try example(name), options: OpenOptions(locale: locale))
        switch name {
        case "login": form.change(["email": "kim@example.com", "password": "hunter2"])
        case "feedback": form.change(["type": "bug", "message": "x"])
        default: break
        }
        form.tap(action)
        form.answer(status: status)
        #expect(form["/actions/\(action)/message"] == .string(text), "\(name)")
      }
    }
  }

  @Test func `a tap while a run is under way is dropped`() throws {
    let login = try open()
    login.change(["email": "kim@example.com", "password": "hunter2"])
    login.tap("login")
    #expect(login.tap("login").outcome == .dropped)
    #expect(login["/actions/login/attempts"] == 1)
    #expect(login.effects.count == 1)
  }

  @Test func `a tap on the disabled button says why and shows every message`() throws {
    let login = try open()
    let tap = login.tap("login")
    #expect(tap.outcome == .rejected)
    #expect(tap.blockers == [Blocker(field: "email", code: "required"), Blocker(field: "password", code: "required")])
    #expect(login.message("email") == "필수 항목입니다.")
    #expect(login.message("password") == "필수 항목입니다.")
    #expect(login.effects.isEmpty)
  }

  @Test func `an answer that never comes ends as a timeout`() throws {
    let login = try open()
    login.change(["email": "kim@example.com", "password": "hunter2"])
    login.tap("login")
    let effect = login.onlyEffect
    login.advance(milliseconds: 10_000)
    #expect(login["/actions/login/error"] == "timeout")
    #expect(login.effects.isEmpty)
    login.answer(effect, EffectResponse(kind: .ok, status: 200, body: ["name": "Kim"]))
    #expect(login["/actions/login/error"] == "timeout")
  }

  @Test func `a second identical success is a second event`() throws {
    let login = try open()
    login.change(["email": "kim@example.com", "password": "hunter2"])
    for _ in 0..<2 {
      login.tap("login")
      login.answer(status: 200, body: ["name": "Kim"])
    }
    #expect(login.events.map(\.sequence) == [1, 2])
    #expect(login.events.map(\.kind) == [.succeeded, .succeeded])
  }
}
