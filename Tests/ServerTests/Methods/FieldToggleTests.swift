import Forms
import JSON
import Server
import Testing

@Suite struct `field toggle` {
  private static let form = TestForms.form(
    #"""
    { "form": "marks", "coerce": true,
      "schema": { "type": "object", "properties": {
        "codes": { "type": "array", "maxItems": 4, "items": { "type": "string", "maxLength": 9 } },
        "sizes": { "type": "array", "maxItems": 4, "items": { "enum": [1, 2], "type": "integer" } } } },
      "fields": { "/codes/*": { "normalize": ["trim", "upper"], "options": [{ "value": "A" }, { "value": "B" }] } } }
    """#
  )

  @Test(
    arguments: [
      ("codes", ["A"], "a", []), ("codes", ["A"], " A", []), ("codes", ["A"], " b ", ["A", "B"]),
      ("codes", ["A", "B", "A"], "a", ["B"]), ("sizes", [1], "1", []), ("sizes", [1], "2", [1, 2]),
      ("sizes", [1], 1.0, []),
    ] as [(String, JSON, JSON, JSON)]
  )
  func `compares what the field would keep`(_ field: String, _ begin: JSON, _ value: JSON, _ expected: JSON) {
    let client = TestDaemon(catalog: FormCatalog([Self.form])).connect()
    client.result("session/open", ["form": "marks", "values": .object([field: begin])])
    client.result("field/toggle", ["field": .string(field), "value": value])
    #expect(client.result("session/get").at("values", field) == expected)
  }

  @Test func `refuses a value that the field would not keep`() {
    let client = TestDaemon(catalog: FormCatalog([Self.form])).connect()
    client.result("session/open", ["form": "marks"])
    #expect(client.error("field/toggle", ["field": "codes", "value": " "])["code"] == -32602)
  }
}
