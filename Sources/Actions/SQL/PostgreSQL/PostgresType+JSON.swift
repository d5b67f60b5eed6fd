internal import CEL
internal import JSON
internal import Texts
internal import Times

// The conversion between the texts of a server and JSON. ``PostgresSession`` asks for ISO 8601 dates and intervals and
// for bytes in hexadecimal digits.

extension PostgresType {
  /// A value that the server has sent.
  func json(_ text: UnsafeRawBufferPointer) -> JSON {
    switch form {
    case .boolean: .bool(text.first == UInt8(ascii: "t"))
    case .integer: Int64(string(text)).map { .integer($0) } ?? .string(string(text))
    case .real: real(text)
    case .decimal: decimal(text)
    case .json: (try? JSON(parsing: text.bindMemory(to: UInt8.self), limits: .message)) ?? .string(string(text))
    case .bytes: .string(base64(text) ?? string(text))
    case .localTime: .string(isPlainDate(text) ? string(text).replacing(" ", with: "T") : string(text))
    case .instant: .string(instant(text) ?? string(text))
    case .offsetTime: .string(offsetTime(text))
    case .array(let element, let delimiter):
      PostgresArray(text, delimiter: delimiter).map { Self.json($0, of: element) } ?? .string(string(text))
    case .text: .string(string(text))
    }
  }

  private static func json(_ array: PostgresArray, of type: PostgresType) -> JSON {
    switch array {
    case .null: .null
    case .element(let bytes): bytes.withUnsafeBytes { type.json($0) }
    case .list(let elements): .array(elements.map { json($0, of: type) })
    }
  }

  private func string(_ text: UnsafeRawBufferPointer) -> String { String(decoding: text, as: UTF8.self) }

  /// A number; NaN and the infinities as the server writes them: `NaN`, `Infinity`, `-Infinity`.
  private func real(_ text: UnsafeRawBufferPointer) -> JSON {
    let text = string(text)
    guard let number = Double(text), number.isFinite else { return .string(text) }
    return .real(number)
  }

  /// A number if JSON's numbers, as programs read them, hold it: 64 bits or a double. Else a text.
  private func decimal(_ text: UnsafeRawBufferPointer) -> JSON {
    switch try? JSON(parsing: text.bindMemory(to: UInt8.self), limits: .message, numbers: .exact) {
    case .integer(let number)?: .integer(number)
    case .real(let number)?: .real(number)
    default: .string(string(text))
    }
  }

  /// `\x00ff` as base64 (RFC 4648, section 4).
  private func base64(_ text: UnsafeRawBufferPointer) -> String? {
    guard text.starts(with: #"\x"#.utf8), text.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2 - 1)
    for index in stride(from: 2, to: text.count, by: 2) {
      guard let high = digit(text[index]), let low = digit(text[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return Base64.encode(bytes)
  }

  private func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  // MARK: Dates and times

  /// `2026-11-23 …`: a day of the years 1 to 9999. RFC 3339 has no form for others (`44-03-15 … BC`, `infinity`).
  private func isPlainDate(_ text: UnsafeRawBufferPointer) -> Bool {
    text.count >= 19 && text[4] == UInt8(ascii: "-") && text[10] == UInt8(ascii: " ") && text.last != UInt8(ascii: "C")
  }

  /// `2026-11-23 10:00:00.5+09` as `2026-11-23T01:00:00.5Z`: forms write instants in UTC, so that one instant has one
  /// text.
  private func instant(_ text: UnsafeRawBufferPointer) -> String? {
    guard isPlainDate(text) else { return nil }
    let local = string(text).replacing(" ", with: "T")
    guard let sign = local.lastIndex(where: { $0 == "+" || $0 == "-" }),
      let time = Timestamp(rfc3339: local[..<sign] + "Z")
    else { return nil }
    // Hours, perhaps minutes, and of long ago even seconds: +05:53:28.
    var seconds = 0
    for (part, unit) in zip(local[sign...].dropFirst().split(separator: ":"), [3600, 60, 1]) {
      guard let number = Int(part) else { return nil }
      seconds += number * unit
    }
    let offset = Int64(local[sign] == "-" ? seconds : -seconds)
    return time.advanced(by: DurationValue(nanoseconds: offset * 1_000_000_000))?.rfc3339
  }

  /// `10:00:00+09` as `10:00:00+09:00`: an offset of RFC 3339 has minutes.
  private func offsetTime(_ text: UnsafeRawBufferPointer) -> String {
    let text = string(text)
    guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return text }
    if text[sign...] == "+00" { return text[..<sign] + "Z" }
    return text[sign...].count == 3 ? text + ":00" : text
  }
}

extension PostgresType {
  /// A value that cannot be of the type: it has the words for a value that can. The server reports all other
  /// mismatches.
  struct Mismatch: Error {
    let wanted: String
  }

  /// The text of a value for the server; nil is NULL.
  ///
  /// A text is passed on unchanged: the server reads it as it would read `'…'` there. An object becomes its JSON, and
  /// so does a list, unless an array is wanted.
  func text(of value: JSON) throws(Mismatch) -> String? {
    if case .null = value { return nil }
    switch (form, value) {
    case (.json, _): return try checked(value.description)
    case (.array(let element, let delimiter), .array(let elements)):
      return try Self.text(of: elements, as: element, delimiter: delimiter)
    case (.bytes, .string(let text)):
      guard let bytes = Base64.decode(padded: text) else { throw Mismatch(wanted: "base64") }
      return bytes.reduce(into: #"\x"#) { text, byte in
        text += byte < 16 ? "0" + String(byte, radix: 16) : String(byte, radix: 16)
      }
    // SQLite has the same Booleans.
    case (.integer, .bool(let flag)): return flag ? "1" : "0"
    // 5.0 is the integer 5.
    case (.integer, .real): return value.integerValue.map { String($0) } ?? value.description
    case (_, .string(let text)): return try checked(text)
    default: return value.description
    }
  }

  /// The texts of PostgreSQL cannot hold U+0000.
  private func checked(_ text: String) throws(Mismatch) -> String {
    if text.utf8.contains(0) { throw Mismatch(wanted: "a text without the character U+0000") }
    return text
  }

  private static func text(of elements: [JSON], as type: PostgresType, delimiter: UInt8) throws(Mismatch) -> String {
    var text = "{"
    for (index, element) in elements.enumerated() {
      if index > 0 { text.unicodeScalars.append(Unicode.Scalar(delimiter)) }
      // An array in an array is another dimension, not an element.
      if case .array(let inner) = element, !type.takesJSON {
        text += try self.text(of: inner, as: type, delimiter: delimiter)
      } else if let written = try type.text(of: element) {
        text += "\"" + written.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
      } else {
        text += "NULL"
      }
    }
    return text + "}"
  }

  private var takesJSON: Bool {
    if case .json = form { true } else { false }
  }
}
