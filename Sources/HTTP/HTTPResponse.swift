/// The answer of a server.
package struct HTTPResponse: Sendable, Equatable {
  /// The status, from 200 to 999 (RFC 9110, section 15).
  package var status: Int
  /// The header fields in the order of the answer. Trailers are not among them.
  package var headers: [HTTPHeader]
  /// The body, decompressed.
  package var body: [UInt8]

  package init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// Why a request has no answer.
package struct HTTPFailure: Error, Sendable, Equatable {
  /// The kinds of failures.
  package enum Kind: Sendable {
    /// No connection was established: nothing listens there, the name has no address, or the connection was cut before
    /// TLS was set up.
    case refused
    /// A connection took too long.
    case timeout
    /// The two sides did not agree on TLS: a certificate is expired, unknown or for another name, or a side does not
    /// speak TLS.
    case tls
    /// The header or the body is larger than allowed.
    case tooLarge
    /// The body is not what its `content-encoding` says.
    case badBody
    /// The caller cancelled the request, or the client was closed.
    case cancelled
    /// Another failure: the server broke off, or did not speak HTTP.
    case other
  }

  /// The kind of the failure.
  package var kind: Kind
  /// A sentence for the log. It has no header field and no part of a body.
  package var reason: String

  package init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }
}

extension HTTPFailure {
  static let cancelled = HTTPFailure(.cancelled, "the request was cancelled")
  static let closed = HTTPFailure(.cancelled, "the client was closed")
  static let noResources = HTTPFailure(.other, "the process has no memory or no file descriptor left")
  static let noNames = HTTPFailure(.refused, "the name servers have not answered earlier requests")
}
