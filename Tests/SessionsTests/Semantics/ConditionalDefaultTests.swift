import Forms
import JSON
import Sessions
internal import SourceTexts
import Testing

/// Defaults in branches of the schema.
@Suite struct `Defaults in branches` {
  /// Branches that hold for `{"kind": "b"}`, and give `x` the default `dflt`.
  static let branches: [String] = [
    ##""if": {"properties": {"kind": {"const": "b"}}, "required": ["kind"]}, "then": {"properties": {"x": {"default": "dflt"}}}"##,
    ##""if": {"properties": {"kind": {"const": "a"}}}, "then": {}, "else": {"properties": {"x": {"default": "dflt"}}}"##,
    ##""allOf": [{"if": {"properties": {"kind": {"const": "b"}}, "required": ["kind"]}, "then": {"$ref": "#/$defs/t"}}]"##,
    ##""oneOf": [{"properties": {"kind": {"const": "a"}}}, {"properties": {"kind": {"const": "b", "default": "b"}, "x": {"default": "dflt"}}, "required": ["kind", "y"]}]"##,
    ##""anyOf": [{"properties": {"kind": {"enum": ["a", "c"]}, "x": {"default": "other"}}, "required": ["kind"]}, {"properties": {"kind": {"enum": ["b", "d"]}, "x": {"default": "dflt"}}, "required": ["kind"]}]"##,
    ##""oneOf": [{"properties": {"kind": {"maxLength": 0}}}, {"properties": {"kind": {"pattern": "^b$"}, "x": {"default": "dflt"}}, "required": ["kind"]}, {"properties": {"kind": {"pattern": "^a"}}, "required": ["kind"]}]"##,
    ##""dependentSchemas": {"kind": {"if": {"properties": {"kind": {"not": {"const": "a"}}}}, "then": {"properties": {"x": {"default": "dflt"}}}}}"##,
  ]

  /// Where the object is whose members are `kind`, `x` and `y`.
  enum Place: String, CaseIterable { case top, object, row }

  private func driver(
    _ branch: String,
    at place: Place,
    x: String = "",
    fields: String = "",
    values: JSONObject = [:]
  ) throws -> SessionDriver {
    let object = """
      {"type": "object", "properties": {"kind": {"type": "string", "maxLength": 5}, "x": {"type": "string", "maxLength": 9\(x)},
        "y": {"type": "string", "maxLength": 5}}, \(branch)}
      """
    let schema =
      switch place {
      case .top: object
      case .object: #"{"properties": {"box": \#(object)}}"#
      case .row: #"{"properties": {"rows": {"type": "array", "maxItems": 5, "items": \#(object)}}}"#
      }
    let defs = #""$defs": {"t": {"properties": {"x": {"default": "dflt"}}}}"#
    return try SessionDriver(
      text: #"{"schema": {\#(defs), "allOf": [\#(schema)]}, "fields": {\#(fields)}}"#,
      options: OpenOptions(values: values)
    )
  }

  private func address(_ name: String, _ place: Place) -> String {
    switch place {
    case .top: name
    case .object: "/box/\(name)"
    case .row: "/rows/#1/\(name)"
    }
  }

  private func value(_ name: String, _ place: Place, _ form: SessionDriver) -> JSON? {
    switch place {
    case .top: form.values[name]
    case .object: form.values["box"]?[name]
    case .row: form.values["rows"]?.arrayValue?.first?[name]
    }
  }

  @Test(arguments: branches, Place.allCases)
  func `take effect while the branch holds, and go with it`(_ branch: String, _ place: Place) throws {
    let form = try driver(branch, at: place)
    if place == .row { form.insert("rows", [:]) }
    let (kind, x) = (address("kind", place), address("x", place))
    form.change(kind, "a")
    #expect(value("x", place, form) == nil || value("x", place, form) == "other")
    form.change(kind, "b")
    #expect(value("x", place, form) == "dflt")
    #expect(form.told.values[x] == "dflt")
    form.change(kind, "a")
    #expect(value("x", place, form) == nil || value("x", place, form) == "other")
    form.change(kind, "b")
    form.change(x, "mine")
    form.change(kind, "a")
    #expect(value("x", place, form) == "mine")
    // A field that the user has emptied stays empty.
    form.change(kind, "b")
    form.change(x, "")
    form.change(kind, "a")
    form.change(kind, "b")
    #expect(value("x", place, form) == nil)
    guard place != .row else { return }
    form.reset()
    #expect(form["/isDirty"] == false)
    form.change(kind, "b")
    #expect(value("x", place, form) == "dflt")
  }

  @Test(arguments: Place.allCases)
  func `replace the default that the schema gives in any case`(_ place: Place) throws {
    let form = try driver(Self.branches[0], at: place, x: #", "default": "any""#)
    if place == .row { form.insert("rows", [:]) }
    let kind = address("kind", place)
    #expect(value("x", place, form) == "any")
    form.change(kind, "b")
    #expect(value("x", place, form) == "dflt")
    form.change(kind, .null)
    #expect(value("x", place, form) == "any")
  }

  @Test func `count as suggested, not as edited, and are normalized and judged`() throws {
    let form = try driver(
      Self.branches[0],
      at: .top,
      x: #", "minLength": 5"#,
      fields: #""x": {"normalize": ["upper"]}"#
    )
    form.change("kind", "b")
    #expect(form.values["x"] == "DFLT" && form.codes("x") == ["minLength"])
    #expect(form["/fields/x/isDirty"] == false && form["/fields/x/isEmpty"] == false)
    form.change("x", "DFLT")
    // An equal value does not end it.
    form.change("kind", "a")
    #expect(form.values["x"] == nil)
  }

  @Test func `leave alone what the session is opened with`() throws {
    let form = try driver(Self.branches[0], at: .top)
    for (values, x) in [
      (["kind": "b"], "dflt"), (["kind": "b", "x": "given"], "given"), (["kind": "b", "x": .null], nil),
    ]
      as [(JSONObject, JSON?)]
    {
      let opened = SessionDriver(form.form, options: OpenOptions(values: values))
      #expect(opened.values["x"] == x && opened["/isDirty"] == false)
      opened.change("x", "other")
      opened.reset()
      #expect(opened.values["x"] == x)
    }
    let validated = SessionDriver(form.form, options: OpenOptions(values: ["kind": "b"], appliesDefaults: false))
    #expect(validated.values == ["kind": "b"])
  }

  @Test func `of objects give their members, from branches around the object too`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"land": {"type": "string"},
           "box": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}},
           "rows": {"type": "array", "maxItems": 3, "items": {"type": "object", "properties": {"unit": {"type": "string"}}}}},
           "if": {"properties": {"land": {"const": "CH"}}, "required": ["land"]},
           "then": {"properties": {"box": {"default": {"a": "x"}, "properties": {"b": {"default": 2}}},
             "rows": {"items": {"properties": {"unit": {"default": "kg"}}}}}}}}
        """
    )
    form.insert("rows", [:], ["unit": "lb"])
    form.change("land", "CH")
    #expect(form.values == ["land": "CH", "box": ["a": "x", "b": 2], "rows": [["unit": "kg"], ["unit": "lb"]]])
    form.insert("rows", [:])
    #expect(form.values["rows"]?.arrayValue?[2] == ["unit": "kg"])
    form.change("land", "DE")
    #expect(form.values == ["land": "DE", "rows": [[:], ["unit": "lb"], [:]]])
  }

  @Test func `of hidden branches, of secrets and with formulas of their own have no effect`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"on": {"type": "boolean"}, "kind": {"type": "string"}, "pin": {"type": "string", "writeOnly": true},
           "x": {"type": "string"}, "y": {"type": "string"}, "z": {"type": "string"}},
           "allOf": [{"if": {"required": ["kind"]}, "then": {"properties": {"x": {"default": "x"}, "y": {"default": "y"}}}},
             {"if": {"properties": {"pin": {"const": "1"}}, "required": ["pin"]}, "then": {"properties": {"z": {"default": "z"}}}}]},
         "fields": {"kind": {"visible": "values.on"}, "y": {"suggested": "'own'"}}}
        """
    )
    form.change("kind", "k")
    form.change("pin", "1")
    #expect(form.values["x"] == nil && form.values["y"] == "own" && form.values["z"] == nil)
    form.change("on", true)
    #expect(form.values["x"] == "x" && form.values["y"] == "own")
  }

  @Test func `come back from a snapshot`() throws {
    let form = try driver(Self.branches[0], at: .row)
    form.insert("rows", ["kind": "b"], ["kind": "b", "x": "given"], ["kind": "b"])
    form.change("/rows/2/x", "mine")
    let restored = try Engine().restore(form.form, from: form.session.snapshot(for: .resuming), at: form.now).session
    #expect(restored.values() == form.values && restored.document == form.kept)
    let engine = Engine()
    for id in [1, 2, 3] {
      let field = try restored.resolve("/rows/#\(id)/kind")
      _ = engine.apply(
        .change([FieldChange(row: field.row, field: field.field ?? 0, value: "a")]),
        to: restored,
        at: form.now
      )
    }
    #expect(
      restored.values()["rows"] == [["kind": "a"], ["kind": "a", "x": "given"], ["kind": "a", "x": "mine"]]
    )
  }

  @Test func `a default of rows in a branch is reported`() {
    let compilation = Form.compile([
      "form": "f",
      "schema": [
        "properties": ["k": [:], "rows": ["type": "array", "items": ["properties": ["a": [:]]]]],
        "if": ["required": ["k"]], "then": ["properties": ["rows": ["default": [["a": 1]]]]],
      ],
    ])
    let warnings = compilation.diagnostics.filter { $0.code == "default" }
    #expect(warnings.count == 1 && warnings.first?.severity == .warning && compilation.form != nil)
  }

  @Test func `a union whose branches a constant tells apart reads nothing else`() throws {
    let form = try SessionDriver(
      text: ##"""
        {"schema": {"type": "object", "properties": {"kind": {"type": "string", "maxLength": 5},
            "timeout": {"type": "integer"}, "note": {"type": "string", "maxLength": 9}},
          "oneOf": [{"properties": {"kind": {"const": "a"}, "timeout": {"default": 30}, "note": {"minLength": 1}}},
                    {"properties": {"kind": {"const": "b"}, "timeout": {"default": 5}}}]},
         "fields": {"note": {"visible": "values.timeout > 10"}}}
        """##
    )
    form.change("kind", "a")
    #expect(form.values["timeout"] == 30)
    form.change("kind", "b")
    #expect(form.values["timeout"] == 5)
  }

  @Test func `a default inside the object that decides its branch has no effect`() throws {
    let form = try SessionDriver(
      text: ##"""
        {"schema": {"type": "object", "properties": {"o": {"type": "object", "properties": {
            "mode": {"type": "string", "maxLength": 5}, "speed": {"type": "integer"}}}},
          "if": {"properties": {"o": {"properties": {"mode": {"const": "fast"}}, "required": ["mode"]}}},
          "then": {"properties": {"o": {"properties": {"speed": {"default": 9}}}}}}}
        """##
    )
    #expect(form.values["o"] == nil)
    form.change("/o/mode", "slow")
    #expect(form.values["o"] == ["mode": "slow"])
  }

  @Test(arguments: [
    ##""oneOf": [{"properties": {"kind": {"const": "a", "default": "a"}, "x": {"default": "A"}}}, {"properties": {"kind": {"const": "b", "default": "b"}, "x": {"default": "dflt"}}}]"##,
    ##""oneOf": [{"properties": {"kind": {"enum": ["a", "c"], "default": "a"}, "x": {"default": "A"}}}, {"properties": {"kind": {"enum": ["b", "d"], "default": "d"}, "x": {"default": "dflt"}}}]"##,
  ])
  func `a default of the member that chooses the branch decides nothing`(_ branch: String) throws {
    let form = try driver(branch, at: .top)
    #expect(form.values == [:])
    form.change("kind", "b")
    #expect(form.values == ["kind": "b", "x": "dflt"])
    form.change("kind", "a")
    #expect(form.values == ["kind": "a", "x": "A"])
  }

  @Test func `a constant may have a default, too`() throws {
    let form = try driver(
      ##""if": {"properties": {"kind": {"const": "b"}}, "required": ["kind"]}, "then": {"properties": {"x": {"const": "dflt", "default": "dflt"}}}"##,
      at: .top
    )
    form.change("kind", "b")
    #expect(form.values == ["kind": "b", "x": "dflt"])
  }

  @Test(arguments: [Place.object, .row])
  func `an object that is null stays null until it gets a value`(_ place: Place) throws {
    let form = try driver(
      ##""if": {"properties": {"kind": {"const": "a"}}, "required": ["kind"]}, "else": {"properties": {"x": {"default": "dflt"}}}"##,
      at: place
    )
    if place == .row { form.insert("rows", [:]) }
    let whole = place == .object ? "box" : "/rows/#1"
    form.change(address("kind", place), "b")
    #expect(value("x", place, form) == "dflt")
    for absent in [JSON.null, [:], .null] {
      form.change([whole: absent])
      #expect(value("x", place, form) == (absent == .null ? nil : "dflt"))
    }
    let restored = try Engine().restore(form.form, from: form.session.snapshot(for: .keeping), at: form.now).session
    #expect(restored.values() == form.values)
    form.change(address("y", place), "y")
    #expect(value("x", place, form) == "dflt")
    form.reset()
    #expect(value("x", place, form) == (place == .object ? "dflt" : nil))
  }

  @Test func `an object that the session is opened with as null is null again after a reset`() throws {
    let form = try driver(Self.branches[1], at: .object, values: ["box": .null])
    #expect(form.values == [:])
    form.change("/box/kind", "b")
    #expect(form.values == ["box": ["kind": "b", "x": "dflt"]])
    form.reset()
    #expect(form.values == [:] && form["/isDirty"] == false)
  }

  @Test func `a field that was emptied stays empty if a new version of the form has a default for it`() throws {
    let old = try driver(##""title": "old""##, at: .top)
    old.change("kind", "b")
    let new = try driver(Self.branches[0], at: .top).form
    let untouched = try Engine().restore(new, from: old.session.snapshot(for: .keeping), at: old.now).session
    #expect(untouched.values() == ["kind": "b", "x": "dflt"])
    old.change("x", "mine")
    old.change("x", "")
    let emptied = try Engine().restore(new, from: old.session.snapshot(for: .keeping), at: old.now).session
    #expect(emptied.values() == ["kind": "b"])
  }

  @Test(arguments: [
    ##"{"anyOf": [{"type": "string", "default": "x", "maxLength": 5}, {"type": "integer"}]}"##,
    ##"{"type": "string", "if": {"minLength": 2}, "then": {"default": "xxx"}}"##,
    ##"{"anyOf": [{"enum": ["a", "c"], "default": "a"}, {"const": "b"}]}"##,
    ##"{"properties": {"a": {"type": "string"}}, "if": {"required": ["a"]}, "then": {"default": {"a": "b"}}}"##,
  ])
  func `a default whose branch is about the value itself has no effect`(_ schema: String) throws {
    for outer in [
      schema, #"{"type": "object", "properties": {"b": \#(schema)}}"#,
      #"{"type": "array", "maxItems": 3, "items": {"type": "object", "properties": {"b": \#(schema)}}}"#,
    ] {
      let form = try SessionDriver(text: #"{"schema": {"properties": {"b": \#(outer)}}}"#)
      #expect(form.values == [:])
    }
  }

  @Test func `the default of the only branch beside null is the default`() throws {
    let text =
      ##"{"schema": {"properties": {"b": {"anyOf": [{"type": "string", "default": "x"}, {"type": "null"}]}}}}"##
    #expect(try SessionDriver(text: text).values == ["b": "x"])
    let schema: JSON = ["properties": ["b": ["anyOf": [["type": "string", "default": "x"], ["type": "null"]]]]]
    #expect(Form.compile(["form": "f", "schema": schema]).diagnostics.filter { $0.code == "default" }.isEmpty)
  }

  @Test func `a constant of the value itself may have a default`() throws {
    let form = try SessionDriver(
      text: ##"{"schema": {"properties": {"b": {"anyOf": [{"const": "a", "default": "a"}, {"const": "b"}]}}}}"##
    )
    #expect(form.values == [:])
  }

  @Test func `a default of one branch is not judged by another`() {
    let compilation = Form.compile([
      "form": "f",
      "schema": [
        "properties": ["size": [:], "zip": ["type": "string"]],
        "oneOf": [
          ["properties": ["kind": ["const": "a", "default": "a"], "size": ["type": "integer", "default": 5]]],
          ["properties": ["kind": ["const": "b", "default": "b"], "size": ["type": "string", "default": "m"]]],
        ],
        "if": ["required": ["zip"]], "then": ["properties": ["zip": ["default": "1", "maxLength": 2]]],
        "else": ["properties": ["zip": ["default": "12345", "minLength": 4]]],
        "anyOf": [
          ["properties": ["owner": ["type": "string", "readOnly": true]]], ["required": ["kind"]],
        ],
      ],
    ])
    #expect(compilation.diagnostics.filter { ["default", "readOnly"].contains($0.code) }.isEmpty)
  }

  @Test func `a default that its schema refuses, and readOnly in a branch, are reported`() {
    let compilation = Form.compile([
      "form": "f",
      "schema": [
        "properties": [
          "kind": ["type": "string"], "x": ["type": "string"],
          "rows": [
            "type": "array", "maxItems": 2,
            "items": [
              "properties": ["n": [:]],
              "dependentSchemas": ["m": ["properties": ["n": ["type": "integer", "default": "many"]]]],
            ],
          ],
        ],
        "if": ["required": ["kind"]],
        "then": ["properties": ["x": ["default": "long", "maxLength": 3, "readOnly": true]]],
      ],
    ])
    let reported = compilation.diagnostics.map { "\($0.severity) \($0.code) \($0.pointer)" }
    #expect(
      Set(reported) == [
        "warning default /schema/properties/rows/items/dependentSchemas/m/properties/n/default",
        "warning default /schema/then/properties/x/default", "warning readOnly /schema/then/properties/x/readOnly",
      ]
    )
  }
}
