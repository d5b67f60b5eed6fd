/// Leads to a value inside a JSON value (RFC 6901): the names and positions that lead there from the root.
public struct JSONPointer: Hashable, Sendable {
  /// The reference tokens, unescaped, from the root inwards.
  public var tokens: [String]

  /// The whole value.
  public static let root = JSONPointer(tokens: [])

  public init(tokens: [String]) {
    self.tokens = tokens
  }

  /// Reads `""` or `/a/b~1c`; nil when the text is not a JSON Pointer. It must be empty or start with `/`, and `~` must
  /// be followed by `0` or `1`.
  public init?(_ text: String) {
    guard !text.isEmpty else {
      tokens = []
      return
    }
    guard text.utf8.first == UInt8(ascii: "/") else { return nil }
    var tokens: [String] = []
    for raw in text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard raw.contains(UInt8(ascii: "~")) else {
        tokens.append(String(decoding: raw, as: UTF8.self))
        continue
      }
      var token: [UInt8] = []
      var bytes = raw.makeIterator()
      while let byte = bytes.next() {
        guard byte == UInt8(ascii: "~") else {
          token.append(byte)
          continue
        }
        switch bytes.next() {
        case UInt8(ascii: "0"): token.append(UInt8(ascii: "~"))
        case UInt8(ascii: "1"): token.append(UInt8(ascii: "/"))
        default: return nil
        }
      }
      tokens.append(String(decoding: token, as: UTF8.self))
    }
    self.tokens = tokens
  }

  /// The pointer one step further in: a member's name.
  public func appending(_ token: String) -> JSONPointer {
    JSONPointer(tokens: tokens + [token])
  }

  /// The pointer one step further in: an element's position.
  public func appending(_ index: Int) -> JSONPointer {
    appending(String(index))
  }

  /// The array position that a token means: digits without a leading zero (RFC 6901, section 4), or nil.
  public static func arrayIndex(_ token: String) -> Int? {
    let digits = token.utf8
    guard let first = digits.first, digits.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return nil }
    if first == 48 && digits.count > 1 { return nil }
    return Int(token)
  }
}

extension JSONPointer: CustomStringConvertible {
  /// The pointer as text, `~` and `/` in tokens escaped.
  public var description: String {
    var text = ""
    text.reserveCapacity(tokens.reduce(0) { $0 + 1 + $1.utf8.count })
    for token in tokens {
      text += "/"
      text += Self.escape(token)
    }
    return text
  }

  /// One token in the spelling of a pointer, with escapes.
  public static func escape(_ token: String) -> String {
    guard token.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return token }
    var escaped: [UInt8] = []
    for byte in token.utf8 {
      switch byte {
      case UInt8(ascii: "~"): escaped += [UInt8(ascii: "~"), UInt8(ascii: "0")]
      case UInt8(ascii: "/"): escaped += [UInt8(ascii: "~"), UInt8(ascii: "1")]
      default: escaped.append(byte)
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }
}

extension JSON {
  /// The value at that pointer, or nil when there is none.
  public func value(at pointer: JSONPointer) -> JSON? {
    value(at: pointer.tokens[...])
  }

  /// The value that those tokens lead to, or nil when there is none.
  public func value(at tokens: ArraySlice<String>) -> JSON? {
    var current = self
    for token in tokens {
      switch current {
      case .object(let members):
        guard let next = members[token] else { return nil }
        current = next
      case .array(let elements):
        guard let index = JSONPointer.arrayIndex(token), index < elements.count else { return nil }
        current = elements[index]
      default:
        return nil
      }
    }
    return current
  }
}
