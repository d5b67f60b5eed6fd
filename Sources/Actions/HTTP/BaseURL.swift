internal import JSON

/// A service's address: scheme, authority and the beginning of the path, without a slash at the end.
struct BaseURL: Sendable {
  /// For example `https://example.com/api`.
  let text: String

  /// Checks a configured address.
  ///
  /// - Throws: ``ActionsConfigurationError`` unless it is `http://` or `https://`, a host, maybe a port and a path.
  init(_ text: String, at pointer: JSONPointer) throws(ActionsConfigurationError) {
    func refuse(_ why: String) -> ActionsConfigurationError {
      ActionsConfigurationError(
        pointer: pointer,
        message: "baseURL \(JSON.string(text)) \(why); write it like \"http://127.0.0.1:8080/api\""
      )
    }
    let lowered = text.lowercased()
    guard let scheme = ["http://", "https://"].first(where: { lowered.hasPrefix($0) }) else {
      throw refuse("does not begin with http:// or https://")
    }
    let allowed = text.utf8.allSatisfy {
      $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "\"")
    }
    guard allowed else { throw refuse("contains a character that is not allowed in a URL") }
    let rest = text.utf8.dropFirst(scheme.utf8.count)
    guard !rest.contains(UInt8(ascii: "?")), !rest.contains(UInt8(ascii: "#")) else {
      throw refuse("has a query or a fragment")
    }
    let authority = rest.prefix { $0 != UInt8(ascii: "/") }
    guard !authority.isEmpty, authority.first != UInt8(ascii: ":") else { throw refuse("has no host") }
    guard !authority.contains(UInt8(ascii: "@")) else { throw refuse("contains credentials; use a header instead") }
    // The port is what follows the last colon outside of an IPv6 address's brackets.
    if let colon = authority.lastIndex(of: UInt8(ascii: ":")), !authority[colon...].contains(UInt8(ascii: "]")) {
      let port = String(decoding: authority[authority.index(after: colon)...], as: UTF8.self)
      guard let number = UInt16(port), number > 0 else { throw refuse("has an invalid port") }
    }
    var trimmed = text
    while trimmed.utf8.last == UInt8(ascii: "/") { trimmed.removeLast() }
    self.text = trimmed
  }
}
