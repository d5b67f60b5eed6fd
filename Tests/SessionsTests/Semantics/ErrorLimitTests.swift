import Forms
import JSON
import Sessions
import Testing

/// An incomplete list of errors reports the number of all errors.
@Suite struct `Lists of many errors` {
  // With `prefixItems` the elements are not fields, and all errors are at the list.
  private static let text = """
    {"schema": {"type": "object", "properties": {
       "numbers": {"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "integer"}},
       "pins": {"type": "array", "writeOnly": true, "prefixItems": [{"type": "integer"}], "items": {"type": "integer"}},
       "own": {"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "integer"}},
       "object": {"type": "object", "properties": {"a": {}}, "patternProperties": {"^x": {"type": "integer"}}}}},
     "fields": {"own": {"messages": {"more": {"en": "{total} in all.", "ko": "모두 {total}개."}}}}}
    """

  private func texts(_ count: Int) -> JSON { .array((0..<count).map { .string("t\($0)") }) }

  private func driver(listing count: Int? = nil) throws -> SessionDriver {
    let engine = Engine()
    if let count { engine.errorsPerFieldMax = count }
    return SessionDriver(try compiled(JSON(parsing: Self.text)), engine: engine)
  }

  @Test(arguments: [(20, 20, nil), (21, 21, 21), (300, 21, 300), (2_000, 21, 1_000)] as [(Int, Int, Int64?)])
  func `are cut behind twenty, and counted as far as a thousand`(_ wrong: Int, _ listed: Int, _ total: Int64?) throws {
    let form = try driver()
    form.change("numbers", texts(wrong))
    let errors = form["/fields/numbers/errors"]?.arrayValue ?? []
    #expect(errors.count == listed && errors.prefix(20).allSatisfy { $0["code"] == "type" })
    #expect(errors.last?["params"]?["total"] == total.map { .integer($0) })
    if let total {
      #expect(errors.last?["code"] == "more" && errors.last?["message"] == .string("There are \(total) errors here."))
    }
  }

  @Test func `are as long as the engine is told`() throws {
    let form = try driver(listing: 2)
    form.change("numbers", texts(4))
    #expect(form.codes("numbers") == ["type", "type", "more"])
    form.change("numbers", texts(2))
    #expect(form.codes("numbers") == ["type", "type"])
  }

  @Test func `are cut at each field, and not for all fields of a keyword together`() throws {
    let names = (0..<25).map { "f\($0)" }
    let properties = names.map { #""\#($0)": {"type": "string"}"# }.joined(separator: ", ")
    let required = names.map { #""\#($0)""# }.joined(separator: ", ")
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"k": {"type": "string"}, \(properties)},
           "if": {"required": ["k"]}, "then": {"required": [\(required)]}},
         "steps": [{"id": "first", "fields": ["k"]}, {"id": "last", "fields": ["f24"]}],
         "actions": {"next": {"scope": "last"}}}
        """
    )
    form.change("k", "x")
    #expect(names.allSatisfy { form.codes($0) == ["required"] } && form["/errors"] == [])
    #expect(form["/steps/last/isValid"] == false && form.tap("next").outcome == .rejected)
  }

  @Test func `say how many there are, however many may be listed`() throws {
    let form = try driver(listing: 1_000)
    form.change("numbers", texts(1_001))
    let errors = form["/fields/numbers/errors"]?.arrayValue ?? []
    #expect(errors.count == 1_001 && errors.last?["params"] == ["total": 1_001])
  }

  @Test func `have the form's own words`() throws {
    let form = try driver()
    form.change("own", texts(30))
    #expect(form["/fields/own/errors"]?.arrayValue?.last?["message"] == "30 in all.")
  }

  @Test func `say nothing of how many there are in a secret`() throws {
    let form = try driver()
    form.change("pins", texts(30))
    let last = form["/fields/pins/errors"]?.arrayValue?.last
    #expect(last?["code"] == "more" && last?["params"] == [:] && last?["message"] == "This is not valid.")
  }

  @Test func `are told of the keywords of an object, too`() throws {
    let form = try driver()
    form.change("object", .object(JSONObject((0..<30).map { ("x\($0)", .string("t")) })))
    let errors = form["/fields/object/errors"]?.arrayValue ?? []
    #expect(errors.count == 21 && errors.last?["params"]?["total"] == 30)
  }
}
