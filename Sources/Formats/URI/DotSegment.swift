/// Parts of a path that lead to another folder: `.` and `..` (RFC 3986, section 5.2.4).
package enum DotSegment {
  /// A value may be percent-encoded twice and is encoded once more when it is put into a path.
  private static let decodingsMax = 3

  /// Whether a text has such a part between its slashes and backslashes.
  ///
  /// Servers and proxies differ in what they decode before they resolve a path. So the text is also read with its
  /// percent-encoding undone, up to three times. A part ends at a `;`, because servers of Java drop what follows.
  package static func isIn(_ text: String) -> Bool {
    var bytes = Array(text.utf8)
    for _ in 0..<decodingsMax {
      if hasDots(bytes) { return true }
      let decoded = PercentEncoding.decodedBytes(bytes.span)
      if decoded.count == bytes.count { return false }
      bytes = decoded
    }
    return hasDots(bytes)
  }

  private static func hasDots(_ bytes: [UInt8]) -> Bool {
    bytes.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.contains { part in
      let name = part.prefix { $0 != UInt8(ascii: ";") }
      return (1...2).contains(name.count) && name.allSatisfy { $0 == UInt8(ascii: ".") }
    }
  }
}
