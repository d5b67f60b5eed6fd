internal import Client
internal import JSON
internal import Testing

struct FormDocumentTests {
  private let document = FormDocument([
    "isValid": false, "isPending": false, "isDirty": true, "errors": [["code": "same", "severity": "warning"]],
    "messages": ["email": "That is not an email address."],
    "fields": [
      "email": [
        "isVisible": true, "isEnabled": true, "isRequired": true, "isValid": false, "isPending": false, "isDirty": true,
        "isTouched": false, "isEmpty": false,
        "errors": [
          [
            "code": "email.shape", "severity": "error", "source": "rule",
            "message": "That is not an email address.", "params": ["least": 3],
          ]
        ],
      ],
      "address": [
        "isVisible": true, "isValid": false, "errors": [],
        "fields": [
          "lines": [
            "isValid": false,
            "errors": [
              [
                "code": "maxLength", "path": "/1",
                "params": ["causes": [["code": "type", "path": "/a"], ["code": "const"]]],
              ]
            ],
          ]
        ],
      ],
    ],
    "steps": ["account": ["isVisible": true, "isValid": false, "isPending": false, "isTouched": true]],
    "step": "account",
    "actions": [
      "login": ["isEnabled": true, "isLoading": true, "attempts": 2, "error": "badRequest", "message": "No."]
    ],
    "outputs": ["buttonColor": "systemPink"],
  ])

  @Test func `a document tells what lookups have found, and it is settled when none asks`() throws {
    func document(_ lookup: JSON) -> FormDocument { FormDocument(["lookups": ["cities": lookup]]) }
    let asking = document(["isLoading": true, "value": ["Seoul"]])
    let lookup = try #require(asking.lookup("cities"))
    #expect(asking.lookups == [lookup] && lookup.name == "cities" && !asking.isSettled)
    #expect(lookup.isLoading && lookup.value == ["Seoul"] && lookup.error == nil)
    let failed = document(["isLoading": false, "error": "refused"])
    #expect(failed.isSettled && failed.lookup("cities")?.error == "refused" && failed.lookup("cities")?.value == nil)
    #expect(failed.lookup("towns") == nil)
  }

  @Test func `an error tells why the closest alternative does not hold`() throws {
    let error = try #require(document.field("/address/lines")?.errors.first)
    #expect(error.causes.map(\.code) == ["type", "const"])
    #expect(error.causes.map(\.path.description) == ["/address/lines/1/a", "/address/lines/1"])
    #expect(document.field("email")?.errors.first?.causes == [])
  }

  @Test func `a document tells of the form, its fields and its actions`() throws {
    #expect(!document.isValid && !document.isPending && document.isDirty)
    #expect(document.messages == ["email": "That is not an email address."])
    #expect(document.outputs == ["buttonColor": "systemPink"])
    let field = try #require(document.field("email"))
    #expect(field == document.fields.first && document.fields.map(\.name) == ["email", "address"])
    #expect(document.allFields.map(\.address) == ["email", "address", "/address/lines"])
    #expect(document.field("/address/lines")?.name == "lines" && document.field("/email") == field)
    #expect(document.field("/address/town") == nil && document.field("/~") == nil)
    #expect(field.isVisible && field.isEnabled && field.isRequired && field.isDirty)
    #expect(!field.isValid && !field.isPending && !field.isTouched)
    let action = try #require(document.action("login"))
    #expect(action == document.actions.first && document.actions.count == 1)
    #expect(action.isEnabled && action.isLoading && action.attempts == 2)
    #expect(action.result == nil && action.error == "badRequest" && action.message == "No.")
    let step = try #require(document.step("account"))
    #expect(document.step == step.id && document.steps == [step])
    #expect(step.isVisible && !step.isValid && !step.isPending && step.isTouched)
    #expect(document.step("profile") == nil && FormDocument([:]).step == nil)
    #expect(document.field("password") == nil && document.action("send") == nil)
  }

  @Test func `a document tells why a field or an action is not enabled, and the text of an input`() throws {
    let document = FormDocument([
      "fields": [
        "amount": ["isEnabled": true, "text": "1.234,5"], "city": ["isEnabled": false, "reason": "First the country."],
      ],
      "actions": ["send": ["isEnabled": false, "reason": "Nothing has changed."]],
    ])
    #expect(document.field("amount")?.text == "1.234,5" && document.field("amount")?.reason == nil)
    #expect(document.field("city")?.text == nil && document.field("city")?.reason == "First the country.")
    #expect(document.action("send")?.reason == "Nothing has changed.")
  }

  @Test func `all errors are those of the fields, then those of the form`() throws {
    let errors = document.allErrors
    #expect(errors.map(\.code) == ["email.shape", "maxLength", "same"])
    #expect(errors.map(\.field) == ["email", "/address/lines", nil])
    #expect(errors.map(\.isWarning) == [false, false, true])
    #expect(errors.map(\.path.description) == ["/email", "/address/lines/1", ""])
    #expect(errors[0].message == "That is not an email address." && errors[0].params == ["least": 3])
    #expect(errors[0].jsonWithField["field"] == "email" && errors[2].jsonWithField == errors[2].json)
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
