extension String {
  /// A longer text gets no further values: a text that names a long value again and again multiplies it.
  private static let filledBytesMax = 10_000

  /// The text with values in the place of names in braces, like `{limit}`. A name without a value remains.
  package func filled(_ value: (String) -> String?) -> String {
    guard utf8.contains(UInt8(ascii: "{")) else { return self }
    var result = ""
    var rest = self[...]
    while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")), result.utf8.count < Self.filledBytesMax {
      result += rest[..<open]
      let behind = rest[rest.utf8.index(after: open)...]
      guard let close = behind.utf8.firstIndex(of: UInt8(ascii: "}")) else { return result + rest[open...] }
      result += value(String(behind[..<close])) ?? String(rest[open...close])
      rest = behind[behind.utf8.index(after: close)...]
    }
    return result + rest
  }
}
