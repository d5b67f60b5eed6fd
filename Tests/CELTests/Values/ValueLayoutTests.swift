import CEL
import Testing
internal import Times

@Suite struct ValueLayoutTests {
  @Test func `a value takes three words at most`() {
    #expect(MemoryLayout<Value>.stride <= 24)
  }

  @Test(arguments: [
    (Value.string("a\"\n\u{1}"), #""a\"\n\u0001""#), (.uint(1), "1u"), (.double(1), "1.0"), (.double(1e30), "1e+30"),
    (.double(.nan), "double(\"NaN\")"), (.bytes([0x61, 0xff]), #"b"a\xff""#), (.list([1, .null]), "[1, null]"),
    (.optional(1), "optional.of(1)"), (.optional(nil), "optional.none()"), (.type(.int), "int"),
    (.duration(DurationValue(nanoseconds: 1_000_000_000)), "duration(\"1s\")"),
    (.timestamp(Timestamp(seconds: 0)!), "timestamp(\"1970-01-01T00:00:00Z\")"),
  ])
  func `a value is described by an expression that evaluates to it`(value: Value, text: String) {
    #expect(value.description == text)
    #expect(evaluated(text) == value)
  }
}
