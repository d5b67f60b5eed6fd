import CEL
import Testing

@Suite struct ValueEqualityTests {
  private static let pairs: [(Value, Value, Bool)] = [
    (.int(1), .uint(1), true), (.int(1), .double(1), true), (.uint(1), .double(1), true),
    (.double(0), .double(-0.0), true), (.double(.nan), .double(.nan), false), (.int(1), .double(1.5), false),
    (.int(.max), .uint(UInt64(Int64.max)), true), (.int(-1), .uint(.max), false), (.null, .bool(false), false),
    (.string("é"), .string("e\u{301}"), false), (.string("é"), .string("é"), true), (.string("1"), .int(1), false),
    (.list([.int(1), .int(2)]), .list([.double(1), .uint(2)]), true), (.list([.int(1)]), .list([]), false),
    (.optional(.int(1)), .optional(.double(1)), true), (.optional(nil), .optional(.int(1)), false),
    (.optional(nil), .optional(nil), true), (.bytes([1]), .bytes([1]), true), (.type(.int), .type(.uint), false),
  ]

  @Test(arguments: pairs)
  func `equality of the language compares numbers by value and texts by code points`(
    left: Value,
    right: Value,
    expected: Bool
  ) {
    #expect(left.equals(right) == expected)
    #expect(right.equals(left) == expected)
  }

  @Test func `exact equality tells the numeric types and zeros apart and finds nan in nan`() {
    #expect(Value.int(1) != .uint(1))
    #expect(Value.int(1) != .double(1))
    #expect(Value.double(.nan) == .double(.nan))
    #expect(Value.double(0) != .double(-0.0))
    #expect(Value.list([1]) != .list([1.0]))
    #expect(Value.list([.double(.nan)]) == .list([.double(.nan)]))
    #expect(Value.string("é") != .string("e\u{301}"))
    #expect(Value.failure(.range, "a") == .failure(.range, "a"))
    #expect(Value.failure(.range, "a") != .failure(.range, "b"))
  }

  @Test func `maps are equal without regard to their order and to the type of their keys' numbers`() {
    expectTrue("{1: 'a', 'b': 2} == {'b': 2.0, 1u: 'a'}")
    expectTrue("{1: 'a'} != {1: 'b'}")
    expectTrue("{1: 'a'} != {2: 'a'}")
    expectTrue("{'é': 1} != {'e\\u0301': 1}")
  }

  @Test(arguments: [
    "1 < 2 && 1u < 2u && 1.0 < 2.0",
    "dyn(1) < 1.5 && dyn(1u) < 1.5 && dyn(-1) < 1u",
    "dyn(9223372036854775807) < 9223372036854775808u",
    "!(dyn(9223372036854775807) < 9223372036854775808.0)",
    "!(0.0/0.0 < 1.0) && !(0.0/0.0 >= 1.0) && !(dyn(1) <= 0.0/0.0)",
    "'a' < 'b' && 'Z' < 'a' && 'a' < 'ab'",
    "'\\uFFFF' < '\\U0001F600'",
    "b'a' < b'b' && b'' < b'a' && b'\\x7f' < b'\\x80'",
    "false < true && !(true < true)",
    "timestamp('2020-01-01T00:00:00Z') < timestamp('2020-01-01T00:00:00.000000001Z')",
    "duration('-1s') < duration('1ns')",
  ])
  func `values of one kind are ordered`(source: String) {
    expectTrue(source)
  }

  @Test func `lists, maps, null and types have no order`() {
    for value: Value in [.list([1]), .map(MapValue()), .null, .type(.int), .optional(1)] {
      #expect(value.order(value) == nil, "\(value)")
    }
  }
}
