import Forms
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The first page for those who embed the module.
@Suite struct `The page of Forms` {
  @Test func `its code is the code that runs here`() throws {
    try compare()
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

  /// The code blocks of the page and the lines between `// page` and `// end` of this file.
  private func compare() throws {
    let here = URL(filePath: #filePath)
    let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "Sources/Forms/Forms.docc/Forms.md"), encoding: .utf8)
    let source = try String(contentsOf: here, encoding: .utf8)
    let shown = page.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    let run = source.components(separatedBy: "    // page\n").dropFirst().map {
      $0.components(separatedBy: "    // end\n")[0]
        .split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.hasPrefix("    ") ? String($0.dropFirst(4)) : String($0) }
        .joined(separator: "\n")
    }
    #expect(Array(shown) == Array(run))
  }
}
