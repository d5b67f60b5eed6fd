import JSON
import JSONSchema
import Randomness
import Testing

/// Numbers are compared and divided as what was written, not as what binary fractions make of them.
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
}
