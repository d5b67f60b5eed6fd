import Forms
import JSON
import Sessions
internal import SourceTexts
import Testing

/// `"blankRows": "ignore"`: rows without any value are not judged, not sent and not counted.
@Suite struct `Blank rows` {
  private static let definition = """
    {"schema": {"required": ["items"], "properties": {
       "items": {"type": "array", "minItems": 1, "maxItems": 9, "uniqueItems": true, "items": {
         "type": "object", "required": ["sku", "parts"], "properties": {
           "sku": {"type": "string", "maxLength": 9}, "count": {"type": "integer", "default": 1, "minimum": 1},
           "note": {"type": "string", "maxLength": 9}, "double": {"type": "integer"},
           "place": {"type": "string", "maxLength": 9},
           "parts": {"type": "array", "minItems": 1, "maxItems": 9, "items": {"type": "object", "required": ["n"],
             "properties": {"n": {"type": "string", "maxLength": 9}}}}}}},
       "tags": {"type": "array", "maxItems": 3, "items": {"type": "string", "minLength": 2, "maxLength": 9}}}},
     "fields": {"items": {"blankRows": "ignore"}, "tags": {"blankRows": "ignore"},
       "/items/*/parts": {"blankRows": "ignore"}, "/items/*/count": {"unique": true},
       "/items/*/double": {"computed": "row.count.orValue(0) * 2"}, "/items/*/place": {"suggested": "string(index + 1)"},
       "/items/*/note": {"required": "index > 0"}},
     "rules": [{"id": "two", "field": "items", "check": "size(self) != 2"},
       {"id": "row", "field": "/items/*/double", "check": "self < 10", "message": "Row {number}."},
       {"id": "blank", "field": "/items/*", "check": "row.sku != ''"}],
     "checks": [{"id": "known", "field": "/items/*/count", "run": {"provider": {"name": "p", "arguments": {"v": "self"}}},
       "outcomes": [{"valid": true}]}],
     "actions": {"send": {"run": {"http": {"service": "s", "method": "POST", "path": "/", "json": "values"}},
       "outcomes": [{"when": "response.status == 422", "failure": "'invalid'", "fieldErrors": "serverErrors(response.body)"},
         {"success": "true"}]}},
     "outputs": {"size": "size(values.items)", "skus": "values.items.map(i, i.sku)", "/items/*/line": "row.sku + '!'",
       "lines": "outputs['/items/*/line'].join(',')", "/items/*/at": "index", "tags": "values.tags"}}
    """

  private func driver(_ values: JSONObject? = nil) throws -> SessionDriver {
    try SessionDriver(text: Self.definition, options: OpenOptions(values: values))
  }

  private func errors(_ form: SessionDriver, _ pointer: String) -> [LocatedError] {
    form.session.errors().errors.filter { $0.pointer.description == pointer }
  }

  private func codes(_ form: SessionDriver, _ pointer: String) -> [String] { errors(form, pointer).map(\.code) }

  private func messages(_ form: SessionDriver, _ pointer: String) -> [String] { errors(form, pointer).map(\.message) }

  /// The output `at` of a row.
  private func index(_ form: SessionDriver, _ row: String) -> JSON? {
    form["/fields/items/rows/\(form.resolve(row).row)/outputs/at"]
  }

  private func row(_ sku: JSON) -> JSON { ["sku": sku, "parts": [["n": "a"]]] }

  // MARK: Not judged

  @Test func `a row without a value has no errors, whoever requires its fields`() throws {
    let form = try driver()
    form.insert("items", nil)
    form.tap("send")
    #expect(codes(form, "/items") == ["minItems"])
    for address in ["/items/0", "/items/0/sku", "/items/0/note", "/items/0/parts", "/items/0/double"] {
      #expect(codes(form, address) == [], "\(address)")
    }
    #expect(form["/messages/~1items~1#1~1sku"] == nil)
  }

  @Test func `with its first value a row is judged, and without its last it is not`() throws {
    let form = try driver()
    form.insert("items", nil)
    form.change(["/items/0/note": "x"])
    #expect(codes(form, "/items") == [] && codes(form, "/items/0/sku") == ["required"])
    #expect(codes(form, "/items/0") == ["blank"] && codes(form, "/items/0/parts") == ["minItems"])
    form.change(["/items/0/note": ""])
    #expect(codes(form, "/items") == ["minItems"] && codes(form, "/items/0/sku") == [])
    #expect(codes(form, "/items/0") == [] && codes(form, "/items/0/parts") == [])
  }

  @Test func `a list of texts has blank rows, too`() throws {
    let form = try driver(["tags": ["", "a", "ab"]])
    #expect(codes(form, "/tags/0") == [] && codes(form, "/tags/1") == ["minLength"])
    #expect(form["/outputs/tags"] == ["a", "ab"])
  }

  @Test func `checks of a blank row do not ask`() throws {
    let form = try driver(["items": [[:]]])
    form.tap("send")
    #expect(form.effects.isEmpty)
    form.change(["/items/0/sku": "a"])
    form.insert("/items/0/parts", ["n": "a"])
    form.tap("send")
    #expect(form.onlyProviderRequest?.arguments == ["v": 1])
    form.remove("/items/0/parts/0")
    form.change(["/items/0/sku": ""])
    #expect(form.effects.isEmpty && form["/isPending"] == false)
  }

  // MARK: Values

  @Test func `values of formulas and the default of the schema are no values`() throws {
    let form = try driver(["items": [["count": 1]]])
    #expect(form.values["items"] == [["count": 1, "double": 2, "place": "1"]])
    #expect(form["/outputs/size"] == 0)
    form.change(["/items/0/count": 2])
    #expect(form["/outputs/size"] == 1)
    form.change(["/items/0/count": 1])
    #expect(form["/outputs/size"] == 0)
    // A value instead of the suggested one is a value.
    form.change(["/items/0/place": "7"])
    #expect(form["/outputs/size"] == 1)
  }

  @Test func `a value in a row of the row counts, wherever it comes from and goes to`() throws {
    let form = try driver(["items": [[:]]])
    form.insert("/items/0/parts", nil)
    #expect(form["/outputs/size"] == 0 && codes(form, "/items/0/parts/0/n") == [])
    form.change(["/items/0/parts/0/n": "x"])
    #expect(form["/outputs/size"] == 1 && codes(form, "/items/0/sku") == ["required"])
    form.remove("/items/0/parts/0")
    #expect(form["/outputs/size"] == 0 && codes(form, "/items/0/sku") == [])
    form.insert("/items/0/parts", ["n": "y"])
    #expect(form["/outputs/size"] == 1)
    form.reset()
    #expect(form["/outputs/size"] == 0)
  }

  // MARK: Not counted

  @Test func `minItems, maxItems, uniqueItems and unique see the rows with values`() throws {
    let form = try driver(["items": [[:], [:], row("a"), [:]]])
    #expect(codes(form, "/items") == [] && codes(form, "/items/2/count") == [])
    let tags = try driver(["tags": ["aa", "", "bb", "", "cc"]])
    #expect(codes(tags, "/tags") == [])
    tags.change(["/tags/1": "dd"])
    #expect(codes(tags, "/tags") == ["maxItems"])
  }

  @Test func `formulas and rules see the rows with values, and count their positions`() throws {
    let form = try driver(["items": [[:], row("a"), [:], row("b")]])
    #expect(form["/outputs/size"] == 2 && form["/outputs/skus"] == ["a", "b"] && form["/outputs/lines"] == "a!,b!")
    #expect(codes(form, "/items") == ["two"])
    #expect(index(form, "/items/1") == 0 && index(form, "/items/3") == 1)
    #expect(codes(form, "/items/1/note") == [] && codes(form, "/items/3/note") == ["required"])
    form.change(["/items/3/count": 9])
    #expect(messages(form, "/items/3/double") == ["Row 2."])
    form.change(["/items/0/sku": "c"])
    #expect(form["/outputs/lines"] == "c!,a!,b!" && messages(form, "/items/3/double") == ["Row 3."])
  }

  // MARK: Not sent

  @Test func `blank rows are not sent, and positions in the errors of a server count what was sent`() throws {
    let second: JSON = ["sku": "b", "note": "n", "count": 3, "parts": [[:], ["n": "x"]]]
    let form = try driver(["items": [[:], row("a"), [:], second, row("c")]])
    form.change(["/items/4/note": "n", "/items/4/count": 4])
    form.tap("send")
    for effect in form.effectsInOrder { form.answer(effect, EffectResponse(kind: .ok, body: true)) }
    let sent = form.onlyHTTPRequest?.json
    #expect(sent?["items"]?.arrayValue?.map { $0["sku"] } == ["a", "b", "c"])
    #expect(sent?["items"]?.arrayValue?[1]["parts"] == [["n": "x"]])
    form.move("/items/0", to: 4)
    let errors: JSON = ["items.1.sku": "gone", "items[1].parts[0].n": "short", "items.3.sku": "none"]
    form.answer(status: 422, body: ["errors": errors])
    #expect(messages(form, "/items/2/sku") == ["gone"] && messages(form, "/items/2/parts/1/n") == ["short"])
    #expect(messages(form, "") == ["none"])
  }

  @Test func `the document and a snapshot have blank rows, and clients see that the list has changed`() throws {
    let form = try driver(["items": [row("a")]])
    form.insert("items", nil)
    #expect(form.order("items").count == 2 && form.values["items"]?.arrayValue?.count == 2)
    #expect(form["/fields/items/isDirty"] == true)
    let restored = try Engine().restore(form.form, from: form.keptSnapshot, at: form.now).session.document
    #expect(restored["outputs"]?["size"] == 1 && restored["fields"]?["items"]?["order"]?.arrayValue?.count == 2)
  }

  @Test func `a form that counts blank rows judges them`() throws {
    let text = Self.definition.replacing(
      #""items": {"blankRows": "ignore"}"#,
      with: #""items": {"blankRows": "count"}"#
    )
    let form = try SessionDriver(text: text, options: OpenOptions(values: ["items": [[:]]]))
    #expect(form["/outputs/size"] == 1 && codes(form, "/items/0/sku") == ["required"])
  }

  // MARK: Definitions

  @Test(arguments: ["name", "words"])
  func `only a list with rows has blank rows`(field: String) {
    let text = """
      {"form": "f", "schema": {"properties": {"name": {"type": "string", "maxLength": 9}, "words": {"type": "array"}}},
       "fields": {"\(field)": {"blankRows": "ignore"}}}
      """
    let found = Form.compile(Array(text.utf8)).diagnostics.filter { $0.code == "conflict" }
    #expect(found.count == 1 && "\(found)".contains("has no rows"), "\(found)")
  }
}
