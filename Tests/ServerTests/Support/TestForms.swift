import Forms
import JSON
import Server
internal import SourceTexts

/// The forms that these tests talk to.
enum TestForms {
  static let login = form(
    #"""
    { "form": "login", "locale": "en",
      "schema": { "type": "object", "required": ["email", "password"], "properties": {
        "email": { "type": "string", "maxLength": 254 },
        "password": { "type": "string", "writeOnly": true } } },
      "fields": { "email": { "label": {"ko": "이메일", "en": "Email"}, "normalize": ["trim"] }, "password": {} },
      "rules": [ { "id": "email.shape", "field": "email", "check": "self.contains('@')", "message": "no address" } ],
      "actions": { "login": { "flight": "drop", "timeout": "10s",
        "run": { "http": { "service": "accounts", "method": "POST", "path": "/login",
                           "json": {"email": "values.email", "password": "values.password"} } },
        "outcomes": [
          { "when": "response.kind == 'ok' && response.status == 200", "success": "{'name': response.body.name}" },
          { "failure": "response.kind" } ] } },
      "outputs": { "color": "form.isValid ? 'pink' : 'gray'" } }
    """#
  )

  /// A call to a provider on every tap; nothing to fill in.
  static let ask = form(
    #"""
    { "form": "ask",
      "schema": { "type": "object", "properties": { "text": { "type": "string" } } },
      "actions": { "ask": { "flight": "merge", "timeout": "5s",
        "run": { "provider": { "name": "oracle", "arguments": {"text": "values.text"} } },
        "outcomes": [ { "when": "response.kind == 'ok'", "success": "response.body" }, { "failure": "response.kind" } ] } } }
    """#
  )

  /// A value that takes effect 300 ms late, and an action that only evaluates.
  static let timed = form(
    #"""
    { "form": "timed",
      "schema": { "type": "object", "properties": { "term": { "type": "string" } } },
      "fields": { "term": { "debounce": "300ms" } },
      "actions": { "go": {} },
      "outputs": { "echo": "values.term" } }
    """#
  )

  /// A value that a service judges.
  static let checked = form(
    #"""
    { "form": "checked",
      "schema": { "type": "object", "properties": { "code": { "type": "string" } } },
      "checks": [ { "id": "known", "field": "code", "timeout": "5s",
        "run": { "http": { "service": "codes", "method": "GET", "path": "/known" } },
        "outcomes": [ { "when": "response.kind == 'ok'", "valid": true }, { "code": "unknown" } ] } ] }
    """#
  )

  /// Rows whose codes a service knows.
  static let checkedRows = form(
    #"""
    { "form": "checkedRows",
      "schema": { "type": "object", "properties": { "items": { "type": "array", "items": { "properties": { "code": { "type": "string" } } } } } },
      "checks": [ { "id": "known", "field": "/items/*/code",
        "run": { "http": { "service": "codes", "method": "GET", "path": "/known", "query": { "code": "self" } } },
        "outcomes": [ { "when": "response.status == 200", "valid": true }, { "code": "unknown" } ] } ] }
    """#
  )

  /// Three pages; the second is there while a box is ticked.
  static let pages = form(
    #"""
    { "form": "pages",
      "schema": { "type": "object", "properties": { "isFirm": { "type": "boolean" } } },
      "steps": [ { "id": "account", "fields": ["isFirm"] },
        { "id": "firm", "fields": [], "visible": "values.isFirm == true" }, { "id": "profile", "fields": [] } ] }
    """#
  )

  /// A list that begins with seven rows.
  static let rows = form(
    #"""
    { "form": "rows",
      "schema": { "type": "object", "properties": { "items": { "type": "array", "default": [{}, {}, {}, {}, {}, {}, {}],
        "items": { "type": "object", "properties": { "sku": { "type": "string" } } } } } } }
    """#
  )

  static func form(_ text: String) -> Form {
    let compilation = Form.compile(Array(text.utf8))
    guard let form = compilation.form else {
      fatalError(compilation.diagnostics.map(\.description).joined(separator: "\n"))
    }
    return form
  }

  static var all: FormCatalog { FormCatalog([login, ask, timed]) }
  static var withPages: FormCatalog { FormCatalog([login, pages]) }
  static var withPagesAndRows: FormCatalog { FormCatalog([login, pages, rows]) }
}
