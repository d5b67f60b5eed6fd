import Forms
import JSON
internal import SourceTexts
import Testing

/// Fields of an earlier version whose values kept sessions lose.
@Suite struct `A new version of a form` {
  private static func form(_ schema: JSON, _ fields: JSON = [:]) throws -> Form {
    let compilation = Form.compile(["form": "t", "schema": schema, "fields": fields])
    return try #require(compilation.form, "\(compilation.diagnostics)")
  }

  private static let old: JSON = [
    "properties": [
      "age": ["type": "integer"], "a": ["type": "object", "properties": ["b": ["type": "string"], "c": [:]]],
      "l": ["type": "array", "items": ["type": "object", "properties": ["x": ["type": "string"], "y": [:]]]],
    ]
  ]

  @Test func `loses nothing of a form that is unchanged`() throws {
    #expect(try Self.form(Self.old).fieldsLost(from: Self.form(Self.old)) == [])
  }

  @Test func `loses fields without a place, and lists the outermost`() throws {
    let new = try Self.form([
      "additionalProperties": false,
      "properties": [
        "l": ["type": "array", "items": ["type": "object", "additionalProperties": false, "properties": ["x": [:]]]]
      ],
    ])
    #expect(new.fieldsLost(from: try Self.form(Self.old)) == ["age", "a", "/l/*/y"])
  }

  @Test func `loses no renamed fields`() throws {
    let new = try Self.form(
      [
        "additionalProperties": false,
        "properties": [
          "years": ["type": "integer"],
          "o": ["type": "object", "additionalProperties": false, "properties": ["d": ["type": "string"], "c": [:]]],
          "rows": ["type": "array", "items": ["type": "object", "properties": ["z": ["type": "string"], "y": [:]]]],
        ],
      ],
      [
        "years": ["renamedFrom": "age"], "o": ["renamedFrom": "a"], "/o/d": ["renamedFrom": "b"],
        "rows": ["renamedFrom": "l"], "/rows/*/z": ["renamedFrom": "x"],
      ]
    )
    #expect(new.fieldsLost(from: try Self.form(Self.old)) == [])
  }

  @Test func `cannot rename a field that it still has`() {
    let compilation = Form.compile([
      "form": "t", "schema": ["properties": ["age": [:], "years": [:]]], "fields": ["years": ["renamedFrom": "age"]],
    ])
    #expect(compilation.form == nil)
    #expect(compilation.diagnostics.map(\.pointer.description) == ["/fields/years/renamedFrom"])
  }
}
