import Forms
import PageCode
import Testing

/// The first page for developers who embed the module.
@Suite struct `The page of Forms` {
  @Test func `its code is the code that runs here`() throws {
    let code = try PageCode(page: "Sources/Forms/Forms.docc/Forms.md")
    #expect(code.shown == code.run)
    // page
    let definition = """
      {
        "form": "login",
        "locale": "en",
        "schema": {
          "type": "object", "required": ["email"], "properties": { "email": { "type": "string", "maxLength": 254 } }
        },
        "fields": { "email": { "label": { "ko": "이메일", "en": "Email" } } },
        "actions": { "login": { "run": { "http": { "service": "accounts", "method": "POST", "path": "/login" } } } }
      }
      """
    let compilation = Form.compile(Array(definition.utf8), file: "login.form.json")
    for diagnostic in compilation.diagnostics {
      print(diagnostic)  // login.form.json:4:5: error: what is wrong, and what to write instead
    }
    guard let form = compilation.form else { fatalError("the form cannot be used") }

    for field in form.fields {
      let label = field.label?.resolved(for: "ko", default: form.locale) ?? field.name
      print(label, field.isRequiredBySchema ? "required" : "optional")  // 이메일 required
    }
    // end
    #expect(form.fields[0].label?.resolved(for: "ko", default: form.locale) == "이메일")
    // page
    let configured = FormCapabilities(services: ["acounts"], databases: [], providers: nil)
    for warning in form.warnings(configured: configured, file: "login.form.json") {
      print(warning)  // ...: warning: no service "accounts" in the configuration; did you mean "acounts"? [...]
    }
    // end
    #expect(form.warnings(configured: configured).count == 1)
  }
}
