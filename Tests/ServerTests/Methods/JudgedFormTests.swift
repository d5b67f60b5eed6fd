import FormProtocol
import Forms
import JSON
import Server
import Testing

/// Clients that only ask whether values are valid get what a session would find.
@Suite struct `A form that is asked about values` {
  private static let member = #"""
    "n": { "type": "number" }, "a": { "type": "string", "maxLength": 9 }, "b": { "type": "string", "maxLength": 3 }
    """#
  private static let form = TestForms.form(
    #"""
    { "form": "amounts", "locale": "de", "read": "number", "whenHidden": "clear",
      "schema": { "type": "object", "properties": { \#(member),
        "o": { "type": "object", "properties": { \#(member) } },
        "rows": { "type": "array", "maxItems": 9, "items": { "type": "object", "properties": { \#(member) } } } } },
      "messages": { "maxLength": "{label} ist zu lang." },
      "fields": { "/o/a": { "normalize": ["nfkc"] }, "/rows/*/a": { "normalize": ["nfkc"], "label": "Art" },
        "/o/b": { "visible": "values.o.a != 'x'" }, "/rows/*/b": { "visible": "row.a != 'x'", "label": "Los" } },
      "rules": [
        { "id": "o", "atLeastOne": ["/o/a", "/o/b"], "when": "values.n > 0.0" },
        { "id": "row", "exactlyOne": ["/rows/*/a", "/rows/*/b"] } ] }
    """#
  )

  private func client() -> TestClient { TestDaemon(catalog: FormCatalog([Self.form])).connect() }

  private static let values: JSON = [
    "n": "1.234,5", "o": ["n": "1.5"],
    "rows": [["n": "1,5", "a": "ｘ", "b": "toolong"], ["n": "x"], ["a": "y", "b": "z"], ["a": "y", "b": "toolong"]],
  ]
  private static let expected = [
    "/o/a o", "/o/b o", "/o/n type", "/rows/1 row", "/rows/1/a row", "/rows/1/b row", "/rows/1/n type", "/rows/2 row",
    "/rows/2/a row", "/rows/2/b row", "/rows/3 row", "/rows/3/a row", "/rows/3/b maxLength", "/rows/3/b row", " o",
  ]

  @Test func `form/validate reads, normalizes and hides as a session does, and judges groups`() {
    let answer = client().result("form/validate", ["form": "amounts", "values": Self.values])
    let errors = answer["errors"]?.arrayValue ?? []
    let found = errors.map { "\($0["path"]?.stringValue ?? "") \($0["code"]?.stringValue ?? "")" }
    #expect(found.sorted() == Self.expected.sorted(), "\(answer)")
    #expect(answer["values"]?["n"] == 1234.5 && answer["values"]?["rows"]?.arrayValue?.first == ["n": 1.5, "a": "x"])
    let messages = errors.compactMap { $0["message"]?.stringValue }
    #expect(messages.contains("Los ist zu lang.") && messages.contains { $0.contains("zum Beispiel 1.234,5") })
  }

  @Test func `text/validate finds the same errors in a text`() {
    let text = JSON.string(Self.values.description)
    let answer = client().result("text/validate", ["form": "amounts", "language": "json", "text": text])
    let errors = answer["errors"]?.arrayValue ?? []
    let found = errors.map { "\($0["path"]?.stringValue ?? "") \($0["code"]?.stringValue ?? "")" }
    #expect(found.sorted() == Self.expected.sorted(), "\(answer)")
  }

  @Test func `form/describe says what is read, at every depth`() {
    let fields = client().result("form/describe", ["form": "amounts"])["fields"]?.arrayValue ?? []
    func reads(_ fields: [JSON]) -> [JSON?] { fields.map { $0["read"] } }
    #expect(reads(Array(fields.prefix(3))) == ["number", nil, nil])
    #expect(reads(fields[3]["fields"]?.arrayValue ?? []) == ["number", nil, nil])
    #expect(reads(fields[4]["items"]?["fields"]?.arrayValue ?? []) == ["number", nil, nil])
  }
}
