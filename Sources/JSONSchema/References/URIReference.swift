internal import JSON

/// A URI reference in its five parts (RFC 3986, section 3), as far as resolving needs them.
struct URIReference: Hashable, Sendable {
  var scheme: String?
  var authority: String?
  var path: String
  var query: String?
  /// Still percent-encoded.
  var fragment: String?

  init(_ text: String) {
    var rest = Substring(text)
    if let hash = rest.firstIndex(of: "#") {
      fragment = String(rest[rest.index(after: hash)...])
      rest = rest[..<hash]
    }
    if let mark = rest.firstIndex(of: "?") {
      query = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let colon = rest.firstIndex(of: ":"), Self.isScheme(rest[..<colon]) {
      scheme = String(rest[..<colon])
      rest = rest[rest.index(after: colon)...]
    }
    if rest.utf8.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: "/") ?? rest.endIndex
      authority = String(rest[..<end])
      rest = rest[end...]
    }
    path = String(rest)
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy {
      isLetter($0) || ($0 >= 48 && $0 <= 57) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
        || $0 == UInt8(ascii: ".")
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
  }

  /// The reference without its fragment, as text.
  var withoutFragment: String {
    var text = ""
    if let scheme { text += scheme + ":" }
    if let authority { text += "//" + authority }
    text += path
    if let query { text += "?" + query }
    return text
  }

  /// Resolves `reference` against this base (RFC 3986, section 5.2.2).
  func resolving(_ reference: URIReference) -> URIReference {
    var result = reference
    if reference.scheme != nil {
      result.path = Self.removingDotSegments(reference.path)
      return result
    }
    result.scheme = scheme
    if reference.authority != nil {
      result.path = Self.removingDotSegments(reference.path)
      return result
    }
    result.authority = authority
    if reference.path.isEmpty {
      result.path = path
      if reference.query == nil { result.query = query }
    } else if reference.path.utf8.first == UInt8(ascii: "/") {
      result.path = Self.removingDotSegments(reference.path)
    } else {
      result.path = Self.removingDotSegments(merging(reference.path))
    }
    return result
  }

  /// RFC 3986, section 5.2.3.
  private func merging(_ other: String) -> String {
    if authority != nil && path.isEmpty { return "/" + other }
    guard let slash = path.lastIndex(of: "/") else { return other }
    return String(path[...slash]) + other
  }

  /// RFC 3986, section 5.2.4; the path of a URN has no dot segments and stays as it is.
  private static func removingDotSegments(_ path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    var output: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(isAbsolute ? 1 : 0)
    for (position, segment) in segments.enumerated() {
      let isLast = position == segments.count - 1
      switch segment {
      case ".":
        if isLast { output.append("") }
      case "..":
        if !output.isEmpty { output.removeLast() }
        if isLast { output.append("") }
      default:
        output.append(segment)
      }
    }
    return (isAbsolute ? "/" : "") + output.joined(separator: "/")
  }

  /// Percent-encoding undone; nil if it is broken or not UTF-8.
  static func decoded(_ text: String) -> String? {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    var bytes: [UInt8] = []
    var iterator = text.utf8.makeIterator()
    while let byte = iterator.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = iterator.next().flatMap(hexValue), let low = iterator.next().flatMap(hexValue) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }

  /// A JSON Pointer as a URI fragment (RFC 6901, section 6).
  static func encodedFragment(_ pointer: JSONPointer) -> String {
    var text = ""
    for byte in pointer.description.utf8 {
      switch byte {
      case 48...57, 65...90, 97...122:
        text.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "/"), UInt8(ascii: "~"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
        UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
        UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "?"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += digits.utf8.count == 1 ? "%0" + digits : "%" + digits
      }
    }
    return text
  }
}
