internal import JSON
internal import Testing

@testable internal import FormImport

struct ExportTests {
  /// The text and the losses of a form in a language.
  private func export(_ schema: JSON, to kind: ExportKind) throws -> (text: String, losses: [String]) {
    let form: JSON = ["form": "order", "schema": schema]
    let written = try kind.text(of: ImportInput(Array(form.description.utf8), file: "order.form.json"))
    return (written.text, written.losses.map { "\($0.code.rawValue) \($0.pointer)" })
  }

  private static let union: JSON = [
    "type": "object", "required": ["kind"],
    "properties": ["kind": ["enum": ["card", "cash"]]],
    "oneOf": [["$ref": "#/$defs/Card"], ["allOf": [["$ref": "#/$defs/Cash"]]]],
    "$defs": [
      "Card": [
        "type": "object", "required": ["kind", "number"],
        "properties": ["kind": ["const": "card"], "number": ["type": "string", "maxLength": 4]],
      ],
      "Cash": [
        "type": "object", "required": ["kind"],
        "properties": ["kind": ["const": "cash"], "note": ["type": "string"]],
      ],
    ],
  ]

  @Test(arguments: ExportKind.allCases)
  func `alternatives behind references keep their members`(kind: ExportKind) throws {
    let written = try export(Self.union, to: kind)
    for word in ["number", "note"] { #expect(written.text.contains(word), "\(word) in \(written.text)") }
    #expect(!written.losses.contains { $0.hasPrefix("keyword") }, "\(written.losses)")
    if kind != .html { #expect(written.text.contains("iscriminat"), "\(written.text)") }
  }

  @Test(arguments: ExportKind.allCases)
  func `a reference in allOf brings its members`(kind: ExportKind) throws {
    let written = try export(
      [
        "type": "object", "allOf": [["$ref": "#/$defs/Base"]], "properties": ["own": ["type": "string"]],
        "$defs": ["Base": ["type": "object", "required": ["id"], "properties": ["id": ["type": "integer"]]]],
      ],
      to: kind
    )
    #expect(written.text.contains("own") && written.text.contains("id"), "\(written.text)")
    #expect(written.losses == [])
  }

  @Test func `a password is a secret without a loss`() throws {
    let schema: JSON = ["type": "object", "properties": ["pw": ["type": "string", "format": "password"]]]
    let written = try export(schema, to: .pydantic)
    #expect(written.text.contains("SecretStr"))
    #expect(written.losses == [])
  }

  @Test(arguments: [true, "true", "size(values.list) > 1", false] as [JSON])
  func `an element that must have a value cannot be emptied`(required: JSON) throws {
    let schema: JSON = ["type": "object", "properties": ["list": ["type": "array", "items": ["type": "string"]]]]
    let form: JSON = ["form": "order", "schema": schema, "fields": ["/list/*": ["required": required]]]
    let input = ImportInput(Array(form.description.utf8), file: "order.form.json")
    let codes = try ExportKind.zod.text(of: input).losses.map(\.code.rawValue).sorted()
    #expect(codes == (required == true || required == "true" ? [] : ["emptyRows", "formula"]))
    let page = try ExportKind.html.text(of: input).text
    #expect(page.contains("name=\"list[]\" required") == codes.isEmpty)
  }

  @Test func `what is read and what is cleared in the whole form is reported, and local times have controls`() throws {
    let schema: JSON = [
      "type": "object",
      "properties": [
        "at": ["type": "string", "format": "local-date-time"], "from": ["type": "string", "format": "local-time"],
        "meets": ["type": "string", "format": "time"],
      ],
    ]
    let form: JSON = ["form": "order", "read": ["number"], "whenHidden": "clear", "schema": schema]
    let written = try ExportKind.html.text(of: ImportInput(Array(form.description.utf8), file: "order.form.json"))
    #expect(written.losses.map(\.code.rawValue).sorted() == ["keyword", "otherFormat", "otherFormat", "part", "part"])
    #expect(written.text.contains("type=\"datetime-local\"") && written.text.contains("type=\"time\""))
    // An input for times has no zone, as the schema's format has.
    #expect(written.text.contains("<input type=\"text\" id=\"meets\""))
  }

  @Test func `a field that is always required is no loss if its alternative requires it`() throws {
    for (field, codes) in [("number", []), ("note", ["formula"])] {
      let form: JSON = ["form": "order", "schema": Self.union, "fields": [field: ["required": true]]]
      let input = ImportInput(Array(form.description.utf8), file: "order.form.json")
      #expect(try ExportKind.pydantic.text(of: input).losses.map(\.code.rawValue) == codes)
    }
  }

  @Test func `each parameter of zod's helpers has a type`() throws {
    let schema: JSON = [
      "type": "object", "required": ["list", "group"],
      "properties": [
        "text": ["type": "string"], "list": ["type": "array", "uniqueItems": true, "items": ["type": "string"]],
        "group": ["type": "object", "properties": ["x": ["type": "string"]]],
      ],
    ]
    let written = try export(schema, to: .zod)
    #expect(written.text.contains("const absent = (value = any) =>"))
    #expect(written.text.contains("const rows = (value = any) =>"))
    #expect(written.text.contains("const group = (value = any) =>"))
    #expect(written.text.contains("const unique = (values = [any]) =>"))
  }

  @Test func `a name that a page would read otherwise is a pointer, also inside an object`() throws {
    let inner: JSON = ["type": "object", "properties": ["b.c": ["type": "string"], "d": ["type": "string"]]]
    let schema: JSON = ["type": "object", "properties": ["a": inner, "x.y": inner]]
    let written = try export(schema, to: .html)
    for name in ["/a/b.c", "a.d", "/x.y/b.c", "/x.y/d"] {
      #expect(written.text.contains(" name=\"\(name)\""), "\(name) in \(written.text)")
    }
  }
}
