internal import Configuration
internal import NIOHTTP1

/// A request of HTTP, as the door understands and judges it. A value without input and output.
enum DoorRequest: Equatable {
  /// An upgrade to a WebSocket, which is allowed.
  case socket
  /// A file of the client.
  case file(String)
  /// Whether the daemon answers.
  case health
  /// It gets this status, and a line that says why.
  case refused(HTTPResponseStatus, String)

  /// The subprotocol that the door speaks (RFC 6455, section 1.9): one text message is one text of JSON-RPC.
  static let subprotocol = "formd.1"

  /// Reads the head of a request.
  ///
  /// - Parameter files: the names of the client's files.
  init(_ head: HTTPRequestHead, _ configuration: WebConfiguration, files: Set<String>) {
    let target = head.uri.prefix { $0 != "?" }
    guard target.hasPrefix(configuration.path + "/") else {
      self = .refused(.notFound, "Only paths below \(configuration.path) are served.")
      return
    }
    let name = String(target.dropFirst(configuration.path.count + 1))
    let isSocket = name == "socket"
    guard isSocket || name == "health" || files.contains(name) else {
      self = .refused(.notFound, "There is no such file.")
      return
    }
    // An upgrade is a GET, too (RFC 6455, section 4.1). A HEAD of a socket means nothing.
    guard head.method == .GET || (head.method == .HEAD && !isSocket) else {
      self = .refused(.methodNotAllowed, isSocket ? "Only GET is allowed." : "Only GET and HEAD are allowed.")
      return
    }
    if name == "health" {
      // A load balancer asks by the address.
      self = .health
      return
    }
    guard Self.isAdmitted(hosts: head.headers["host"], by: configuration) else {
      self = .refused(.forbidden, "The host is not in web.hosts.")
      return
    }
    self = isSocket ? Self.socket(head, configuration) : .file(name)
  }

  private static func socket(_ head: HTTPRequestHead, _ configuration: WebConfiguration) -> DoorRequest {
    let origins = head.headers["origin"]
    guard origins.count == 1, configuration.origins.contains(origins[0].lowercased()) else {
      return .refused(.forbidden, "The origin is not in web.origins.")
    }
    guard head.version == .http1_1,
      head.headers[canonicalForm: "upgrade"].contains(where: { $0.lowercased() == "websocket" }),
      head.headers[canonicalForm: "connection"].contains(where: { $0.lowercased() == "upgrade" })
    else { return .refused(.upgradeRequired, "This is a WebSocket (RFC 6455).") }
    guard head.headers["sec-websocket-version"] == ["13"] else {
      return .refused(.upgradeRequired, "The version of WebSocket must be 13.")
    }
    let keys = head.headers["sec-websocket-key"]
    guard keys.count == 1, Self.isKey(keys[0]) else {
      return .refused(.badRequest, "Sec-WebSocket-Key must be 16 bytes in base64.")
    }
    guard head.headers[canonicalForm: "sec-websocket-protocol"].contains(where: { $0 == subprotocol }) else {
      return .refused(.badRequest, "The subprotocol must be \(subprotocol).")
    }
    return .socket
  }

  /// Whether a text is 16 bytes in base64 (RFC 4648, section 4): 22 characters and the padding.
  private static func isKey(_ text: String) -> Bool {
    text.utf8.count == 24 && text.hasSuffix("==")
      && text.utf8.prefix(22).allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
          true
        default: false
        }
      }
  }

  /// Whether a request names one admitted host. A host of the configuration without a port admits every port.
  private static func isAdmitted(hosts: [String], by configuration: WebConfiguration) -> Bool {
    guard hosts.count == 1 else { return false }
    let host = hosts[0].lowercased()
    if configuration.hosts.contains(host) { return true }
    // The port follows the last colon. An IPv6 address has colons of its own, within brackets.
    guard !host.hasSuffix("]"), let colon = host.lastIndex(of: ":"),
      host[colon...].dropFirst().utf8.allSatisfy({ 0x30...0x39 ~= $0 })
    else { return false }
    return configuration.hosts.contains(String(host[..<colon]))
  }
}
