/// A URL as Go reads one of a request (`net/url`, `ParseRequestURI` and `URL`): an absolute URI, or an absolute path. It takes what
/// browsers send, and so more than RFC 3986: spaces and quotation marks in a path.
struct RequestURL: Hashable, Sendable {
  let text: String
  let scheme: String
  /// With the port; an address of IPv6 stands in brackets.
  let host: String
  /// As it was written where that is properly escaped, else escaped anew.
  let escapedPath: String
  private let query: [UInt8]

  /// Why a text is no URL.
  struct ParsingError: Error {
    let message: String
  }

  /// Reads a text as a whole.
  init(parsing text: String) throws(ParsingError) {
    let bytes = Array(text.utf8)
    // A request has no fragment: there a number sign is a part of the path or the query.
    _ = try Parts(bytes[...], isRequest: true)
    let parts = try Parts(bytes.prefix { $0 != UInt8(ascii: "#") }, isRequest: false)
    self.text = text
    scheme = parts.scheme
    host = parts.host
    query = Array(parts.query)
    escapedPath = String(decoding: parts.escapedPath, as: UTF8.self)
  }
}

extension RequestURL {
  /// The host without the port, and an address of IPv6 without its brackets.
  var hostname: String {
    let name = portMark.map { host[..<$0] } ?? host[...]
    return name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : String(name)
  }

  /// The port, or nothing.
  var port: String { portMark.map { String(host[host.index(after: $0)...]) } ?? "" }

  private var portMark: String.Index? {
    guard let colon = host.lastIndex(of: ":"), host[colon...].dropFirst().utf8.allSatisfy(Self.isDigit) else {
      return nil
    }
    return colon
  }

  /// The values of the query by their names, decoded, in the order of the first of each name. What is not properly escaped is left out.
  var queryValues: [(name: String, values: [String])] {
    var found: [(name: String, values: [String])] = []
    for part in query.split(separator: UInt8(ascii: "&")) where !part.contains(UInt8(ascii: ";")) {
      let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(sides[0], plusIsSpace: true),
        let value = Self.decoded(sides.count == 2 ? sides[1] : [], plusIsSpace: true)
      else { continue }
      let (key, text) = (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
      if let known = found.firstIndex(where: { $0.name.utf8.elementsEqual(key.utf8) }) {
        found[known].values.append(text)
      } else {
        found.append((key, [text]))
      }
    }
    return found
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x7a).contains(byte | 0x20) }

  /// The bytes that a text with percent signs stands for; nil where a percent sign has no two digits behind it.
  private static func decoded(_ text: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(hexadecimal), let low = rest.popFirst().flatMap(hexadecimal) else {
          return nil
        }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return bytes
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46, 0x61...0x66: (byte | 0x20) - 0x61 + 10
    default: nil
    }
  }
}

extension RequestURL {
  /// The parts of a URL without fragment.
  private struct Parts {
    var scheme = ""
    var host = ""
    var query: ArraySlice<UInt8> = []
    var escapedPath: [UInt8] = []

    init(_ text: ArraySlice<UInt8>, isRequest: Bool) throws(ParsingError) {
      if text.contains(where: { $0 < 0x20 || $0 == 0x7f }) { throw ParsingError(message: "it has a control character") }
      guard !text.isEmpty || !isRequest else { throw ParsingError(message: "it is empty") }
      if text.elementsEqual("*".utf8) {
        escapedPath = Array(text)
        return
      }
      var rest = text
      try takeScheme(&rest)
      if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
        query = rest[(mark + 1)...]
        rest = rest[..<mark]
      }
      guard rest.first == UInt8(ascii: "/") else {
        // What has a scheme and no slash is not looked into: mailto:kim@example.com.
        if !scheme.isEmpty { return }
        if isRequest { throw ParsingError(message: "it is neither an absolute URI nor an absolute path") }
        escapedPath = try RequestURL.escaped(rest)
        return
      }
      let mayHaveHost = !scheme.isEmpty || !isRequest && !rest.starts(with: "///".utf8)
      if mayHaveHost, rest.starts(with: "//".utf8) {
        let authority = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
        rest = rest.dropFirst(2 + authority.count)
        try readAuthority(authority)
      }
      escapedPath = try RequestURL.escaped(rest)
    }

    private mutating func takeScheme(_ text: inout ArraySlice<UInt8>) throws(ParsingError) {
      for (position, byte) in text.enumerated() {
        if byte == UInt8(ascii: ":") {
          if position == 0 { throw ParsingError(message: "a scheme is missing before the colon") }
          scheme = String(decoding: text.prefix(position), as: UTF8.self).lowercased()
          text = text.dropFirst(position + 1)
          return
        }
        let isLetter = (0x61...0x7a).contains(byte | 0x20)
        let isOther = RequestURL.isDigit(byte) || "+-.".utf8.contains(byte)
        guard isLetter || position > 0 && isOther else { return }
      }
    }

    private mutating func readAuthority(_ authority: ArraySlice<UInt8>) throws(ParsingError) {
      var name = authority
      if let mark = authority.lastIndex(of: UInt8(ascii: "@")) {
        let user = authority[..<mark]
        name = authority[(mark + 1)...]
        let isPlain = user.allSatisfy { RequestURL.isAlphanumeric($0) || "-._:~!$&'()*+,;=%@".utf8.contains($0) }
        guard isPlain, RequestURL.decoded(user) != nil else { throw ParsingError(message: "its user is invalid") }
      }
      let portMark: Int?
      if name.first == UInt8(ascii: "[") {
        guard let end = name.lastIndex(of: UInt8(ascii: "]")) else {
          throw ParsingError(message: "the host lacks its closing bracket")
        }
        portMark = end + 1 < name.endIndex ? end + 1 : nil
      } else {
        portMark = name.lastIndex(of: UInt8(ascii: ":"))
      }
      if let portMark {
        guard name[portMark] == UInt8(ascii: ":"), name[(portMark + 1)...].allSatisfy(RequestURL.isDigit) else {
          throw ParsingError(message: "its port is no number")
        }
      }
      host = try Self.decodedHost(name)
    }

    /// In a host only bytes beyond ASCII are written with percent signs, and the one that begins the zone of an address.
    private static func decodedHost(_ name: ArraySlice<UInt8>) throws(ParsingError) -> String {
      for (position, byte) in zip(name.indices, name) where byte == UInt8(ascii: "%") {
        let code = name[position...].prefix(3)
        let isZone = code.elementsEqual("%25".utf8) && name.first == UInt8(ascii: "[")
        guard isZone || code.dropFirst().first.flatMap(RequestURL.hexadecimal).map({ $0 >= 8 }) == true else {
          throw ParsingError(message: "its host has an escape that stands for no letter")
        }
      }
      let isPlain = name.allSatisfy { byte in
        byte >= 0x80 || RequestURL.isAlphanumeric(byte) || "-_.~!$&'()*+,;=:[]<>\"%".utf8.contains(byte)
      }
      guard isPlain, let decoded = RequestURL.decoded(name) else {
        throw ParsingError(message: "its host has a character that no host has")
      }
      return String(decoding: decoded, as: UTF8.self)
    }
  }

  /// A path as it is written where that is properly escaped, else escaped anew.
  private static func escaped(_ path: ArraySlice<UInt8>) throws(ParsingError) -> [UInt8] {
    guard let plain = decoded(path) else { throw ParsingError(message: "a percent sign stands before no two digits") }
    if path.allSatisfy({ isKeptInPaths($0) || "!'()*[]%".utf8.contains($0) }) { return Array(path) }
    return plain.flatMap { byte -> [UInt8] in
      if isKeptInPaths(byte) { return [byte] }
      let digits = Array("0123456789ABCDEF".utf8)
      return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }

  private static func isKeptInPaths(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "-_.~$&+,/:;=@".utf8.contains(byte)
  }
}

extension RequestURL: AbstractContent {
  static let type = TypeValue("kubernetes.URL")
  static let constructor = "url"
}
