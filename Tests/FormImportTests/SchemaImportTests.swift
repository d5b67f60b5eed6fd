import FormImport
import Forms
import JSON
import SourceTexts
import Testing

struct SchemaImportTests {
  /// The form of a schema, and the codes of its losses.
  private func form(_ schema: JSON, component: String? = nil) throws -> (JSON, [String]) {
    let input = ImportInput(Array(schema.description.utf8), file: "f.json")
    let form = try ImportKind.schema.form(of: [input], options: ImportOptions(component: component))
    return (form.definition, form.losses.map { "\($0.kind.rawValue) \($0.code.rawValue) \($0.pointer)" })
  }

  /// The schema of the only member, and the codes of the losses.
  private func member(_ schema: JSON, isRequired: Bool = false) throws -> (JSON?, [String]) {
    let (definition, losses) = try form([
      "type": "object", "properties": ["a": schema], "required": isRequired ? ["a"] : [],
    ])
    return (definition["schema"]?["properties"]?["a"], losses)
  }

  @Test func `an optional value does not admit null`() throws {
    let (schema, losses) = try member([
      "anyOf": [["type": "string"], ["type": "null"]], "default": .null, "title": "A",
    ])
    #expect(schema == ["title": "A", "type": "string"])
    #expect(losses == [])
  }

  @Test func `a required value keeps null, and so does one with another default`() throws {
    let nullable: JSON = ["anyOf": [["type": "string"], ["type": "null"]]]
    #expect(
      try member(nullable, isRequired: true).0 == ["title": "A", "anyOf": [["type": "string"], ["type": "null"]]]
    )
    let (schema, _) = try member(["type": ["string", "null"], "default": "x"])
    #expect(schema == ["title": "A", "type": ["string", "null"], "default": "x"])
  }

  @Test(
    arguments: [
      (["type": "string"], true), (["$ref": "#/$defs/N"], false), (["enum": ["a"]], true), ([:], false),
      (["type": ["integer", "null"]], false), (["anyOf": [["type": "object"], ["type": "null"]]], false),
      (["allOf": [["$ref": "#/$defs/N"], ["minLength": 1]]], false), (["oneOf": [["const": 1], ["const": 2]]], true),
      (["enum": ["a", .null]], false),
    ] as [(JSON, Bool)]
  )
  func `the elements of a list have values, unless null is one`(items: JSON, isRequired: Bool) throws {
    let (definition, _) = try form([
      "type": "object", "properties": ["a": ["type": "array", "items": items]],
      "$defs": ["N": ["anyOf": [["type": "string"], ["type": "null"]]]],
    ])
    #expect((definition["fields"]?["/a/*"]?["required"] == true) == isRequired)
  }

  @Test(arguments: [
    ("pw", "Pw", "Password"), ("firstName", "Firstname", "First name"), ("user_id", "User Id", "User ID"),
    ("mail", "E-mail address", "E-mail address"), ("HTTPServer", "Httpserver", "HTTP server"),
  ])
  func `titles that a program made become readable`(name: String, title: String, label: String) throws {
    let (definition, _) = try form([
      "type": "object", "properties": [name: ["type": "string", "title": .string(title)]],
    ])
    #expect(definition["schema"]?["properties"]?[name]?["title"] == .string(label))
  }

  @Test func `alternatives with a tag are a choice with sections`() throws {
    let (definition, losses) = try form([
      "type": "object",
      "properties": [
        "pay": [
          "oneOf": [["$ref": "#/$defs/Card"], ["$ref": "#/$defs/Cash"]], "discriminator": ["propertyName": "by"],
        ]
      ],
      "$defs": [
        "Card": [
          "type": "object", "required": ["by", "number"],
          "properties": ["by": ["const": "card"], "number": ["type": "string"], "note": ["type": "string"]],
        ],
        "Cash": [
          "type": "object", "required": ["by"],
          "properties": ["by": ["const": "cash"], "note": ["type": "string"]],
        ],
      ],
    ])
    #expect(losses == [])
    #expect(
      definition["fields"] == [
        "/pay/by": ["options": ["card": "Card", "cash": "Cash"]],
        "/pay/number": ["visible": "values.pay.by == 'card'", "required": true],
      ]
    )
    let pay = definition["schema"]?["properties"]?["pay"]
    #expect(pay?["properties"] == ["by": ["title": "By", "enum": ["card", "cash"]]])
    #expect(pay?["required"] == ["by"])
    #expect(definition["schema"]?["$defs"]?.objectValue?.names == ["Card", "Cash"])
  }

  @Test func `a number or a text of digits is a number`() throws {
    let (definition, losses) = try form([
      "type": "object",
      "properties": ["p": ["anyOf": [["type": "number", "minimum": 0], ["type": "string", "pattern": "^[0-9.]+$"]]]],
    ])
    #expect(definition["schema"]?["properties"]?["p"] == ["title": "P", "type": "number", "minimum": 0])
    #expect(definition["fields"] == ["p": ["coerce": true]])
    #expect(losses == ["assumed decimalAsNumber /properties/p/anyOf"])
  }

  @Test func `pydantic's decimal number is a number, and a whole number or a text stays`() throws {
    #expect(
      try member(["anyOf": [["type": "number"], ["type": "string"]]]).1 == [
        "assumed decimalAsNumber /properties/a/anyOf"
      ]
    )
    #expect(
      try member(["anyOf": [["type": "integer"], ["type": "string"]]]).1 == ["assumed severalTypes /properties/a/anyOf"]
    )
  }

  @Test func `a secret has no default, and is a secret by its format, too`() throws {
    let (schema, losses) = try member(["type": "string", "format": "password", "default": "**"])
    #expect(schema == ["title": "A", "type": "string", "format": "password", "writeOnly": true])
    #expect(losses == ["assumed secretDefault /properties/a/default"])
  }

  @Test func `an example is the placeholder`() throws {
    let (definition, _) = try form(["type": "object", "properties": ["a": ["type": "string", "examples": ["Kim"]]]])
    #expect(definition["fields"] == ["a": ["placeholder": "Kim"]])
  }

  @Test(
    arguments: [
      (
        ["type": "object", "additionalProperties": ["type": "string"]],
        "unsupported openObject /properties/a/additionalProperties"
      ),
      (["type": "array", "prefixItems": [["type": "string"]]], "unsupported tuple /properties/a/prefixItems"),
      (["type": "array"], "unsupported untypedList /properties/a"),
      (["$ref": "https://example.com/a.json"], "unsupported reference /properties/a/$ref"),
      (["type": "string", "pattern": "(?i)x"], "unsupported pattern /properties/a/pattern"),
      (["type": "string", "contentMediaType": "image/png"], "unsupported file /properties/a/contentMediaType"),
      (["type": "string", "contentMediaType": "application/json"], "assumed content /properties/a/contentMediaType"),
      (["type": "string", "format": "hex"], "unknown unknownFormat /properties/a/format"),
      (["type": "string", "minLenght": 3], "unknown unknownKey /properties/a/minLenght"),
      (["type": ["string", "number"]], "assumed severalTypes /properties/a/type"),
      (["type": "string", "deprecated": true], "assumed deprecated /properties/a/deprecated"),
      (["type": "string", "minLength": "x"], "unsupported refused /properties/a/minLength"),
      (5, "unknown wrongType /properties/a"),
      (
        [
          "oneOf": [
            ["type": "object", "properties": ["b": ["type": "string"]]],
            ["type": "object", "properties": ["c": ["type": "string"]]],
          ]
        ],
        "unsupported untaggedUnion /properties/a/oneOf"
      ),
    ] as [(JSON, String)]
  )
  func `what a form does not have is reported`(schema: JSON, loss: String) throws {
    let (definition, losses) = try form(["type": "object", "properties": ["a": schema, "b": ["type": "string"]]])
    #expect(losses.contains(loss), "\(losses) \(definition)")
  }

  @Test func `patterns of Python are written in ECMA-262`() throws {
    #expect(try member(["type": "string", "pattern": #"\Aa\-b\Z"#]).0?["pattern"] == "^a-b$")
    #expect(try member(["type": "string", "pattern": "(?P<x>a)"]).0?["pattern"] == "(?<x>a)")
  }

  @Test func `earlier drafts become draft 2020-12`() throws {
    let (definition, losses) = try form([
      "$schema": "http://json-schema.org/draft-04/schema#", "type": "object",
      "definitions": ["t": ["type": "string"]],
      "properties": [
        "n": ["type": "number", "minimum": 0, "exclusiveMinimum": true],
        "r": ["$ref": "#/definitions/t", "maxLength": 1],
      ],
      "dependencies": ["n": ["r"]],
    ])
    #expect(losses == [])
    let schema = definition["schema"]
    #expect(schema?["properties"]?["n"] == ["title": "N", "type": "number", "exclusiveMinimum": 0])
    #expect(schema?["properties"]?["r"] == ["$ref": "#/$defs/t", "title": "R"])
    #expect(schema?["dependentRequired"] == ["n": ["r"]])
    #expect(schema?["$defs"] == ["t": ["type": "string"]])
  }

  @Test func `a member of a condition is there while the condition holds`() throws {
    let (definition, losses) = try form([
      "type": "object", "properties": ["kind": ["enum": ["a", "b"]]],
      "if": ["properties": ["kind": ["const": "a"]], "required": ["kind"]],
      "then": ["properties": ["x": ["type": "string"]], "required": ["x"]],
      "dependentSchemas": ["kind": ["properties": ["y": ["type": "string"]]]],
    ])
    #expect(losses == [])
    #expect(
      definition["fields"] == [
        "x": ["visible": "values.kind == 'a' && !fields.kind.isEmpty", "required": true],
        "y": ["visible": "!fields.kind.isEmpty"],
      ]
    )
  }

  @Test func `a component is chosen by its name`() throws {
    let document: JSON = [
      "openapi": "3.1.0",
      "components": [
        "schemas": [
          "A": ["type": "object", "properties": ["b": ["$ref": "#/components/schemas/B"]]],
          "B": ["type": "object", "properties": ["c": ["type": "string"]]],
        ]
      ],
    ]
    let (definition, losses) = try form(document, component: "A")
    #expect(losses == [])
    #expect(definition["schema"]?["properties"]?["b"] == ["$ref": "#/$defs/B", "title": "B"])
    #expect(throws: UnreadableInput.self) { try form(document) }
    #expect(throws: UnreadableInput.self) { try form(document, component: "C") }
  }

  @Test func `OpenAPI 3_0 has nullable`() throws {
    let (definition, losses) = try form([
      "openapi": "3.0.3",
      "components": [
        "schemas": [
          "A": ["type": "object", "required": ["b"], "properties": ["b": ["type": "string", "nullable": true]]]
        ]
      ],
    ])
    #expect(losses == [])
    #expect(definition["schema"]?["properties"]?["b"] == ["title": "B", "type": ["string", "null"]])
  }

  @Test(arguments: [true, false])
  func `a component of OpenAPI admits null by x-nullable, too`(isSwagger: Bool) throws {
    let schemas: JSON = [
      "A": [
        "type": "object", "required": ["b", "c"],
        "properties": ["b": ["type": "string", "x-nullable": true], "c": ["enum": ["x"], "x-nullable": true]],
      ]
    ]
    let document: JSON =
      isSwagger
      ? ["swagger": "2.0", "definitions": schemas] : ["openapi": "3.0.3", "components": ["schemas": schemas]]
    let (definition, losses) = try form(document)
    #expect(losses == [])
    #expect(definition["schema"]?["properties"]?["b"]?["type"] == ["string", "null"])
    #expect(definition["schema"]?["properties"]?["c"]?["anyOf"] == [["enum": ["x"]], ["type": "null"]])
  }

  @Test func `nullable counts only where a program knows it`() throws {
    let (schema, losses) = try member(["type": "string", "nullable": true], isRequired: true)
    #expect(schema == ["title": "A", "type": "string"])
    #expect(losses == ["unknown unknownKey /properties/a/nullable"])
  }

  private static let requests: JSON = [
    "openapi": "3.1.0",
    "paths": [
      "/users": [
        "post": [
          "operationId": "addUser",
          "requestBody": [
            "content": [
              "text/plain": ["schema": ["type": "string"]],
              "application/json": ["schema": ["type": "object", "properties": ["a": ["type": "string"]]]],
            ]
          ],
        ],
        "put": ["requestBody": ["$ref": "#/components/requestBodies/U"]],
        "get": ["responses": [:]],
      ]
    ],
    "components": [
      "requestBodies": ["U": ["content": ["application/json": ["schema": ["$ref": "#/components/schemas/U"]]]]],
      "schemas": [
        "U": ["type": "object", "properties": ["u": ["type": "string"], "v": ["x": 1]]], "V": ["type": "string"],
      ],
    ],
  ]

  @Test(
    arguments: [
      ("addUser", "a", nil), ("post /users", "a", nil), ("POST /users", "a", nil),
      ("PUT /users", "u", "unknown unknownKey /components/schemas/U/properties/v/x"),
    ] as [(String, String, String?)]
  )
  func `a request's body is chosen by its operationId, or its method and path`(
    name: String,
    member: String,
    loss: String?
  ) throws {
    let (definition, losses) = try form(Self.requests, component: name)
    #expect(definition["schema"]?["properties"]?[member]?["type"] == "string")
    #expect(loss.map { losses.contains($0) } ?? losses.isEmpty)
  }

  @Test func `an error names the components and the requests`() throws {
    let input = ImportInput(Array(Self.requests.description.utf8), file: "f.json")
    for name in [nil, "GET /users"] {
      let options = ImportOptions(component: name)
      do throws(UnreadableInput) {
        _ = try ImportKind.schema.form(of: [input], options: options)
        Issue.record("a form")
      } catch {
        let remedy = error.diagnostics[0].remedy ?? ""
        #expect(remedy.contains("the components are: U, V; the requests are: addUser, PUT /users"))
      }
    }
  }

  @Test(arguments: ["f.json", "f.yaml"])
  func `an integer of more than 64 bits becomes a number with a fraction, and is reported`(file: String) throws {
    let text = "{\"properties\": {\"a\": {\"type\": \"integer\", \"maximum\": 18446744073709551615}}}"
    let form = try ImportKind.schema.form(of: [ImportInput(Array(text.utf8), file: file)])
    #expect(form.losses.map { "\($0.code) \($0.pointer)" } == ["largeInteger /properties/a/maximum"])
    #expect(form.definition["schema"]?["properties"]?["a"]?["maximum"] == .real(18_446_744_073_709_551_616))
    #expect(Form.compile(Array(form.definition.description.utf8)).form != nil)
  }

  @Test func `what only the service writes is not required`() throws {
    let (definition, losses) = try form([
      "type": "object", "required": ["id", "name"],
      "properties": ["id": ["type": "integer", "readOnly": true], "name": ["type": "string"]],
    ])
    #expect(definition["schema"]?["required"] == ["name"])
    #expect(losses == ["assumed readOnlyRequired /properties/id"])
  }

  private static let cat: JSON = [
    "type": "object", "required": ["kind", "name"],
    "properties": [
      "kind": ["const": "cat"], "name": ["type": "string"], "lives": ["type": "integer", "default": 9],
    ],
  ]

  @Test func `defaults and constants of an optional object follow its first value`() throws {
    let (definition, losses) = try form([
      "type": "object", "required": ["own"],
      "properties": ["own": ["$ref": "#/$defs/Cat"], "other": ["anyOf": [["$ref": "#/$defs/Cat"], ["type": "null"]]]],
      "$defs": ["Cat": Self.cat],
    ])
    #expect(losses == [])
    let isThere = "!fields['/other/name'].isEmpty"
    #expect(definition["fields"]?["/other/kind"]?["suggested"] == .string("\(isThere) ? 'cat' : null"))
    #expect(definition["fields"]?["/other/lives"]?["suggested"] == .string("\(isThere) ? 9 : null"))
    #expect(definition["fields"]?["/own/kind"] == nil)
    #expect(definition["schema"]?["$defs"]?["Cat"]?["properties"]?["kind"]?["default"] == "cat")
  }

  @Test func `an optional object of defaults alone is always sent, and that is reported`() throws {
    let settings: JSON = ["type": "object", "properties": ["size": ["type": "integer", "default": 1]]]
    let (_, losses) = try member(settings)
    #expect(losses == ["assumed optionalObject /properties/a/properties"])
    #expect(try member(settings, isRequired: true).1 == [])
  }

  @Test func `null stays in values that are no fields`() throws {
    let note: JSON = ["anyOf": [["type": "string"], ["type": "null"]], "default": .null]
    let (definition, _) = try form([
      "$ref": "#/$defs/Node",
      "$defs": [
        "Node": [
          "type": "object",
          "properties": [
            "next": ["anyOf": [["$ref": "#/$defs/Node"], ["type": "null"]], "default": .null],
            "open": ["type": "object", "additionalProperties": ["$ref": "#/$defs/Item"]],
            "free": ["$ref": "#/$defs/Field"],
          ],
        ],
        "Item": ["type": "object", "properties": ["note": note]],
        "Field": ["type": "object", "properties": ["note": note]],
      ],
    ])
    let definitions = definition["schema"]?["$defs"]
    #expect(definitions?["Node"]?["properties"]?["next"]?["anyOf"]?.arrayValue?.count == 2)
    #expect(definitions?["Item"]?["properties"]?["note"]?["anyOf"]?.arrayValue?.count == 2)
    // The inner node is a value without fields, and its member is in it.
    #expect(definitions?["Field"]?["properties"]?["note"]?["anyOf"]?.arrayValue?.count == 2)
  }

  @Test func `a schema of no object is one field`() throws {
    let (definition, losses) = try form(["type": "array", "items": ["type": "string"]])
    #expect(definition["schema"]?["properties"]?["value"]?["type"] == "array")
    #expect(losses == ["assumed wrapped "])
  }

  @Test func `a text that is not JSON gives no form`() throws {
    let input = ImportInput(Array("{".utf8), file: "f.json")
    #expect(throws: UnreadableInput.self) { try ImportKind.schema.form(of: [input]) }
  }

  @Test func `YAML is read by the file's name`() throws {
    let input = ImportInput(Array("type: object\nproperties: {a: {type: string}}\n".utf8), file: "f.yaml")
    let form = try ImportKind.schema.form(of: [input])
    #expect(form.definition["form"] == "f")
    #expect(form.definition["schema"]?["properties"]?["a"] == ["title": "A", "type": "string"])
  }

  @Test(arguments: [true, false])
  func `a discriminator gives alternatives without constants their constants`(hasMapping: Bool) throws {
    func alternative(_ name: String) -> JSON {
      ["allOf": [["$ref": "#/$defs/Base"], ["type": "object", "properties": [name: ["type": "string"]]]]]
    }
    let mapping: JSON = ["card": "#/$defs/Card", "cash": "Cash"]
    let discriminator: JSON =
      hasMapping ? ["propertyName": "type", "mapping": mapping] : ["propertyName": "type"]
    let (definition, losses) = try form([
      "type": "object",
      "properties": [
        "pay": ["oneOf": [["$ref": "#/$defs/Card"], ["$ref": "#/$defs/Cash"]], "discriminator": discriminator]
      ],
      "$defs": [
        "Base": ["type": "object", "required": ["type"], "properties": ["type": ["type": "string"]]],
        "Card": alternative("number"), "Cash": alternative("note"),
      ],
    ])
    #expect(losses == [])
    let tag = definition["schema"]?["properties"]?["pay"]?["properties"]?["type"]
    #expect(tag?["enum"] == (hasMapping ? ["card", "cash"] : ["Card", "Cash"]))
    #expect(definition["fields"]?["/pay/number"]?["visible"] != nil)
    #expect(Form.compile(definition).errorCount == 0)
  }

  @Test func `a discriminator that tells nothing apart is a loss`() throws {
    let (_, losses) = try form([
      "type": "object",
      "properties": [
        "pay": [
          "oneOf": [["type": "object", "properties": ["a": ["type": "string"]]], ["type": "object"]],
          "discriminator": ["propertyName": "type"],
        ]
      ],
    ])
    #expect(losses.contains("unsupported untaggedUnion /properties/pay/discriminator"))
  }
}
