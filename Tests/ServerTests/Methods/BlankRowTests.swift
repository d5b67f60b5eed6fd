import FormProtocol
import Forms
import JSON
import Server
import Testing

/// Lists that ignore blank rows, as a client sees them.
@Suite struct BlankRowTests {
  private static let form = TestForms.form(
    #"""
    { "form": "hours",
      "schema": { "type": "object", "required": ["days"], "properties": {
        "days": { "type": "array", "minItems": 2, "items": { "type": "object", "required": ["day"], "properties": {
          "day": { "type": "string", "minLength": 2, "maxLength": 9 }, "rate": { "type": "integer", "default": 20 },
          "parts": { "type": "array", "items": { "type": "object", "required": ["n"], "properties": {
            "n": { "type": "integer" } } } } } } },
        "tags": { "type": "array", "items": { "type": "string", "maxLength": 9 } } } },
      "fields": { "days": { "blankRows": "ignore" }, "/days/*/parts": { "blankRows": "ignore" } } }
    """#
  )

  private func client() -> TestClient { TestDaemon(catalog: FormCatalog([Self.form])).connect() }

  @Test func `a description says which lists ignore blank rows`() {
    let fields = client().result("form/describe", ["form": "hours"])["fields"]?.arrayValue
    #expect(fields?[0]["ignoresBlankRows"] == true && fields?[1]["ignoresBlankRows"] == nil)
    let parts = fields?[0]["items"]?["fields"]?.arrayValue?.last
    #expect(parts?["name"] == "parts" && parts?["ignoresBlankRows"] == true)
  }

  @Test func `form/validate judges and answers the rows with values, and names their positions in the request`() {
    let values: JSON = ["days": [["rate": 20], ["day": "Mon", "parts": [[:], ["n": "x"]]], [:], ["day": "T"]]]
    let answer = client().result("form/validate", ["form": "hours", "values": values])
    let errors = answer["errors"]?.arrayValue?.map {
      "\($0["path"]?.stringValue ?? "") \($0["code"]?.stringValue ?? "")"
    }
    #expect(errors == ["/days/1/parts/1/n type", "/days/3/day minLength"], "\(answer)")
    #expect(
      answer["values"]?["days"]
        == [["day": "Mon", "rate": 20, "parts": [["n": "x"]]], ["day": "T", "rate": 20]],
      "\(answer)"
    )
    let few = client().result("form/validate", ["form": "hours", "values": ["days": [[:], ["day": "Mon"], [:]]]])
    #expect(few["errors"]?.arrayValue?.map { $0["code"] } == ["minItems"], "\(few)")
  }

  @Test func `text/validate judges the rows with values, at their positions in the text`() {
    let text = #"{"days": [{}, {"day": "Mon", "parts": [{}, {"n": 1}]}, {"parts": [{}]}, {"day": "T"}]}"#
    let answer = client().result("text/validate", ["form": "hours", "language": "json", "text": .string(text)])
    let errors = answer["errors"]?.arrayValue ?? []
    #expect(errors.map { $0["code"] } == ["minLength"] && errors[0]["path"] == "/days/3/day", "\(answer)")
  }
}
