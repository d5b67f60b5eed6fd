internal import Client
internal import Testing

struct FormDocumentTests {
  private let document = FormDocument([
    "isValid": false, "isPending": false, "isDirty": true, "errors": [["code": "same", "severity": "warning"]],
    "messages": ["email": "That is not an email address."],
    "fields": [
      "email": [
        "isVisible": true, "isEnabled": true, "isRequired": true, "isValid": false, "isPending": false, "isDirty": true,
        "isTouched": false,
        "errors": [
          [
            "code": "email.shape", "path": "/email", "severity": "error", "source": "rule",
            "message": "That is not an email address.", "params": ["least": 3],
          ]
        ],
      ]
    ],
    "actions": [
      "login": ["isEnabled": true, "isLoading": true, "attempts": 2, "error": "badRequest", "message": "No."]
    ],
    "outputs": ["buttonColor": "systemPink"],
  ])

  @Test func `a document tells of the form, its fields and its actions`() throws {
    #expect(!document.isValid && !document.isPending && document.isDirty)
    #expect(document.messages == ["email": "That is not an email address."])
    #expect(document.outputs == ["buttonColor": "systemPink"])
    let field = try #require(document.field("email"))
    #expect(field == document.fields.first && document.fields.count == 1)
    #expect(field.isVisible && field.isEnabled && field.isRequired && field.isDirty)
    #expect(!field.isValid && !field.isPending && !field.isTouched)
    let action = try #require(document.action("login"))
    #expect(action == document.actions.first && document.actions.count == 1)
    #expect(action.isEnabled && action.isLoading && action.attempts == 2)
    #expect(action.result == nil && action.error == "badRequest" && action.message == "No.")
    #expect(document.field("password") == nil && document.action("send") == nil)
  }

  @Test func `all errors are those of the fields, then those of the form`() throws {
    let errors = document.allErrors
    #expect(errors.map(\.code) == ["email.shape", "same"])
    #expect(errors.map(\.field) == ["email", nil])
    #expect(errors.map(\.isWarning) == [false, true])
    #expect(errors.map(\.path.description) == ["/email", ""])
    #expect(errors[0].message == "That is not an email address." && errors[0].params == ["least": 3])
    #expect(errors[0].jsonWithField["field"] == "email" && errors[1].jsonWithField == errors[1].json)
  }

  @Test(
    arguments: [
      (["isPending": true], false), (["actions": ["a": ["isLoading": true]]], false),
      (["actions": ["a": ["isLoading": false]]], true), ([:], true),
    ] as [(JSON, Bool)]
  )
  func `a document is settled when no check and no action is under way`(json: JSON, isSettled: Bool) {
    #expect(FormDocument(json).isSettled == isSettled)
  }
}
