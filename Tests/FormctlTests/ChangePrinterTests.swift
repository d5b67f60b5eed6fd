internal import Client
internal import FormProtocol
internal import JSON
internal import Testing

@testable internal import formctl

struct ChangePrinterTests {
  @Test func `a patch is a line per fact, an event a line of its own`() {
    var success = ActionEvent()
    success.action = "login"
    success.kind = .succeeded
    success.message = "Kim님 환영합니다."
    success.result = ["name": "Kim"]
    var rejection = ActionEvent()
    rejection.action = "login"
    rejection.kind = .rejected
    rejection.blockers = [Blocker(field: "email", code: "required"), Blocker(field: nil, code: "disabled")]
    var later = ActionEvent()
    later.action = "login"
    let change = FormSession.Change.updated(
      patch: [
        "isValid": true, "messages": ["email": .null],
        "fields": ["email": ["errors": [["code": "required"], ["code": "short", "severity": "warning"]]]],
        "actions": ["login": ["result": ["name": "Kim"]]],
      ],
      events: [success, rejection, later],
      cause: .effect
    )
    #expect(
      ChangePrinter().lines(for: change) == [
        "  isValid               true",
        "  messages.email        gone",
        "  fields.email.errors   required, short (warning)",
        #"  actions.login.result  {"name":"Kim"}"#,
        #"* login succeeded: Kim님 환영합니다.  {"name":"Kim"}"#,
        "* login rejected  blocked by email required, disabled",
        "* login ended in an unknown way",
      ]
    )
  }

  @Test func `a list of the form's own that is called errors is shown as it is`() {
    #expect(ChangePrinter().facts(of: ["outputs": ["errors": ["a", "b"]]]) == [#"  outputs.errors  ["a","b"]"#])
  }

  @Test func `an empty patch has no facts`() {
    #expect(ChangePrinter().facts(of: [:]).isEmpty)
  }
}
