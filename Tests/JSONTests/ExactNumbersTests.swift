import JSON
import Randomness
import Testing

/// Reads a text with jansson alone.
private func oracle(_ bytes: [UInt8], _ limits: JSONLimits) -> Result<JSON, JSONReadError> {
  bytes.withUnsafeBufferPointer { bytes in
    Result { () throws(JSONReadError) in
      let tree = try JSONTree(parsing: bytes, limits: limits)
      return tree.root.value()
    }
  }
}

private func read(_ bytes: [UInt8], _ limits: JSONLimits, _ numbers: JSONNumbers) -> Result<JSON, JSONReadError> {
  Result { () throws(JSONReadError) in try JSON(parsing: bytes, limits: limits, numbers: numbers) }
}

/// Whether reading with exact numbers agrees with jansson on a text, including errors and their positions.
private func checkReading(on bytes: [UInt8], limits: JSONLimits = .file) {
  let text = String(decoding: bytes, as: UTF8.self)
  let expected = oracle(bytes, limits)
  switch (read(bytes, limits, .binary), expected) {
  case (.success(let value), .success(let expected)):
    // Equal numbers may be written in two ways.
    #expect(value == expected && value.description == expected.description, "\(text.debugDescription)")
  case (.failure(let error), .failure(let expected)):
    #expect(error == expected, "\(text.debugDescription)")
  case (let found, let expected):
    Issue.record("\(text.debugDescription): \(found) and \(expected)")
  }
  switch (read(bytes, limits, .exact), expected) {
  case (.success(let value), .success(let expected)):
    #expect(value.isAbout(expected), "\(text.debugDescription)")
  case (let found, .failure(let expected)) where expected.reason == .integerRange || expected.reason == .realRange:
    // The number is accepted. It may be where no number is allowed, or another error may follow it.
    if case .failure(let error) = found { #expect(error.offset >= expected.offset, "\(text.debugDescription)") }
  case (.failure(let error), .failure(let expected)) where expected.reason == .utf8:
    // jansson names the position of the number before such a byte.
    #expect(error.reason == .utf8 && error.offset >= expected.offset, "\(text.debugDescription)")
  case (.failure(let error), .failure(let expected)):
    #expect(error == expected, "\(text.debugDescription)")
  case (let found, let expected):
    Issue.record("with exact numbers, \(text.debugDescription): \(found) and \(expected)")
  }
}

extension JSON {
  /// Whether another value equals this one, if the form of its numbers is ignored.
  fileprivate func isAbout(_ other: JSON) -> Bool {
    switch (self, other) {
    case (.decimal(let number), .real(let real)): number.doubleValue == real
    case (.array(let elements), .array(let others)):
      elements.count == others.count && zip(elements, others).allSatisfy { $0.isAbout($1) }
    case (.object(let members), .object(let others)):
      members.count == others.count
        && zip(members, others).allSatisfy { $0.name == $1.name && $0.value.isAbout($1.value) }
    default: self == other
    }
  }
}

private let scalars = [
  "0", "-0", "1", "-1", "12", "01", "-", "+1", ".5", "1.", "1.5", "-0.0", "1e5", "1E+5", "1e-5", "1e", "1e+", "0e0",
  "999999999999999999", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
  "123456789012345", "1234567890123456", "0.1234567890123456789", "123456789012345e22", "123456789012345e23",
  "9007199254740993.0", "1.7976931348623157e308", "1.7976931348623159e308", "1e309", "1e-400", "5e-324", "2e-324",
  "1e22",
  "4.35", "0.000001", "8.41e21", "9214843084008499.0", "\"\"", "\"a\"", "\"exactly15bytes.\"", "\"sixteen bytes ..\"",
  "\"a much longer text that is large\"", "\"é\"", "\"😀 and more than sixteen bytes\"", "\"\\u0000\"",
  "\"\\ud83d\\ude00\"",
  "\"\\ud83d\"", "\"\\ude00\"", "\"\\ud83d\\u0041\"", "\"\\uD83D\\uDE0\"", "\"\\n\\t\\\"\\\\\\/\\b\\f\\r\"", "\"\\x\"",
  "\"\\u12\"",
  "\"1234567\\u00e9 12345678\"", "\"\u{7f}\"", "\"\u{1f}\"", "\"tab\there\"", "true", "false", "null", "nul", "truee",
  "True",
  "NaN", "Infinity", "[]", "{}", "[ ]", "{ }", "[1]", "[1,]", "[,1]", "[1 2]", "{\"a\":1}", "{\"a\":1,}", "{\"a\" 1}",
  "{\"a\":}",
  "{a:1}", "{\"a\":1,\"a\":2}", "{\"\":1,\"\":2}", "{\"a\\u0000\":1}", "{\"\\u0061\":1,\"a\":2}", "[1]x", "]", "}", ":",
  ",", "\"",
]

@Suite struct `Reading with exact numbers` {
  @Test(arguments: scalars)
  func `accepts what jansson accepts, and refuses the rest as it does`(text: String) {
    for (before, after) in [
      ("", ""), (" ", "\n"), ("[", "]"), ("[1,", ",2]"), ("{\"k\":", "}"), ("{\"k\" : ", " , \"l\":[]}"),
    ] {
      checkReading(on: Array((before + text + after).utf8))
      checkReading(on: Array((before + text + after).utf8), limits: JSONLimits(depthMax: 1, nodesMax: 3))
    }
  }

  @Test func `agrees on bytes that are no UTF-8`() {
    for bytes in [
      [0x80], [0xc0, 0x80], [0xc2], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80], [0xef, 0xbf, 0xbf],
      [0xf0, 0x80, 0x80, 0x80],
      [0xf4, 0x8f, 0xbf, 0xbf], [0xf4, 0x90, 0x80, 0x80], [0xff], [0xe2, 0x82], [0],
    ] as [[UInt8]] {
      for length in 0...17 {
        let filler = [UInt8](repeating: UInt8(ascii: "x"), count: length)
        checkReading(on: [0x22] + filler + bytes + [0x22])
        checkReading(on: Array("{\"".utf8) + filler + bytes + filler + Array("\":1}".utf8))
        checkReading(on: filler + bytes)
      }
    }
  }

  @Test func `agrees on names of every length that stand twice or only once`() {
    for count in 0...70 {
      let name = String(repeating: "n", count: count)
      checkReading(on: Array("[{\"\(name)\":1},{\"\(name)\":2,\"\(name)x\":3}]".utf8))
      checkReading(on: Array("{\"\(name)\":1,\"\(name)\":2}".utf8))
    }
    for count in 1...80 {
      let members = (0..<count).map { "\"name \($0)\":\($0)" }
      checkReading(on: Array("{\(members.joined(separator: ","))}".utf8))
      checkReading(on: Array("{\(members.joined(separator: ",")),\"name \(count / 2)\":0}".utf8))
    }
  }

  @Test(arguments: [2047, 2048, 2049])
  func `agrees on depth`(depth: Int) {
    checkReading(on: Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8))
    let limits = JSONLimits(depthMax: 4000, nodesMax: .max)
    checkReading(
      on: Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8),
      limits: limits
    )
  }

  @Test(arguments: 0..<8)
  func `agrees on random texts and on what becomes of them`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<400 {
      var bytes = Array(Self.text(&random, depth: 4).utf8)
      checkReading(on: bytes)
      for _ in 0..<random.below(4) {
        guard !bytes.isEmpty else { break }
        let index = random.below(bytes.count)
        switch random.below(4) {
        case 0: bytes.remove(at: index)
        case 1: bytes[index] = UInt8(truncatingIfNeeded: random.next())
        case 2: bytes.insert(contentsOf: random.pick(scalars).utf8, at: index)
        default: bytes.removeSubrange(index...)
        }
        checkReading(on: bytes)
      }
    }
  }

  private static func text(_ random: inout SeededGenerator, depth: Int) -> String {
    let space = random.pick(["", "", " ", "\n  "])
    switch random.below(depth > 0 ? 5 : 3) {
    case 0, 1: return random.pick(scalars)
    case 2: return String(Double(bitPattern: random.next()))
    case 3:
      return "[" + (0..<random.below(6)).map { _ in text(&random, depth: depth - 1) }.joined(separator: space + ",")
        + "]"
    default:
      return "{" + space
        + (0..<random.below(18)).map { "\"n\($0)\"\(space):\(text(&random, depth: depth - 1))" }.joined(separator: ",")
        + "}"
    }
  }
}

@Suite struct `Exact numbers` {
  @Test(
    arguments: [
      ("9223372036854775807", .integer(.max)), ("1.5", .real(1.5)), ("0.1", .real(0.1)), ("1.0", .real(1)),
      ("1e22", .real(1e22)),
      ("0.10000000000000000000000", .real(0.1)), ("-0.0", .real(-0.0)), ("100000000000000000000000.0", .real(1e23)),
    ] as [(String, JSON)]
  )
  func `are what they were where that is exact`(text: String, value: JSON) throws {
    #expect(try JSON(parsing: text, numbers: .exact).description == value.description)
  }

  @Test(
    arguments: [
      "9223372036854775808", "-9223372036854775809", "1e400", "1e-400", "0.1000000000000000055511151231257827",
      "9007199254740993.0", "12345678901234567890123456789", "1.2345678901234568e18",
    ]
  )
  func `are decimals where nothing else is exact, and written as they were`(text: String) throws {
    guard case .decimal(let number) = try JSON(parsing: text, numbers: .exact) else {
      Issue.record("\(text) is no decimal")
      return
    }
    #expect(number.text == text)
    #expect(try JSON(parsing: "[\(text)]", numbers: .exact).description == "[\(text)]")
  }

  @Test func `have an order, and equality and hashes that go with it`() throws {
    let ascending = [
      "-1e400", "-9223372036854775809", "-9223372036854775808", "-1.00000000000000000001", "-1", "-1e-400", "0",
      "1e-400",
      "0.1", "0.1000000000000000055511151231257827", "1", "1.00000000000000000001", "9007199254740992.0",
      "9007199254740993",
      "9007199254740994", "1234567890123456768", "1.2345678901234568e18", "9223372036854775807", "9223372036854775808",
      "9.3e18", "12345678901234567890123456789", "12345678901234567890123456789.5", "1e400", "1.1e400", "1e99999999999",
    ].map { try? JSON(parsing: $0, numbers: .exact) }
    for (position, value) in ascending.enumerated() {
      for (other, otherValue) in ascending.enumerated() {
        let (left, right) = (try #require(value), try #require(otherValue))
        #expect((left == right) == (position == other), "\(left) \(right)")
        let (digits, otherDigits) = (try #require(DecimalDigits(left)), try #require(DecimalDigits(right)))
        #expect((digits < otherDigits) == (position < other), "\(left) \(right)")
      }
    }
    for (text, other) in [
      ("9007199254740993.0", "9007199254740993"), ("1e400", "10e399"), ("1e-400", "0.1e-399"),
      ("9223372036854775808", "9223372036854775808.0"), ("1e23", "100000000000000000000000"),
    ] {
      let (left, right) = (try JSON(parsing: text, numbers: .exact), try JSON(parsing: other, numbers: .exact))
      #expect(left == right && left.hashValue == right.hashValue, "\(text) \(other)")
      #expect(left.integerValue == right.integerValue)
    }
  }

  @Test func `an error behind one of them is told with its place`() {
    let text = "[12345678901234567890,\n 1e999, oops]"
    let error = #expect(throws: JSONReadError.self) { try JSON(parsing: text, numbers: .exact) }
    #expect(error?.reason == .syntax)
    #expect(error?.position == LineColumn(line: 2, column: 9))
    let double = #expect(throws: JSONReadError.self) { try JSON(parsing: "{\"a\":1e999,\"a\":1}", numbers: .exact) }
    #expect(double?.reason == .duplicateKey)
  }
}
