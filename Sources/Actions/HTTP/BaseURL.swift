internal import Formats

/// A service's address: scheme, authority and the beginning of the path, without a slash at the end.
package struct BaseURL: Sendable {
  /// For example `https://example.com/api`.
  package let text: String

  /// The problem of a text that is not such an address. It never quotes the text, which may hold a password.
  package struct Problem: Error, CustomStringConvertible {
    /// The problem, as the end of a sentence about the text.
    package let description: String
  }

  /// Checks a configured address.
  ///
  /// - Throws: ``Problem`` unless it is `http://` or `https://`, a host, maybe a port and a path.
  package init(_ text: String) throws(Problem) {
    func refuse(_ why: String) -> Problem { Problem(description: why) }
    let lowered = text.lowercased()
    guard let scheme = ["http://", "https://"].first(where: { lowered.hasPrefix($0) }) else {
      throw refuse("does not begin with http:// or https://")
    }
    let rest = text.utf8.dropFirst(scheme.utf8.count)
    let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard !authority.contains(UInt8(ascii: "@")) else { throw refuse("contains a user; use a header instead") }
    guard !rest.contains(UInt8(ascii: "?")), !rest.contains(UInt8(ascii: "#")) else {
      throw refuse("has a query or a fragment")
    }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
      throw refuse("contains a space or another character that is not allowed in a URL")
    }
    guard !authority.isEmpty, authority.first != UInt8(ascii: ":") else { throw refuse("has no host") }
    // The port follows the last colon, if that colon is not in the brackets of an IPv6 address.
    if let colon = authority.lastIndex(of: UInt8(ascii: ":")), !authority[colon...].contains(UInt8(ascii: "]")),
      authority.first != UInt8(ascii: "[") || authority[..<colon].last == UInt8(ascii: "]")
    {
      let port = String(decoding: authority[authority.index(after: colon)...], as: UTF8.self)
      guard let number = UInt16(port), number > 0 else { throw refuse("has an invalid port") }
    }
    guard TextFormat.uri.accepts(text) else { throw refuse("is not a URL") }
    guard !DotSegment.isIn(String(decoding: rest[authority.endIndex...], as: UTF8.self)) else {
      throw refuse("has the segment \".\" or \"..\" in its path")
    }
    var trimmed = text
    while trimmed.utf8.last == UInt8(ascii: "/") { trimmed.removeLast() }
    self.text = trimmed
  }
}
