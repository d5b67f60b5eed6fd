/// A URL of the web: the result of parsing a text without a base by the URL Standard (url.spec.whatwg.org). The parser
/// accepts and repairs many texts that are not URIs (``TextFormat/uri``).
public struct WebURL: Sendable {
  enum Path {
    /// The rest of a URL such as `mailto:someone@example.com`, which has no segments.
    case opaque(String)
    case segments([String])
  }

  var scheme = ""
  var username = ""
  var password = ""
  var host: WebHost?
  var port: UInt16?
  var path = Path.segments([])
  var query: String?
  var fragment: String?

  init() {}

  /// Parses `text` by the basic URL parser (section 4.4); nil is its failure.
  public init?(parsing text: String) {
    var parser = WebURLParser(text)
    guard let url = parser.run() else { return nil }
    self = url
  }

  /// The default port of a special scheme (section 4.2), 0 for `file`; nil for other schemes.
  static func defaultPort(_ scheme: String) -> UInt16? {
    switch scheme {
    case "http", "ws": 80
    case "https", "wss": 443
    case "ftp": 21
    case "file": 0
    default: nil
    }
  }

  var isSpecial: Bool { Self.defaultPort(scheme) != nil }

  /// The URL as text: section 4.5, the URL serializer.
  public var href: String {
    var output = scheme + ":"
    if let host {
      output += "//"
      if !username.isEmpty || !password.isEmpty {
        output += username
        if !password.isEmpty { output += ":" + password }
        output += "@"
      }
      output += host.serialized
      if let port { output += ":\(port)" }
    }
    switch path {
    case .opaque(let text):
      output += text
    case .segments(let segments):
      // Otherwise the path would read as a host.
      if host == nil, segments.count > 1, segments[0].isEmpty { output += "/." }
      for segment in segments { output += "/" + segment }
    }
    if let query { output += "?" + query }
    if let fragment { output += "#" + fragment }
    return output
  }

  /// Drops the last segment, unless it is the drive of a file URL (section 4.3, "shorten a path").
  mutating func shortenPath() {
    guard case .segments(var segments) = path else { return }
    if scheme == "file", segments.count == 1, Self.isNormalizedDrive(segments[0]) { return }
    _ = segments.popLast()
    path = .segments(segments)
  }

  mutating func append(segment: String) {
    guard case .segments(var segments) = path else { return }
    segments.append(segment)
    path = .segments(segments)
  }

  static func isNormalizedDrive(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count == 2 && ASCII.isLetter(bytes[0]) && bytes[1] == UInt8(ascii: ":")
  }

  static func isDrive(_ text: some Collection<Unicode.Scalar>) -> Bool {
    let scalars = Array(text)
    return scalars.count == 2 && scalars[0].isASCII && ASCII.isLetter(UInt8(truncatingIfNeeded: scalars[0].value))
      && (scalars[1] == ":" || scalars[1] == "|")
  }
}
