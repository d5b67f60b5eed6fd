import Foundation

/// Forms that tests write about.
enum Samples {
  /// A form without problems.
  static let login = #"""
    {
      "form": "login",
      "schema": {
        "type": "object",
        "required": ["email"],
        "properties": {
          "email": { "type": "string", "maxLength": 100, "title": "E-mail" },
          "address": { "type": "object", "properties": { "city": { "type": "string", "maxLength": 50 } } },
          "items": {
            "type": "array", "maxItems": 9,
            "items": { "type": "object", "properties": { "sku": { "type": "string", "maxLength": 9 }, "quantity": { "type": "integer" } } }
          },
          "role": { "enum": ["admin", "user"] }
        }
      },
      "fields": {
        "email": { "label": { "en": "Email", "ko": "이메일" }, "help": "Where we write to." },
        "/address/city": { "visible": "values.email != ''" },
        "items": { "key": "sku" }
      },
      "rules": [
        { "id": "email.at", "field": "email", "check": "self.contains('@')", "message": "An @ is missing." },
        { "id": "sku.known", "field": "/items/*/sku", "check": "row.quantity > 0 || self == ''", "message": "None." },
        { "id": "all", "check": "values.items.all(r, r.sku != values.email)", "message": "No." }
      ],
      "steps": [ { "id": "one", "fields": ["email", "/address/city"] } ],
      "actions": { "send": { "enabled": "fields.email.isValid && steps.one.isValid", "scope": "one" } },
      "outputs": { "total": "outputs['/items/*/twice'].sum()", "/items/*/twice": "row.quantity * 2" }
    }
    """#

  /// Tests of it.
  static let loginTest = #"""
    {
      "cases": [
        {
          "name": "a case", "given": { "email": "kim@example.org", "address": { "city": "Seoul" } },
          "steps": [
            { "change": "email", "value": "kim", "expect": { "messages": { "email": null }, "errors": { "email": ["email.at"] } } },
            { "change": { "/items/0/sku": "x" } },
            { "tap": "send", "expect": { "outputs": { "total": 0 } } }
          ]
        }
      ]
    }
    """#

  /// The repository.
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The files below `protocol/examples` that end so, each with its text.
  static func examples(_ suffix: String) throws -> [(path: String, text: String)] {
    let folder = root.appending(path: "protocol/examples")
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return try names.filter { $0.hasSuffix(suffix) }.sorted().map { name in
      (name, String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self))
    }
  }
}
