import Forms
import JSON
import Sessions
import Testing

/// Choices that the definition lists.
@Suite struct `Choices in a list` {
  private static let text = #"""
    {"schema": {"type": "object", "properties": {
        "delivery": {"enum": ["post", "air", "ship"]}, "size": {"type": "integer"},
        "colour": {"type": "string", "maxLength": 9},
        "extras": {"type": "array", "maxItems": 5, "items": {"enum": ["gift", "safe", "old"]}},
        "tags": {"type": "array", "maxItems": 5},
        "rows": {"type": "array", "maxItems": 5, "items": {"type": "object", "properties": {
          "kind": {"type": "string"}, "marks": {"type": "array", "maxItems": 3, "items": {"enum": ["new", "old"]}}}}}}},
      "fields": {
        "delivery": {"options": [{"value": "air", "label": "By air", "disabled": true}]},
        "size": {"options": [{"value": 1}, {"value": 2, "label": "two"}]},
        "colour": {"options": [{"value": "red"}, {"value": "blue", "disabled": true}], "other": true},
        "/extras/*": {"options": [{"value": "old", "disabled": true}]},
        "tags": {"options": "[{'value': 'a', 'group': 'A', 'more': {'n': 1}}, {'value': 'b', 'disabled': true}]"},
        "/rows/*/marks/*": {"options": [{"value": "old", "disabled": true}]},
        "/rows/*/kind": {"options": [{"value": "x"}, {"value": "y", "disabled": true}]}},
      "actions": {"go": {"outcomes": [{"success": "1"}]}}}
    """#

  private func driver(_ values: JSONObject = [:]) throws -> SessionDriver {
    try SessionDriver(text: Self.text, options: OpenOptions(values: values))
  }

  @Test(
    arguments: [
      ("delivery", "post", true), ("delivery", "air", false), ("size", 1, true), ("size", 2, true), ("size", 3, false),
      ("colour", "red", true), ("colour", "green", true), ("colour", "blue", false), ("tags", ["a"], true),
      ("tags", ["a", "b"], false), ("tags", ["c"], false), ("extras", ["gift"], true),
      ("rows", [["kind": "x"]], true), ("rows", [["kind": "z"]], false),
      ("rows", [["kind": "y"]], false), ("rows", [["marks": ["new"]]], true), ("rows", [["marks": ["old"]]], false),
    ] as [(String, JSON, Bool)]
  )
  func `a value that is no choice, or a disabled one, is an error`(field: String, value: JSON, isValid: Bool) throws {
    let form = try driver()
    form.change(field, value)
    #expect(form["/isValid"] == .bool(isValid), "\(form["/fields/\(field)/errors"] ?? .null)")
    form.change(field, .null)
    #expect(form["/isValid"] == true)
  }

  @Test func `what is disabled is no error as the initial value, and again after it was given up`() throws {
    let form = try driver(["delivery": "air", "extras": ["old", "gift"], "tags": ["b"]])
    #expect(form["/isValid"] == true)
    form.change("delivery", "post")
    form.change("delivery", "air")
    #expect(form.codes("delivery") == [] && form["/isValid"] == true)
    form.change("tags", ["a", "b"])
    #expect(form.codes("tags") == [])
    let row = form.order("extras")[0]
    form.remove("/extras/#\(row)")
    form.insert("extras", "old")
    #expect(form["/isValid"] == true)
    form.reset(keepValues: true)
    #expect(form["/isValid"] == true && form["/fields/extras/order"]?.arrayValue?.count == 2)
  }

  @Test func `a new element that is disabled is an error until the values become the initial ones`() throws {
    let form = try driver()
    form.insert("extras", "old")
    #expect(form["/isValid"] == false)
    #expect(form.tap("go").blockers.map(\.code) == ["options"])
    form.reset(keepValues: true)
    #expect(form["/isValid"] == true)
    form.reset()
    #expect(form["/isValid"] == true && form.tap("go").outcome == .started)
  }

  @Test func `further members of a choice are passed on`() throws {
    let form = try driver()
    #expect(
      form["/fields/tags/options"] == [
        ["value": "a", "label": "a", "group": "A", "more": ["n": 1]], ["value": "b", "label": "b", "disabled": true],
      ]
    )
  }

  @Test func `a disabled choice in a new row is an error until the values become the initial ones`() throws {
    let row: JSON = ["kind": "y", "marks": ["old"]]
    let values: JSON = ["rows": [row]]
    let form = try driver(["rows": [row]])
    #expect(form["/isValid"] == true)
    form.insert("rows", row)
    form.change("rows", [row, row, row])
    let ids = form.order("rows")
    for id in ids[1...] {
      #expect(form["/fields/rows/rows/\(id)/fields/kind/isValid"] == false)
      #expect(form["/fields/rows/rows/\(id)/fields/marks/isValid"] == false)
    }
    #expect(form["/fields/rows/rows/\(ids[0])/isValid"] == true)
    form.move("/rows/#\(ids[0])", to: 2)
    #expect(form["/fields/rows/rows/\(ids[0])/isValid"] == true && form["/isValid"] == false)
    form.reset(keepValues: true)
    #expect(form["/isValid"] == true)
    form.reset()
    #expect(form["/isValid"] == true && form.values != values)
  }

  @Test(
    arguments: [
      (#"{"type": "number", "enum": [1, 2.5]}"#, #"[{"value": 1, "label": "One"}]"#, 1, "One"),
      (#"{"type": "number", "enum": [1, 2.5]}"#, #"{"1": "One"}"#, 1.0, "One"),
      (#"{"type": "number", "enum": [1.0, 2.5]}"#, #"[{"value": 1, "label": "One"}]"#, 1, "One"),
      (#"{"type": "number"}"#, #"[{"value": 2, "label": "Two"}]"#, 2.0, "Two"),
      (#"{"type": "number"}"#, #"[{"value": 2}]"#, 2, "2"), (#"{"type": "number"}"#, #"[{"value": 2.5}]"#, 3, "3"),
      (#"{"type": "number", "oneOf": [{"const": 1, "title": "One"}]}"#, #"{}"#, 1, "One"),
      (#"{"enum": ["1", 1]}"#, #"[{"value": "1", "label": "text"}, {"value": 1, "label": "number"}]"#, 1, "number"),
      (#"{"enum": ["1", 1]}"#, #"[{"value": "1", "label": "text"}, {"value": 1, "label": "number"}]"#, "1", "text"),
      (#"{"enum": ["1", 1]}"#, #"[{"value": 1, "label": "number"}]"#, "1", "1"),
      (#"{"type": "string", "enum": ["a"]}"#, #"{"a": "A"}"#, nil, ""),
      (#"{"type": "integer", "enum": [1]}"#, #"{"1": "One"}"#, nil, ""),
      (#"{"enum": ["", "a"]}"#, #"{"": "None"}"#, nil, "None"),
    ] as [(String, String, JSON?, JSON)]
  )
  func `label is the label of the equal choice`(schema: String, options: String, value: JSON?, label: JSON) throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"x": \(schema)}}, "fields": {"x": {"options": \(options)}},
          "outputs": {"label": "label(values.x)", "text": "'-' + label(values.x)"}}
        """,
      options: OpenOptions(values: value.map { ["x": $0] } ?? [:])
    )
    #expect(form["/outputs/label"] == label && form["/outputs/text"] == .string("-\(label.stringValue ?? "")"))
  }

  @Test(arguments: [
    ("disabled", "'yes'", "\"disabled\" of a choice must be a boolean"),
    ("group", "1", "\"group\" of a choice must be a text"),
    ("help", "[]", "\"help\" of a choice must be a text"),
  ])
  func `a live choice with a member of another type is left out and told`(
    _ name: String,
    _ value: String,
    _ what: String
  ) throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"x": {"type": "string", "maxLength": 9}}},
          "fields": {"x": {"options": "[{'value': 'a', '\(name)': dyn(\(value))}, {'value': 'b', 'icon': 1}]"}}}
        """
    )
    #expect(form["/fields/x/options"] == [["value": "b", "label": "b", "icon": 1]])
    #expect(form.faults.contains { $0.message.contains(what) }, "\(form.faults)")
  }

  @Test func `label knows the choices of a list`() throws {
    let form = try SessionDriver(
      text: #"""
        {"schema": {"type": "object", "properties": {"size": {"type": "integer"}}},
          "fields": {"size": {"options": [{"value": 2, "label": "two"}]}}, "outputs": {"name": "label(values.size)"}}
        """#
    )
    form.change("size", 2)
    #expect(form["/outputs/name"] == "two")
  }
}
