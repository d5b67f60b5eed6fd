internal import Client
internal import JSON
internal import Testing

@testable internal import formctl

struct ChangePrinterTests {
  @Test func `a patch is a line per fact, an event a line of its own`() {
    let change = FormSession.Change.updated(
      patch: [
        "isValid": true, "messages": ["email": .null],
        "fields": ["email": ["errors": [["code": "required"], ["code": "short", "severity": "warning"]]]],
        "actions": ["login": ["result": ["name": "Kim"]]],
      ],
      events: [
        ["action": "login", "kind": "succeeded", "message": "Kim님 환영합니다.", "result": ["name": "Kim"]],
        [
          "action": "login", "kind": "rejected",
          "blockers": [["field": "email", "code": "required"], ["code": "disabled"]],
        ],
      ],
      cause: "effect"
    )
    #expect(
      ChangePrinter().lines(for: change) == [
        "  isValid               true",
        "  messages.email        gone",
        "  fields.email.errors   required, short (warning)",
        #"  actions.login.result  {"name":"Kim"}"#,
        #"* login succeeded: Kim님 환영합니다.  {"name":"Kim"}"#,
        "* login rejected  blocked by email required, disabled",
      ]
    )
  }

  @Test func `an empty patch has no facts`() {
    #expect(ChangePrinter().facts(of: [:]).isEmpty)
  }
}
