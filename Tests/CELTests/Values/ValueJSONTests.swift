import CEL
import JSON
import Testing
internal import Times

@Suite struct ValueJSONTests {
  @Test(arguments: [
    "null", "true", "1", "-9223372036854775808", "1.5", "\"é\"", "[1,[2,\"x\"],{}]", "{\"b\":1,\"a\":{\"c\":[null]}}",
  ])
  func `JSON comes back as it was`(text: String) throws {
    let json = try JSON(parsing: text)
    #expect(Value(json).json == json)
  }

  @Test func `a declared type decides what a number or a text becomes`() {
    #expect(Value(1, as: .double) == 1.0)
    #expect(Value(1.0, as: .int) == 1)
    #expect(Value(1.5, as: .int) == 1.5)
    #expect(Value(1, as: .uint) == .uint(1))
    #expect(Value(-1, as: .uint) == -1)
    #expect(Value([1, 2], as: .list(.double)) == .list([1.0, 2.0]))
    #expect(Value("1970-01-01T00:00:00Z", as: .timestamp) == .timestamp(Timestamp(seconds: 0)!))
    #expect(Value("1s", as: .duration) == .duration(DurationValue(nanoseconds: 1_000_000_000)))
    #expect(Value("YWJj", as: .bytes) == .bytes(Array("abc".utf8)))
    #expect(Value(.null, as: .wrapper(.int)) == .null)
    #expect(Value(.null, as: .optional(.int)) == .optional(nil))
    #expect(Value(["a": 1], as: .map(.string, .double))["a"] == 1.0)
  }

  @Test(arguments: [
    (Value.uint(.max), JSON.string("18446744073709551615")), (.double(.infinity), "Infinity"),
    (.bytes([1, 2]), "AQI="),
    (.duration(DurationValue(nanoseconds: 1)), "0.000000001s"), (.type(.int), "int"), (.optional(nil), .null),
    (.optional(1), 1),
  ])
  func `values beyond JSON are written as protobuf writes them`(value: Value, json: JSON) {
    #expect(value.json == json)
  }

  @Test func `errors and unknowns have no JSON`() {
    #expect(Value.list([.failure(.range, "")]).json == nil)
    #expect(Value.unknown(UnknownSet(["a"])).json == nil)
  }
}

extension Value {
  fileprivate subscript(name: String) -> Value? {
    if case .map(let map) = self { map[name] } else { nil }
  }
}
