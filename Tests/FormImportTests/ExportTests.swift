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

  /// A form with lists of choices.
  private static let offers: JSON = [
    "form": "order", "locale": "en",
    "schema": [
      "type": "object",
      "properties": [
        "delivery": ["enum": ["post", "air", "ship"], "default": "post"], "city": ["type": "string", "maxLength": 9],
        "size": ["type": "number"], "colour": ["type": "string", "maxLength": 9],
        "kind": ["oneOf": [["const": "a", "title": "First"], ["const": "b", "title": "Second"]]],
        "extras": [
          "type": "array", "maxItems": 5, "default": ["cool"], "items": ["enum": ["gift", "insured", "cool"]],
        ],
      ],
    ],
    "fields": [
      "delivery": [
        "options": [
          ["value": "air", "label": ["en": "By air", "de": "Luft"], "group": "Fast", "disabled": true],
          ["value": "ship", "label": "By <ship>", "group": "Fast", "help": "Slow.", "icon": "ship.svg"],
        ]
      ],
      "city": ["options": [["value": "bern", "label": "Bern"], ["value": "chur", "disabled": true]]],
      "size": ["options": [["value": 1], ["value": 2.5]]],
      "colour": ["options": [["value": "red", "label": "Red"], ["value": "blue", "disabled": true]], "other": true],
      "kind": ["options": [["value": "b", "label": "B"]]],
      "/extras/*": [
        "required": true,
        "options": [["value": "insured", "disabled": true], ["value": "cool", "disabled": true, "group": "Cold"]],
      ],
    ],
  ]

  private func exportOffers(to kind: ExportKind) throws -> (text: String, losses: [String]) {
    let written = try kind.text(of: ImportInput(Array(Self.offers.description.utf8), file: "order.form.json"))
    let losses = written.losses.filter { $0.pointer.tokens.first == "fields" }
    return (written.text, losses.map { "\($0.code.rawValue) \($0.pointer)" })
  }

  @Test func `a page has the labels, the groups, the disabled choices and the suggestions of lists of choices`() throws
  {
    let page = try exportOffers(to: .html)
    for lines in [
      [
        "<option value=\"post\" selected>post</option>", "<optgroup label=\"Fast\">",
        "  <option value=\"air\" disabled>By air</option>", "  <option value=\"ship\">By &lt;ship&gt;</option>",
        "</optgroup>",
      ],
      ["<option value=\"bern\">Bern</option>", "<option value=\"chur\" disabled>chur</option>"],
      ["<option value=\"1\">1</option>", "<option value=\"2.5\">2.5</option>"],
      ["<option value=\"a\">First</option>", "<option value=\"b\">B</option>"],
    ] {
      let text = lines.map { "      \($0)\n" }.joined()
      #expect(page.text.contains(text), "\(text) in \(page.text)")
    }
    #expect(
      page.text.contains(
        """
            <input type="text" id="colour" name="colour" list="colour-options" maxlength="9">
            <datalist id="colour-options">
              <option value="red">Red</option>
              <option value="blue" disabled>blue</option>
            </datalist>

        """
      ),
      "\(page.text)"
    )
    #expect(page.text.contains("name=\"extras\" value=\"gift\"> gift"))
    #expect(page.text.contains("name=\"extras\" value=\"insured\" disabled> insured"))
    #expect(page.text.contains("name=\"extras\" value=\"cool\" checked> cool"))
    #expect(
      page.losses == [
        "otherLanguages /fields/delivery/options/0/label", "presentation /fields/delivery/options/1/help",
        "presentation /fields/delivery/options/1/icon", "presentation /fields/~1extras~1*/options/1/group",
      ]
    )
  }

  @Test(arguments: [ExportKind.zod, .pydantic])
  func `a list of choices is the type of its value, unless it admits others`(kind: ExportKind) throws {
    let written = try exportOffers(to: kind)
    let types =
      kind == .zod
      ? ["z.enum([\"bern\", \"chur\"])", "z.literal([1, 2.5])", "z.string().min(1).max(9)"]
      : ["Literal[\"bern\", \"chur\"]", "_one_of([1, 2.5])", "Annotated[str, Field(min_length=1, max_length=9)]"]
    for type in types { #expect(written.text.contains(type), "\(type) in \(written.text)") }
    let disabled = written.losses.filter { $0.hasPrefix("fieldKey") }
    #expect(disabled.count == 5 && disabled.allSatisfy { $0.hasSuffix("/disabled") }, "\(written.losses)")
    #expect(!written.losses.contains { $0.contains("formula") || $0.contains("other") || $0.hasSuffix("/options") })
    #expect(written.losses.contains("presentation /fields/city/options/0/label"))
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
