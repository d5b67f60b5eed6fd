internal import AsyncHTTPClient
internal import JSON
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import Sessions

#if canImport(Glibc)
  internal import Glibc
#endif

extension EffectResponse {
  /// What a form sees of an HTTP answer: names of headers in lower case, a JSON body as a value, any other as a text.
  init(_ response: HTTPClient.Response, to method: String) {
    var headers = JSONObject()
    for (name, value) in response.headers {
      let name = name.lowercased()
      // RFC 9110, section 5.3: fields of one name are one list.
      if case .string(let before) = headers[name] {
        headers[name] = .string(before + ", " + value)
      } else {
        headers[name] = .string(value)
      }
    }
    let status = Int(response.status.code)
    // These answers have no body whatever their headers say (RFC 9110, sections 9.3.2, 15.3.5 and 15.4.5).
    let hasBody = method != "HEAD" && status != 204 && status != 304
    let body = response.body ?? ByteBuffer()
    guard hasBody, body.readableBytes > 0 || Self.isJSON(headers) else {
      self.init(kind: .ok, status: status, headers: headers)
      return
    }
    guard Self.isJSON(headers) else {
      self.init(kind: .ok, status: status, headers: headers, body: .string(String(buffer: body)))
      return
    }
    do {
      let value = try body.withUnsafeReadableBytes { bytes in
        try JSON(parsing: bytes.bindMemory(to: UInt8.self), limits: .message)
      }
      self.init(kind: .ok, status: status, headers: headers, body: value)
    } catch {
      self.init(kind: .badBody, status: status, headers: headers, reason: "the body is not JSON: \(error)")
    }
  }

  /// Whether the content type says JSON: `application/json` or a type that ends in `+json` (RFC 6839, section 3.1).
  private static func isJSON(_ headers: JSONObject) -> Bool {
    guard case .string(let text) = headers["content-type"] else { return false }
    let type = text.prefix { $0 != ";" && $0 != "," }.lowercased().filter { $0 != " " && $0 != "\t" }
    return type == "application/json" || type == "text/json" || type.hasSuffix("+json")
  }

  /// What a form sees of a request that got no answer.
  init(failure error: any Error) {
    let kind: Kind =
      switch error {
      case is ResponseAccumulator.ResponseTooBigError: .tooLarge
      case let error as HTTPClientError where Self.timeouts.contains(error): .timeout
      case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: .tls
      case let error as HTTPClientError where error == .tlsHandshakeTimeout: .tls
      case let error as IOError where Self.refusals.contains(error.errnoCode): .refused
      case let error as NIOConnectionError:
        if error.connectionErrors.contains(where: { Self.isTimeout($0.error) }) { .timeout } else { .refused }
      case is ChannelError where Self.isTimeout(error): .timeout
      default: .error
      }
    self.init(kind: kind, reason: "\(error)")
  }

  private static func isTimeout(_ error: any Error) -> Bool {
    if case .connectTimeout = error as? ChannelError { return true }
    return (error as? IOError)?.errnoCode == ETIMEDOUT
  }

  /// The ways in which a connection is not established.
  private static let refusals: Set<CInt> = [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENOENT, EADDRNOTAVAIL]

  private static let timeouts: [HTTPClientError] = [
    .deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout,
  ]
}
