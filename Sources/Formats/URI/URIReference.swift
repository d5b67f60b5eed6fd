/// A URI reference in its five parts (RFC 3986, section 3): they are needed to resolve one reference against another.
///
/// Any text has these parts; whether it is a URI, ``TextFormat`` says.
package struct URIReference: Hashable, Sendable {
  /// Nil for a relative reference.
  package var scheme: String?
  /// The part behind the two slashes.
  package var authority: String?
  /// Perhaps empty.
  package var path: String
  /// The part behind the question mark.
  package var query: String?
  /// The part behind the number sign, still percent-encoded.
  package var fragment: String?

  /// The parts of a text.
  package init(_ text: String) {
    let utf8 = text.utf8.span
    let parts = URIParts(utf8)
    scheme = parts.scheme.map { utf8.extracting($0).string }
    authority = parts.authority.map { utf8.extracting($0).string }
    path = utf8.extracting(parts.path).string
    query = parts.query.map { utf8.extracting($0).string }
    fragment = parts.fragment.map { utf8.extracting($0).string }
  }

  /// The reference without its fragment, as text.
  package var withoutFragment: String {
    var text = ""
    if let scheme { text += scheme + ":" }
    if let authority { text += "//" + authority }
    text += path
    if let query { text += "?" + query }
    return text
  }

  /// Resolves `reference` against this base (RFC 3986, section 5.2.2).
  package func resolving(_ reference: URIReference) -> URIReference {
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

  /// RFC 3986, section 5.2.4; the path of a URN has no dot segments and does not change.
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
}
