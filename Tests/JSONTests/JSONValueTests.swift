import JSON
import Testing

@Suite struct `JSON values` {
  @Test(
    arguments: [
      (JSON.integer(1), JSON.real(1.0), true), (.integer(1), .real(1.5), false), (.integer(.max), .real(0x1p63), false),
      (.real(0.0), .real(-0.0), true), (.string("é"), .string("e\u{301}"), false), (.bool(true), .integer(1), false),
      (["a": 1, "b": [.null]], ["b": [.null], "a": 1.0], true), ([1, 2], [2, 1], false), ([:], [], false),
      (.null, false, false),
    ] as [(JSON, JSON, Bool)]
  )
  func `compare as JSON does, numbers by value and texts by code points`(_ a: JSON, _ b: JSON, _ equal: Bool) {
    #expect((a == b) == equal)
    #expect((b == a) == equal)
    if equal { #expect(a.hashValue == b.hashValue) }
  }

  @Test func `keep big objects searchable through changes`() {
    var object = JSONObject()
    for number in 0..<100 { object["key\(number)"] = .integer(Int64(number)) }
    object["key50"] = nil
    object["key99"] = "last"
    #expect(object.count == 99)
    #expect(object["key50"] == nil)
    #expect(object["key51"] == 51)
    #expect(object["key99"] == "last")
    for number in 0..<95 { object["key\(number)"] = nil }
    #expect(object.names == ["key95", "key96", "key97", "key98", "key99"])
    #expect(object["key97"] == 97)
  }

  @Test(
    arguments: [
      ("\"\\/\u{8}\u{c}\n\r\t\u{0}\u{1f}é😀", #""\"\\/\u0008\u000c\n\r\t\u0000\u001fé😀""#)
    ] as [(String, String)]
  )
  func `write texts with the escapes that JSON asks for`(_ text: String, _ written: String) throws {
    #expect(JSON.string(text).description == written)
    #expect(try JSON(parsing: written) == .string(text))
  }

  @Test(
    arguments: [
      0, 1, 9, 10, 99, 100, -1, -9, -10, 1_000_000_007, .max, .min, 999_999_999_999_999_999, 1_000_000_000_000_000_000,
    ] as [Int64]
  )
  func `write integers exactly`(_ value: Int64) {
    #expect(JSON.integer(value).description == String(value))
  }

  @Test(arguments: [0.1, 1.0, -0.0, 1e300, .leastNonzeroMagnitude, 1e21, 123456.789, 0x1p53])
  func `write reals so that they read back as themselves`(_ value: Double) throws {
    guard case .real(let back) = try JSON(parsing: JSON.real(value).description) else {
      Issue.record("\(JSON.real(value)) is no real")
      return
    }
    #expect(back.bitPattern == value.bitPattern)
  }

  @Test func `write what JSON cannot say as null`() {
    #expect(JSON.array([.real(.nan), .real(.infinity)]).description == "[null,null]")
  }
}

@Suite struct `merge patches` {
  /// RFC 7396, appendix A.
  @Test(
    arguments: [
      (["a": "b"], ["a": "c"], ["a": "c"]), (["a": "b"], ["b": "c"], ["a": "b", "b": "c"]),
      (["a": "b"], ["a": .null], [:]),
      (["a": "b", "b": "c"], ["a": .null], ["b": "c"]), (["a": ["b"]], ["a": "c"], ["a": "c"]),
      (["a": "c"], ["a": ["b"]], ["a": ["b"]]), (["a": ["b": "c"]], ["a": ["b": "d", "c": .null]], ["a": ["b": "d"]]),
      (["a": [["b": "c"]]], ["a": [1]], ["a": [1]]), (["a", "b"], ["c", "d"], ["c", "d"]), (["a": "b"], ["c"], ["c"]),
      (["a": "foo"], .null, .null), (["a": "foo"], "bar", "bar"), (["e": .null], ["a": 1], ["e": .null, "a": 1]),
      ([1, 2], ["a": "b", "c": .null], ["a": "b"]), ([:], ["a": ["bb": ["ccc": .null]]], ["a": ["bb": [:]]]),
    ] as [(JSON, JSON, JSON)]
  )
  func `apply as RFC 7396 says`(_ target: JSON, _ patch: JSON, _ result: JSON) {
    var value = target
    value.merge(patch)
    #expect(value == result)
  }

  @Test(
    arguments: [
      ([:], ["a": 1]), (["a": 1], [:]), (["a": ["b": 1, "c": 2]], ["a": ["c": 3]]), (["a": [1, 2]], ["a": [1]]),
      (["a": 1], ["a": ["b": 1]]), (["a": ["b": 1]], ["a": 1]), (["a": ["b": [:]]], ["a": ["b": ["c": "d"]]]),
    ] as [(JSON, JSON)]
  )
  func `turn one value into another`(_ before: JSON, _ after: JSON) throws {
    let patch = try #require(before.mergePatch(to: after))
    var value = before
    value.merge(patch)
    #expect(value == after)
    #expect(after.mergePatch(to: after) == nil)
  }

  @Test func `cannot say null, so members that are null go, but not those in arrays`() {
    let value: JSON = ["a": .null, "b": ["c": .null, "d": 1], "e": [.null, ["f": .null]]]
    #expect(value.withoutNullMembers == ["b": ["d": 1], "e": [.null, ["f": .null]]])
    #expect(JSON.null.withoutNullMembers == nil)
  }
}
