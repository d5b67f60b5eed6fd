import JSON
import JSONSchema
import Testing

/// The output formats of the standard (core, section 12).
@Suite struct OutputTests {
  private let document: JSON = [
    "$id": "https://example.com/polygon",
    "$defs": [
      "point": [
        "type": "object", "properties": ["x": ["type": "number"], "y": ["type": "number"]],
        "additionalProperties": false, "required": ["x", "y"],
      ]
    ],
    "type": "array", "items": ["$ref": "#/$defs/point"], "minItems": 3,
  ]
  private let instance: JSON = [["x": 2.5, "y": 1.3], ["x": 1, "z": 6.7]]

  @Test func `flag says only whether it is valid`() throws {
    let schema = try Schema.compile(document)
    #expect(schema.evaluate(instance).output(.flag) == ["valid": false])
    #expect(schema.evaluate([[:]]).output(.flag) == ["valid": false])
  }

  @Test func `basic lists what the example of the standard lists`() throws {
    let output = try Schema.compile(document).evaluate(instance).output(.basic)
    let errors = try #require(output["errors"]?.arrayValue)
    #expect(
      errors.map { "\($0["keywordLocation"]?.stringValue ?? "") \($0["instanceLocation"]?.stringValue ?? "")" } == [
        "/items/$ref/additionalProperties /1/z", "/items/$ref/required /1", "/minItems ",
      ]
    )
    #expect(
      errors.compactMap { $0["absoluteKeywordLocation"]?.stringValue } == [
        "https://example.com/polygon#/$defs/point/additionalProperties",
        "https://example.com/polygon#/$defs/point/required", "https://example.com/polygon#/minItems",
      ]
    )
  }

  @Test func `detailed is a tree in which only children have no company`() throws {
    let output = try Schema.compile(document).evaluate(instance).output(.detailed)
    let errors = try #require(output["errors"]?.arrayValue)
    #expect(errors.map { $0["keywordLocation"]?.stringValue } == ["/items/$ref", "/minItems"])
    #expect(errors.map { $0["instanceLocation"]?.stringValue } == ["/1", ""])
    #expect(
      errors[0]["errors"]?.arrayValue?.map { $0["keywordLocation"]?.stringValue } == [
        "/items/$ref/additionalProperties", "/items/$ref/required",
      ]
    )
  }

  @Test func `basic says once what two ways lead to, and what is to be mended before the alternatives`() throws {
    let schema = try Schema.compile([
      "allOf": [["$ref": "#/$defs/short"], ["$ref": "#/$defs/short"]], "anyOf": [["minLength": 9], ["pattern": "x"]],
      "$defs": ["short": ["maxLength": 1]],
    ])
    let errors = schema.evaluate("abc").output(.basic)["errors"]?.arrayValue
    #expect(
      errors?.map { $0["keywordLocation"]?.stringValue } == ["/allOf/0/$ref/maxLength", "/anyOf/0/minLength", "/anyOf"]
    )
  }

  @Test(arguments: [OutputFormat.basic, .detailed])
  func `a list that is cut says how many more`(format: OutputFormat) throws {
    let schema = try Schema.compile(["items": ["type": "string"]])
    let evaluation = schema.evaluate(.array((0..<30).map { .integer($0) }))
    let output = evaluation.output(format, failuresMax: 10)
    #expect(output["omitted"] == 20)
    #expect(evaluation.output(format)["omitted"] == nil)
    #expect(!evaluation.isCut)
    #expect(schema.evaluate([1, 2, 3], limit: 2).isCut)
  }

  @Test func `annotations of a valid instance are listed and those of failed branches are not`() throws {
    let schema = try Schema.compile([
      "title": "T", "anyOf": [["type": "string", "title": "S"], ["type": "integer", "title": "I"]],
      "x-unknown": [1],
    ])
    let output = schema.evaluate(3).output(.basic)
    let annotations = try #require(output["annotations"]?.arrayValue)
    #expect(Set(annotations.compactMap { $0["annotation"] }) == ["T", "I", [1]])
    #expect(schema.evaluate(true).annotations.isEmpty)
  }

  @Test(arguments: (0..<8).map { UInt64($0) })
  func `every output meets the shape that the standard gives`(seed: UInt64) throws {
    // After the output schema of the specification.
    let shape = try Schema.compile(
      [
        "$ref": "#/$defs/unit",
        "$defs": [
          "unit": [
            "type": "object", "required": ["valid", "keywordLocation", "instanceLocation"],
            "properties": [
              "valid": ["type": "boolean"], "keywordLocation": ["type": "string", "format": "json-pointer"],
              "instanceLocation": ["type": "string", "format": "json-pointer"], "error": ["type": "string"],
              "errors": ["type": "array", "items": ["$ref": "#/$defs/unit"]],
              "annotations": ["type": "array", "items": ["$ref": "#/$defs/unit"]],
            ],
            "if": ["properties": ["valid": ["const": false]]],
            "then": [
              "anyOf": [["required": ["error"]], ["required": ["errors"]]], "properties": ["annotations": false],
            ],
            "else": ["properties": ["errors": false, "error": false]],
          ]
        ],
      ],
      options: CompileOptions(assertsFormat: true)
    )
    var generator = RandomSchemas(seed: seed &+ 5000)
    for _ in 0..<40 {
      let schema = try Schema.compile(generator.document())
      let evaluation = schema.evaluate(.object(generator.object()))
      for format in [OutputFormat.basic, .detailed] {
        let output = evaluation.output(format)
        #expect(shape.failures(of: output).isEmpty, "\(output)")
      }
    }
  }
}
