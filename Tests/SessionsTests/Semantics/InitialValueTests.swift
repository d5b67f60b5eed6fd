import Forms
import JSON
import Sessions
internal import SourceTexts
import Testing
internal import Times

/// `initial` in formulas, `changes` in arguments, `trustInitial` and `unordered`.
@Suite struct `The beginning of a form` {
  private static let text = """
    {"form": "t", "schema": {"type": "object", "required": ["name"], "properties": {
       "name": {"type": "string", "maxLength": 9, "minLength": 2}, "count": {"type": "integer", "maximum": 5, "default": 3},
       "address": {"type": "object", "properties": {"city": {"type": "string", "maxLength": 9},
         "zip": {"type": "string", "maxLength": 9}}},
       "hidden": {"type": "string", "maxLength": 9}, "total": {"type": "integer"}, "pin": {"type": "string", "writeOnly": true},
       "tags": {"type": "array", "maxItems": 5, "items": {"type": "string", "maxLength": 9}},
       "plain": {"type": "array", "maxItems": 5},
       "rows": {"type": "array", "maxItems": 5, "items": {"type": "object", "properties": {
         "n": {"type": "integer", "maximum": 9}, "inner": {"type": "array", "maxItems": 5, "items": {"type": "integer"}}}}}}},
     "fields": {"name": {"trustInitial": true}, "hidden": {"visible": "false"}, "total": {"computed": "size(values.rows)"},
       "tags": {"unordered": true}, "plain": {"unordered": true}, "/rows/*/n": {"trustInitial": true}},
     "rules": [{"id": "even", "field": "/rows/*/n", "check": "self % 2 == 0"}],
     "actions": {"save": {"scope": "none", "run": {"provider": {"name": "p", "arguments": {"changes": "changes",
       "was": "initial.name"}}}}},
     "outputs": {"name": "initial.name", "count": "initial.count", "city": "initial.address.city",
       "address": "initial.address", "hidden": "initial.hidden", "total": "initial.total == null", "tags": "initial.tags",
       "hadPin": "initial.pin != ''", "sum": "initial.rows.map(r, r.n).sum()", "/rows/*/was": "initial['/rows/*/n']",
       "/rows/*/inner/*/was": "initial['/rows/*/inner/*']", "/rows/*/had": "initial['/rows/*/inner']"}}
    """

  private func driver(_ values: JSONObject? = nil, trusts: Bool = true) throws -> SessionDriver {
    try SessionDriver(text: Self.text, options: OpenOptions(values: values, trustsInitial: trusts))
  }

  // MARK: initial

  @Test func `initial values stay while values change`() throws {
    let form = try driver(
      [
        "name": "Kim", "address": ["city": "Zug"], "hidden": "h", "pin": "1", "tags": ["a"],
        "rows": [["n": 2], ["n": 4]],
      ]
    )
    let told: JSON = [
      "name": "Kim", "count": 3, "city": "Zug", "address": ["city": "Zug"], "hidden": "h", "total": true, "tags": ["a"],
      "hadPin": true, "sum": 6,
    ]
    #expect(form["/outputs"] == told)
    form.change(["name": "Lee", "count": 1, "/address/city": "Bern", "tags": [], "rows": [], "pin": ""])
    #expect(form["/outputs"] == told && form.evaluations > 0)
    form.change("name", "Lea")
    #expect(form.evaluations == 0)
    form.reset()
    #expect(form["/outputs"] == told)
  }

  @Test func `without values they are the defaults, or absent`() throws {
    let form = try driver()
    #expect(
      form["/outputs"] == [
        "name": "", "count": 3, "city": "", "address": [:], "hidden": "", "total": true, "tags": [], "hadPin": false,
        "sum": 0,
      ]
    )
  }

  @Test(
    arguments: [
      (#"["object", "array"]"#, [1], true), (#"["object", "array"]"#, ["n": 2], true),
      (#"["object", "array"]"#, "x", false), (#""object""#, [1], false), (#"["object", "null"]"#, [1], false),
    ] as [(String, JSON, Bool)]
  ) func `an object that may be something else reads as the field's value does`(
    type: String,
    given: JSON,
    isRead: Bool
  ) throws {
    let text = """
      {"form": "t", "schema": {"properties": {"o": {"type": \(type), "properties": {"n": {"type": "integer"}}}}},
       "outputs": {"now": "dyn(values.o)", "was": "dyn(initial.o)"}}
      """
    let form = try SessionDriver(text: text, options: OpenOptions(values: ["o": given]))
    #expect((form["/outputs/was"] == given) == isRead)
    #expect(form["/outputs/was"] == form["/outputs/now"])
  }

  @Test func `a reset that keeps the values makes them the initial ones`() throws {
    let form = try driver(["name": "Kim"])
    form.change(["name": "Lee", "/address/city": "Bern", "rows": [["n": 8]]])
    form.change("/rows/0/n", 6)
    form.reset(keepValues: true)
    #expect(form["/outputs/name"] == "Lee" && form["/outputs/city"] == "Bern" && form["/outputs/sum"] == 6)
    #expect(form["/fields/rows/rows/1/outputs/was"] == 6)
  }

  @Test func `a row has its own, in rows of rows, too`() throws {
    let form = try driver(["rows": [["n": 2, "inner": [1]]]])
    form.insert("rows", ["n": 4, "inner": [7, 8]])
    form.change(["/rows/0/n": 6, "/rows/1/n": 8, "/rows/0/inner/0": 5, "/rows/1/inner/1": 9])
    let rows = form["/fields/rows/rows"]
    #expect(rows?["1"]?["outputs"]?["was"] == 2 && rows?["2"]?["outputs"] == nil || rows?["1"]?["outputs"] != nil)
    let all = form.session.document["fields"]?["rows"]?["rows"]?.objectValue ?? [:]
    #expect(all.map { $0.value["outputs"]?["was"] } == [2, 4])
    #expect(all.map { $0.value["outputs"]?["had"] } == [[1], [7, 8]])
    let inner = all.flatMap { $0.value["fields"]?["inner"]?["rows"]?.objectValue ?? [:] }
    #expect(inner.map { $0.value["outputs"]?["was"] } == [1, 7, 8])
  }

  @Test func `a value of another type is absent`() throws {
    let form = try driver(["name": 7, "count": "x", "tags": "x", "rows": 1, "address": [1]])
    #expect(form["/outputs/name"] == "" && form["/outputs/count"] == nil && form["/outputs/tags"] == [])
    #expect(form["/outputs/city"] == "" && form["/outputs/sum"] == 0)
    #expect(form.faults.isEmpty)
  }

  @Test(arguments: [SnapshotUse.resuming, .keeping])
  func `a restored session has them`(_ use: SnapshotUse) throws {
    let form = try driver(["name": "Kim", "tags": ["a"], "rows": [["n": 2]]])
    form.change(["name": "Lee", "tags": ["b"], "/rows/0/n": 4])
    let restored = try Engine().restore(form.form, from: form.session.snapshot(for: use), at: form.now).session
    #expect(restored.checkInvariants() == [])
    #expect(restored.document["outputs"] == form.kept["outputs"])
  }

  @Test(arguments: [
    ("initial.nme", "did you mean 'initial.name'?"), ("initial['/rows/*/n']", "only a formula of the same row"),
    ("initial.rows.map(r, r.n).x", "has no fields"), ("initial.pin", "reads a secret"),
    ("changes", "only \"changes\" alone"),
  ])
  func `a wrong name is refused`(_ formula: String, _ says: String) {
    let text = Self.text.replacing("\"name\": \"initial.name\"", with: "\"name\": \"\(formula)\"")
    let found = Form.compile(Array(text.utf8)).diagnostics
    #expect(found.count == 1 && "\(found)".contains(says), "\(found)")
  }

  // MARK: changes

  private func sent(_ form: SessionDriver) -> JSON? {
    form.tap("save")
    return form.onlyProviderRequest?.arguments["changes"]
  }

  @Test func `changes are what differs: members of objects, lists whole, null for what is gone`() throws {
    let form = try driver(
      [
        "name": "Kim", "address": ["city": "Zug", "zip": "6300"], "hidden": "h", "tags": ["a", "b"],
        "rows": [["n": 2], ["n": 4]],
      ]
    )
    form.change([
      "/address/city": "Bern", "hidden": "x", "tags": ["b", "a"], "/rows/1/n": 6, "pin": "1234",
    ])
    form.change(["count": .null])
    #expect(
      sent(form) == [
        "address": ["city": "Bern"], "rows": [["n": 2], ["n": 6]], "pin": "1234", "count": .null,
      ]
    )
  }

  @Test func `changes are empty in the beginning, and an object that was not there is whole`() throws {
    #expect(sent(try driver()) == [:])
    let form = try driver(["name": "Kim"])
    form.change(["/address/city": "Bern"])
    form.change("name", "")
    #expect(sent(form) == ["name": .null, "address": ["city": "Bern"]])
  }

  @Test func `changes of an object without fields are its members, at every depth`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"any": {"type": "object"}, "box": {"type": "object", "properties": {"in": {"type": "object"}}}}},
         "actions": {"save": {"scope": "none", "run": {"provider": {"name": "p", "arguments": {"changes": "changes"}}}}}}
        """,
      options: OpenOptions(values: ["any": ["k": 1, "m": ["y": 2, "z": 1]], "box": ["in": ["a": 1, "b": 2]]])
    )
    form.change("any", ["k": 1, "m": ["y": 3]])
    form.change("/box/in", ["a": 1])
    #expect(sent(form) == ["any": ["m": ["y": 3, "z": .null]], "box": ["in": ["b": .null]]])
  }

  // MARK: trustInitial

  @Test(arguments: [true, false])
  func `a check trusts the values of rows that were there in the beginning, and not of later ones`(_ isNew: Bool) throws
  {
    let rows: JSON = [["n": "a"]]
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"rows": {"type": "array", "maxItems": 3, "items": {"type": "object", "properties": {
           "n": {"type": "string", "maxLength": 9}}}}}}, "actions": {"send": {}},
         "checks": [{"id": "t", "field": "/rows/*/n", "trustInitial": true, "run": {"provider": {"name": "p", "arguments": {"v": "self"}}},
           "outcomes": [{"when": "response.body == true", "valid": true}, {}]}]}
        """,
      options: OpenOptions(values: isNew ? [:] : ["rows": rows])
    )
    if isNew { form.change("rows", rows) }
    #expect(form.tap("send").outcome == (isNew ? .held : .started))
  }

  @Test func `a trusted value has warnings until it is changed`() throws {
    let form = try driver(["name": "K", "rows": [["n": 11]]])
    #expect(form.isValid && form.codes("name") == ["minLength"] && form.codes("rows/#1/n") == ["maximum", "even"])
    #expect(form["/fields/name/errors/0/severity"] == "warning")
    form.change("name", "L")
    #expect(!form.isValid && form["/fields/name/errors/0/severity"] == "error")
    form.change("name", "K")
    #expect(form.isValid)
    form.change("/rows/0/n", 13)
    #expect(!form.isValid && form["/fields/rows/isValid"] == false)
    form.change("/rows/0/n", 11)
    #expect(form.isValid)
    form.change("name", "")
    #expect(!form.isValid && form.codes("name") == ["required"])
    form.change("name", "M")
    form.reset(keepValues: true)
    #expect(form.isValid && form.codes("name") == ["minLength"])
    form.apply(.setLocale("ko"))
    #expect(form.isValid && form["/fields/name/errors/0/message"]?.stringValue?.contains("characters") == false)
  }

  @Test func `what a server says of a trusted value is an error`() throws {
    let form = try driver(["name": "K"])
    form.apply(.fail(field: try #require(form.session.resolve("name").field), message: "no"))
    #expect(form["/messages/name"] == "no" && form["/fields/name/errors/0/severity"] == "warning")
    #expect(form["/fields/name/errors/1/severity"] == "error" && form["/fields/name/errors/1/source"] == "server")
  }

  @Test func `a missing value and a new row are not trusted`() throws {
    let form = try driver()
    #expect(!form.isValid && form.codes("name") == ["required"])
    form.change("name", "Kim")
    form.insert("rows", ["n": 11])
    #expect(!form.isValid)
    form.reset(keepValues: true)
    #expect(form.isValid)
  }

  @Test func `who judges values trusts nothing`() throws {
    let form = try driver(["name": "K"], trusts: false)
    #expect(!form.isValid && form["/fields/name/errors/0/severity"] == "error")
  }

  // MARK: unordered

  @Test func `the order of an unordered list does not make it dirty`() throws {
    let form = try driver(["tags": ["a", "b", "b"], "plain": [1, [2], 1]])
    form.change(["tags": ["b", "a", "b"], "plain": [1, 1.0, [2]]])
    #expect(form["/isDirty"] == false && form["/fields/tags/isDirty"] == false)
    form.move("/tags/0", to: 2)
    #expect(form["/fields/tags/isDirty"] == false)
    form.change("/tags/0", "c")
    #expect(form["/fields/tags/isDirty"] == true)
    form.change("/tags/0", "a")
    #expect(form["/fields/tags/isDirty"] == false)
    form.remove("/tags/1")
    #expect(form["/isDirty"] == true)
    form.insert("tags", at: 0, "b")
    #expect(form["/isDirty"] == false)
    form.change("plain", [1, [2], 2])
    #expect(form["/fields/plain/isDirty"] == true)
  }

  @Test(arguments: [
    ("name", "unordered", "is not a list"), ("total", "trustInitial", "is computed"),
  ])
  func `a key that cannot hold is refused`(_ field: String, _ key: String, _ says: String) {
    let old = field == "name" ? "\"name\": {" : "\"total\": {\"computed\""
    let new = field == "name" ? "\"name\": {\"\(key)\": true, " : "\"total\": {\"\(key)\": true, \"computed\""
    let fields = Self.text.components(separatedBy: "\"fields\": ")
    let text = fields[0] + "\"fields\": " + fields[1].replacingFirst(old, with: new)
    let found = Form.compile(Array(text.utf8)).diagnostics
    #expect(found.map(\.code) == ["conflict"] && "\(found)".contains(says), "\(found)")
  }
}

extension String {
  fileprivate func components(separatedBy separator: String) -> [String] {
    split(separator: separator, maxSplits: 1).map(String.init)
  }

  fileprivate func replacingFirst(_ old: String, with new: String) -> String {
    replacing(old, with: new, maxReplacements: 1)
  }
}
