/// One request to an HTTP server.
package struct HTTPRequest: Sendable {
  /// The address: an `http` or `https` URL, percent-encoded, without a fragment.
  package var url: String
  /// The method, in capitals (RFC 9110, section 9).
  package var method: String
  /// The header fields, in the order in which they are sent. The client adds `host` and the fields that frame the body.
  package var headers: [HTTPHeader]
  /// The body; nil if there is none.
  package var body: [UInt8]?
  /// How the server is reached.
  package var route: HTTPRoute
  /// The largest body of an answer, in bytes, after decompression. A larger body fails the request as `tooLarge`.
  package var answerBytesMax: Int
  /// Whether only a connection is made, with TLS for `https`, and nothing is sent. The response then has the status 0.
  package var connectsOnly = false

  package init(
    url: String,
    method: String,
    headers: [HTTPHeader] = [],
    body: [UInt8]? = nil,
    route: HTTPRoute = HTTPRoute(),
    answerBytesMax: Int
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.body = body
    self.route = route
    self.answerBytesMax = answerBytesMax
  }
}

/// One field of a header (RFC 9110, section 5).
package struct HTTPHeader: Sendable, Equatable {
  /// The name. Upper and lower case are the same.
  package var name: String
  /// The value, without white space at its ends.
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Whether the name is a token and the value has no line break and no other control character
  /// (RFC 9110, sections 5.1 and 5.5). A line break would begin another field.
  package var isValid: Bool {
    Self.isToken(name)
      && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == UInt8(ascii: "\t") }
  }

  /// Whether the field says how long a body is or how it is sent. The client alone decides that.
  var framesBody: Bool {
    ["content-length", "expect", "te", "trailer", "transfer-encoding"].contains(name.lowercased())
  }

  /// Whether a text can be a field's name or a method (RFC 9110, section 5.6.2).
  static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}
