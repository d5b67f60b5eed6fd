import JSON
import JSONSchema
import Randomness
import Testing

/// Numbers are compared and divided in their written decimal form, not as binary fractions.
@Suite struct NumberTests {
  private static let huge = JSON.integer(9_223_372_036_854_775_807)

  @Test(
    arguments: [
      (["multipleOf": 0.01], 19.99, true), (["multipleOf": 0.01], 19.995, false), (["multipleOf": 0.1], 0.3, true),
      (["multipleOf": 0.0001], 0.0075, true), (["multipleOf": 0.00000001], 12_391_239_123, true),
      (["multipleOf": 1.5], 4.5, true), (["multipleOf": 1.5], 4, false), (["multipleOf": 3], -9, true),
      (["multipleOf": 2], 7, false), (["multipleOf": 2], 0, true), (["multipleOf": 0.5], 1e308, true),
      (["multipleOf": 0.123456789], 1e308, false), (["multipleOf": 1e300], 1e308, true),
      (["multipleOf": 1e-300], 5e-301, false), (["multipleOf": 7], huge, true), (["multipleOf": 10], 1e20, true),
      (["multipleOf": 3], 1e20, false), (["multipleOf": 0.1], "x", true),
      (["type": "integer"], 1.0, true), (["type": "integer"], 1.5, false), (["type": "integer"], 1e300, true),
      (["type": "number"], 1, true), (["type": "integer"], "1", false),
      (["maximum": 9_007_199_254_740_992.0], 9_007_199_254_740_993, false),
      (["minimum": 9_007_199_254_740_993], 9_007_199_254_740_992.0, false),
      (["maximum": 9_223_372_036_854_775_807], 9.3e18, false), (["minimum": -9.3e18], .integer(Int64.min), true),
      (["exclusiveMaximum": 9_223_372_036_854_775_808.0], huge, true), (["exclusiveMinimum": 3.5], 4, true),
      (["exclusiveMinimum": 3.5], 3, false), (["exclusiveMinimum": 3], 3.0, false), (["minimum": 3], 3.0, true),
      (["exclusiveMaximum": -3.5], -4, true), (["exclusiveMaximum": -3.5], -3, false),
      (["const": 1], 1.0, true), (["const": 0], -0.0, true), (["enum": [false]], 0, false), (["const": true], 1, false),
      (["uniqueItems": true], [1, 1.0], false), (["uniqueItems": true], [1, true], true),
      (["uniqueItems": true], [["a": 1, "b": 2], ["b": 2, "a": 1.0]], false),
    ] as [(JSON, JSON, Bool)]
  )
  func `exact numbers`(schema: JSON, instance: JSON, isValid: Bool) throws {
    #expect(try Schema.compile(schema).validate(instance) == isValid)
  }

  @Test(arguments: [-1, 0, 1])
  func `a multiple of a random decimal is one and its neighbours are not`(neighbour: Int64) throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let places = Int.random(in: 0...6, using: &random)
      let divisor = Int64.random(in: 2...9999, using: &random)
      let value = divisor * Int64.random(in: 0...100_000, using: &random) + neighbour
      func decimal(_ digits: Int64) throws -> JSON { try JSON(parsing: "\(digits)e-\(places)") }
      let schema = try Schema.compile(["multipleOf": decimal(divisor)])
      #expect(schema.validate(try decimal(value)) == (neighbour == 0), "\(value) \(divisor) e-\(places)")
    }
  }

  /// Schema and instance are texts, read with exact numbers.
  @Test(
    arguments: [
      (#"{"maximum": 9223372036854775808}"#, "9223372036854775808", true),
      (#"{"maximum": 9223372036854775808}"#, "9223372036854775809", false),
      (#"{"maximum": 9223372036854775808}"#, "9223372036854775807", true),
      (#"{"exclusiveMaximum": 9223372036854775808}"#, "9223372036854775808.0", false),
      (#"{"minimum": -1e400}"#, "-1.1e400", false), (#"{"minimum": -1e400}"#, "-1e308", true),
      (#"{"exclusiveMinimum": 1e-400}"#, "0", false), (#"{"exclusiveMinimum": 0}"#, "1e-400", true),
      (#"{"maximum": 1}"#, "1.00000000000000000001", false), (#"{"maximum": 1.5}"#, "1.50000000000000000001", false),
      (#"{"const": 12345678901234567890}"#, "12345678901234567890", true),
      (#"{"const": 12345678901234567890}"#, "1.234567890123456789e19", true),
      (#"{"const": 12345678901234567890}"#, "12345678901234567891", false),
      (#"{"enum": [1, 2, 3, 4, 5, 6, 7, 8, 9, 12345678901234567890]}"#, "12345678901234567890.0", true),
      (#"{"type": "integer"}"#, "12345678901234567890", true), (#"{"type": "integer"}"#, "1e400", true),
      (#"{"type": "integer"}"#, "1.00000000000000000001", false), (#"{"type": "number"}"#, "1e400", true),
      (#"{"type": "string"}"#, "1e400", false), (#"{"uniqueItems": true}"#, "[1e400, 10e399]", false),
      (#"{"uniqueItems": true}"#, "[12345678901234567890, 12345678901234567891]", true),
      (#"{"multipleOf": 3}"#, "12345678901234567890", true), (#"{"multipleOf": 3}"#, "12345678901234567891", false),
      (#"{"multipleOf": 3}"#, "1e400", false), (#"{"multipleOf": 64}"#, "1e400", true),
      (#"{"multipleOf": 0.5}"#, "1e400", true),
      (#"{"multipleOf": 98765432109876543210}"#, "12193263113702179522374638011112635269", false),
      (#"{"multipleOf": 98765432109876543210}"#, "12193263113702179522374638011112635260", false),
      (#"{"multipleOf": 98765432109876543210}"#, "9754610579850634183949093312606157600", true),
      (#"{"multipleOf": 1e-400}"#, "1", true), (#"{"multipleOf": 3e-400}"#, "1", false),
      (#"{"multipleOf": 1e400}"#, "1", false), (#"{"minLength": 1e400}"#, "\"x\"", false),
      (#"{"maxLength": 98765432109876543210}"#, "\"x\"", true),
    ] as [(String, String, Bool)]
  )
  func `numbers of any length`(schema: String, instance: String, isValid: Bool) throws {
    let schema = try Schema.compile(try JSON(parsing: schema, numbers: .exact))
    let value = try JSON(parsing: instance, numbers: .exact)
    #expect(schema.validate(value) == isValid)
    #expect(schema.failures(of: value).isEmpty == isValid)
  }

  @Test(arguments: ["0", "-1e400", "0e400", "-12345678901234567890"])
  func `a divisor of any length is greater than 0`(divisor: String) throws {
    #expect(throws: SchemaCompileError.self) {
      try Schema.compile(try JSON(parsing: "{\"multipleOf\": \(divisor)}", numbers: .exact))
    }
  }

  @Test func `an integer of draft 4 may have any length`() throws {
    let schema = try Schema.compile(["type": "integer"], options: CompileOptions(draft: .draft4))
    #expect(schema.validate(try JSON(parsing: "12345678901234567890", numbers: .exact)))
    #expect(!schema.validate(try JSON(parsing: "12345678901234567890.0", numbers: .exact)))
  }

  @Test func `numbers so long that dividing them would take for ever are too costly`() throws {
    let digits = String(repeating: "7", count: 200_000)
    let schema = try Schema.compile(try JSON(parsing: "{\"multipleOf\": \(digits)}", numbers: .exact))
    let value = try JSON(parsing: digits + "7", numbers: .exact)
    #expect(schema.failures(of: value).map(\.kind) == [.tooCostly])
  }
}
