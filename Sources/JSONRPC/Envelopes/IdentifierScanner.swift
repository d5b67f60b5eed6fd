internal import JSON
internal import Texts

/// Finds the `id` of a request that the JSON reader refused (a key twice, a number out of range, too deep). It is a
/// second, lenient reading that looks only at the members of the outermost object. It never fails loudly and looks at
/// each byte once.
struct IdentifierScanner {
  private let text: UnsafeBufferPointer<UInt8>
  private var position = 0

  /// The id, if the text is an object with a readable id. If there are several, the last counts.
  static func identifier(in text: UnsafeBufferPointer<UInt8>) -> RequestID? {
    var scanner = IdentifierScanner(text: text)
    return scanner.scan()
  }

  private init(text: UnsafeBufferPointer<UInt8>) {
    self.text = text
  }

  private var current: UInt8? { position < text.count ? text[position] : nil }

  private mutating func scan() -> RequestID? {
    skipSpace()
    guard current == UInt8(ascii: "{") else { return nil }
    position += 1
    var found: RequestID?
    while true {
      skipSpace()
      guard current == UInt8(ascii: "\""), let name = string() else { return found }
      skipSpace()
      guard current == UInt8(ascii: ":") else { return nil }
      position += 1
      skipSpace()
      guard let value = value() else { return nil }
      if name.hasSameBytes(as: "\"id\"") { found = Self.read(value) }
      skipSpace()
      guard current == UInt8(ascii: ",") else { return current == UInt8(ascii: "}") ? found : nil }
      position += 1
    }
  }

  private static func read(_ value: UnsafeBufferPointer<UInt8>) -> RequestID? {
    guard let first = value.first,
      first == UInt8(ascii: "\"") || first == UInt8(ascii: "-") || first >= 48 && first <= 57
    else { return nil }
    do throws(JSONReadError) {
      let tree = try JSONTree(parsing: value)
      return RequestID(tree.root)
    } catch {
      return nil
    }
  }

  /// Steps over a string, quotes included; nil when it does not end.
  private mutating func string() -> UnsafeBufferPointer<UInt8>? {
    let start = position
    position += 1
    while let byte = current {
      position += 1
      if byte == UInt8(ascii: "\\") {
        position += 1
      } else if byte == UInt8(ascii: "\"") {
        return UnsafeBufferPointer(rebasing: text[start..<position])
      }
    }
    return nil
  }

  /// Steps over a value of any kind by counting brackets; nil when it does not end.
  private mutating func value() -> UnsafeBufferPointer<UInt8>? {
    let start = position
    var depth = 0
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        guard string() != nil else { return nil }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return slice(from: start) }
        depth -= 1
        position += 1
      case UInt8(ascii: ","), 0x20, 0x0a, 0x0d, 0x09:
        if depth == 0 { return slice(from: start) }
        position += 1
      default:
        position += 1
      }
      if depth == 0, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        return slice(from: start)
      }
    }
    return nil
  }

  private func slice(from start: Int) -> UnsafeBufferPointer<UInt8>? {
    start == position ? nil : UnsafeBufferPointer(rebasing: text[start..<position])
  }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
  }
}
