import CEL
import Testing
internal import Times

@Suite struct MapValueTests {
  @Test(arguments: [3, 8, 9, 1000])
  func `entries are found by key at every size`(count: Int64) {
    var map = MapValue()
    for number in 0..<count { #expect(map.addEntry(.int(-number), for: .int(number)) == nil) }
    for number in 0..<count {
      #expect(map[.int(number)] == .int(-number))
      #expect(map[.uint(UInt64(number))] == .int(-number))
      #expect(map[.double(Double(number))] == .int(-number))
      #expect(map[.double(Double(number) + 0.5)] == nil)
    }
    #expect(map[.string("0")] == nil)
    #expect(map[.null] == nil)
    #expect(map.entries.map(\.key) == (0..<count).map { .int($0) })
  }

  @Test(arguments: [
    (Value.int(1), Value.uint(1)), (.uint(.max), .uint(.max)), (.string("a"), .string("a")), (.bool(true), .bool(true)),
  ])
  func `a key stands in a map once, whatever its numeric type`(first: Value, second: Value) {
    var map = MapValue()
    #expect(map.addEntry(.null, for: first) == nil)
    #expect(throws: MapValue.InsertionError.repeatedKey) { try map.insert(.null, for: second) }
    #expect(map.count == 1)
  }

  @Test(arguments: [Value.double(1), .null, .list([1]), .bytes([1]), .timestamp(Timestamp(seconds: 0)!)])
  func `a key is a bool, an int, an uint or a string`(key: Value) {
    var map = MapValue()
    #expect(throws: MapValue.InsertionError.unsupportedKey) { try map.insert(.null, for: key) }
  }

  @Test func `texts that only look the same are two keys`() {
    var map = MapValue()
    for index in 0..<20 { #expect(map.addEntry(.int(Int64(index)), for: .string("\(index)")) == nil) }
    #expect(map.addEntry(1, for: "é") == nil)
    #expect(map.addEntry(2, for: "e\u{301}") == nil)
    #expect(map["é"] == 1)
    #expect(map["e\u{301}"] == 2)
  }
}
