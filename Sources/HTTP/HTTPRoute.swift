internal import CCurl

/// How a server is reached, beside its URL.
package struct HTTPRoute: Sendable, Equatable {
  /// The path of the Unix socket on which the server listens; nil if the URL's host and port are the address.
  package var socket: String?
  /// The proxy between this process and the server.
  package var proxy = HTTPProxy.none
  /// A file with the certificates (PEM) of the authorities that this process trusts; nil for the system's.
  package var caFile: String?
  /// A file with the certificate (PEM) that this process shows to the server; nil if it shows none.
  package var certificateFile: String?
  /// A file with the private key (PEM) of ``certificateFile``; nil if that file has the key, too.
  package var keyFile: String?
  /// The lowest version of TLS that this process accepts.
  package var tlsMin = TLSVersion.tls12

  /// A direct way: no socket, no proxy, the certificates of the system.
  package init() {}
}

/// A version of TLS. Older ones are not safe (RFC 8996).
package enum TLSVersion: String, CaseIterable, Sendable {
  case tls12 = "1.2"
  case tls13 = "1.3"
}

/// Which proxy a request goes through.
package enum HTTPProxy: Sendable, Equatable {
  /// None, whatever the environment of the process says.
  case none
  /// The proxy that the variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` of the process name.
  case environment
  /// The proxy at that URL.
  case url(String)

  /// The proxy of a configuration: `environment`, or a URL. Nil for another text.
  package init?(_ text: String) {
    if text == "environment" {
      self = .environment
      return
    }
    guard let parts = curl_url() else { return nil }
    defer { curl_url_cleanup(parts) }
    guard curl_url_set(parts, CURLUPART_URL, text, 0) == CURLUE_OK else { return nil }
    self = .url(text)
  }
}
