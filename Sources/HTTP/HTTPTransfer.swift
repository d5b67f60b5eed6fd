internal import CCurl

#if canImport(Glibc)
  internal import Glibc
#endif

/// One request on its way through libcurl: the handle, what libcurl reads from, and what it writes to.
///
/// It is used on the thread of its ``HTTPClient`` alone, and libcurl calls back on that thread only.
///
/// **Unsafe memory.** libcurl keeps three pointers: to this object, to the list of header fields, and to the buffer for
/// error texts. The client holds the object until ``end()``, which frees the handle first, and then the list and the
/// buffer.
final class HTTPTransfer {
  /// The client calls it with the outcome.
  let completion: HTTPClient.Completion
  /// The handle of libcurl, valid until ``end()``.
  let handle: UnsafeMutableRawPointer

  private let request: HTTPRequest
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private let errorText: UnsafeMutablePointer<CChar>
  /// How much of the request's body libcurl has taken.
  private var bytesSent = 0
  private var head = HTTPResponseHead()
  private var body: [UInt8] = []
  /// Why a callback has refused bytes.
  private var refusal: HTTPFailure?
  private let connections: IdleConnections
  /// Whether the request has left the name server behind: it has begun to connect, or has a connection.
  private(set) var isResolved = false
  /// Whether the caller has an outcome already. The transfer ends as soon as its name is resolved.
  var isAbandoned = false
  /// Whether the connection was refused that libcurl had kept: ``retry()`` asks for a new one.
  private(set) var metStaleConnection = false

  /// Prepares a request. Nothing is sent until the handle is given to libcurl.
  ///
  /// - Parameters:
  ///   - idleTimeout: a connection that was idle for longer is not used again.
  ///   - connections: the connections that libcurl keeps.
  /// - Throws: a failure of kind `other` for a request that cannot be sent.
  init(
    _ request: HTTPRequest,
    idleTimeout: Duration,
    connections: IdleConnections,
    completion: @escaping HTTPClient.Completion
  ) throws(HTTPFailure) {
    guard HTTPHeader.isToken(request.method) else {
      throw HTTPFailure(
        .other,
        "the method \(request.method.debugDescription) has characters that a method cannot have"
      )
    }
    // A header field with a line break would add fields of its own to the request.
    if let field = request.headers.first(where: { !$0.isValid }) {
      throw HTTPFailure(
        .other,
        "the header field \(field.name.debugDescription) has characters that a header cannot hold"
      )
    }
    guard let handle = curl_easy_init() else { throw HTTPFailure(.other, "libcurl has no memory left") }
    self.request = request
    self.completion = completion
    self.handle = handle
    self.connections = connections
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    do throws(HTTPFailure) {
      try prepare(idleTimeout)
    } catch {
      end()
      throw error
    }
  }

  /// Frees what libcurl holds. The transfer must not be used afterwards, and libcurl must not know its handle any more.
  func end() {
    curl_easy_cleanup(handle)
    curl_slist_free_all(headerList)
    errorText.deallocate()
  }

  /// The outcome after libcurl has ended the transfer with that code.
  func outcome(_ code: CURLcode) -> Result<HTTPResponse, HTTPFailure> {
    if let refusal { return .failure(refusal) }
    guard code == CURLE_OK else { return .failure(failure(code)) }
    if request.connectsOnly { return .success(HTTPResponse(status: 0)) }
    var status = 0
    formd_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
    // A final answer has a status from 200 on (RFC 9110, section 15). libcurl accepts others: 000 to 099, and 101.
    guard (200...999).contains(status) else {
      return .failure(HTTPFailure(.other, "the server answered with the status \(status), which is not a final status"))
    }
    return .success(HTTPResponse(status: status, headers: head.fields, body: body))
  }

  // MARK: Preparing

  private func prepare(_ idleTimeout: Duration) throws(HTTPFailure) {
    set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(errorText))
    // libcurl uses no signals: this process has several threads.
    set(CURLOPT_NOSIGNAL, 1)
    // libcurl resolves a name on a thread of its own. A cancelled request does not wait for that thread.
    set(CURLOPT_QUICK_EXIT, 1)
    try set(CURLOPT_PROTOCOLS_STR, "http,https")
    try set(CURLOPT_URL, request.url)
    // A changed file of authorities counts after this time.
    set(CURLOPT_CA_CACHE_TIMEOUT, Self.authoritiesSecondsMax)
    // HTTP/2 if both sides agree on it while TLS is set up; else HTTP/1.1.
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    set(CURLOPT_CONNECTTIMEOUT_MS, Self.connectMillisecondsMax)
    set(CURLOPT_MAXAGE_CONN, Int(clamping: idleTimeout.components.seconds))
    if request.connectsOnly { set(CURLOPT_CONNECT_ONLY, 1) }
    prepareConnection()
    try prepareRoute()
    try prepareMethod()
    try prepareHeaders()
    try set(CURLOPT_ACCEPT_ENCODING, HTTPResponseHead.codings.joined(separator: ", "))
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_HEADERDATA, Unmanaged.passUnretained(self).toOpaque())
    set(CURLOPT_HEADERFUNCTION) { bytes, _, count, transfer in
      HTTPTransfer.of(transfer).received(headerLine: UnsafeRawBufferPointer(start: bytes, count: count))
    }
    set(CURLOPT_WRITEDATA, Unmanaged.passUnretained(self).toOpaque())
    set(CURLOPT_WRITEFUNCTION) { bytes, _, count, transfer in
      HTTPTransfer.of(transfer).received(body: UnsafeRawBufferPointer(start: bytes, count: count))
    }
  }

  private func prepareConnection() {
    set(CURLOPT_OPENSOCKETDATA, Unmanaged.passUnretained(self).toOpaque())
    formd_curl_set_socket_function(handle) { transfer, _, address in
      let transfer = HTTPTransfer.of(transfer)
      transfer.isResolved = true
      guard !transfer.isAbandoned, let address = address?.pointee else { return CURL_SOCKET_BAD }
      // Programs that this process starts do not inherit the connection.
      return socket(address.family, address.socktype | CInt(SOCK_CLOEXEC.rawValue), address.protocol)
    }
    set(CURLOPT_PREREQDATA, Unmanaged.passUnretained(self).toOpaque())
    formd_curl_set_request_function(handle) { transfer, _, _, _, localPort in
      let transfer = HTTPTransfer.of(transfer)
      transfer.isResolved = true
      if transfer.isAbandoned { return CURL_PREREQFUNC_ABORT }
      if transfer.connections.take(localPort) { return CURL_PREREQFUNC_OK }
      transfer.metStaleConnection = true
      return CURL_PREREQFUNC_ABORT
    }
  }

  /// Prepares the same request once more, on a new connection. Nothing of it has been sent.
  func retry() {
    metStaleConnection = false
    set(CURLOPT_FRESH_CONNECT, 1)
  }

  /// Closes the connection when the transfer is taken from libcurl, unless other transfers use it. HTTP/2 would keep
  /// it, and a server that has stopped answering would get the next request, too.
  func closeConnection() { set(CURLOPT_FORBID_REUSE, 1) }

  /// Notes the connection that libcurl keeps after the transfer.
  func noteIdleConnection() {
    var port = 0
    var socket = CURL_SOCKET_BAD
    formd_curl_get_long(handle, CURLINFO_LOCAL_PORT, &port)
    formd_curl_get_socket(handle, CURLINFO_ACTIVESOCKET, &socket)
    if socket != CURL_SOCKET_BAD { connections.add(socket, localPort: CInt(clamping: port)) }
  }

  private func prepareRoute() throws(HTTPFailure) {
    let route = request.route
    switch route.proxy {
    // The empty text keeps libcurl from the variables of the environment.
    case .none: try set(CURLOPT_PROXY, "")
    case .environment: break
    case .url(let url):
      try set(CURLOPT_PROXY, url)
      try set(CURLOPT_NOPROXY, "")
    }
    if let socket = route.socket {
      try set(CURLOPT_UNIX_SOCKET_PATH, socket)
      // It has no port by which `IdleConnections` would know it, and a new one costs little.
      set(CURLOPT_FORBID_REUSE, 1)
    }
    switch route.tlsMin {
    case .tls12: set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    case .tls13: set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_3))
    }
    if let file = route.caFile {
      try set(CURLOPT_CAINFO, file)
      // Without this, libcurl would also trust the system's folder of certificates.
      formd_curl_set_text(handle, CURLOPT_CAPATH, nil)
    }
    if let file = route.certificateFile {
      try set(CURLOPT_SSLCERT, file)
      try set(CURLOPT_SSLKEY, route.keyFile ?? file)
    }
  }

  /// libcurl sends a request again on a new connection if the old one breaks before the first byte of an answer. The
  /// server may have executed the request by then. RFC 9110, section 9.2.2, permits that for idempotent methods only.
  ///
  /// So libcurl gets each body only once: this transfer sets no `CURLOPT_SEEKFUNCTION`. A request without a body gets a
  /// new connection unless its method is safe: on a new connection libcurl does not send it again.
  private func prepareMethod() throws(HTTPFailure) {
    let method = request.method
    if method == "HEAD" {
      set(CURLOPT_NOBODY, 1)
      return
    }
    // These methods have a `content-length` even without a body (RFC 9110, section 8.6).
    if request.body != nil || ["POST", "PUT", "PATCH"].contains(method) {
      set(CURLOPT_POST, 1)
      formd_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body?.count ?? 0))
      set(CURLOPT_READDATA, Unmanaged.passUnretained(self).toOpaque())
      set(CURLOPT_READFUNCTION) { bytes, size, count, transfer in
        HTTPTransfer.of(transfer).fill(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
      }
    }
    try set(CURLOPT_CUSTOMREQUEST, method)
    if method != "GET", request.body?.isEmpty ?? true { set(CURLOPT_FRESH_CONNECT, 1) }
  }

  private func prepareHeaders() throws(HTTPFailure) {
    for field in request.headers where !field.framesBody {
      // libcurl reads "name:" as a field to leave out, and "name;" as a field with an empty value.
      let isBlank = field.value.utf8.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      try append(isBlank ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    // libcurl would wait for permission to send a long body, and call it a form's.
    try append("Expect:")
    if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) { try append("Content-Type:") }
    formd_curl_set_list(handle, CURLOPT_HTTPHEADER, headerList)
  }

  private func append(_ line: String) throws(HTTPFailure) {
    guard let list = curl_slist_append(headerList, line) else {
      throw HTTPFailure(.other, "libcurl has no memory left")
    }
    headerList = list
  }

  /// As long as most systems try to connect before they give up a first address.
  private static let connectMillisecondsMax = 10_000
  private static let authoritiesSecondsMax = 60

  private func set(_ option: CURLoption, _ value: Int) {
    let code = formd_curl_set_long(handle, option, value)
    precondition(code == CURLE_OK, "libcurl does not know the option \(option.rawValue): error \(code.rawValue)")
  }

  private func set(_ option: CURLoption, _ pointer: UnsafeMutableRawPointer) {
    let code = formd_curl_set_pointer(handle, option, pointer)
    precondition(code == CURLE_OK, "libcurl does not know the option \(option.rawValue): error \(code.rawValue)")
  }

  private func set(_ option: CURLoption, _ function: @escaping curl_write_callback) {
    let code = formd_curl_set_bytes_function(handle, option, function)
    precondition(code == CURLE_OK, "libcurl does not know the option \(option.rawValue): error \(code.rawValue)")
  }

  private func set(_ option: CURLoption, _ text: String) throws(HTTPFailure) {
    let code = formd_curl_set_text(handle, option, text)
    guard code == CURLE_OK else {
      throw HTTPFailure(.other, "libcurl rejects a setting: \(String(cString: curl_easy_strerror(code)))")
    }
  }

  // MARK: Called by libcurl

  /// The transfer that libcurl was given as the argument of a callback.
  private static func of(_ argument: UnsafeMutableRawPointer?) -> HTTPTransfer {
    guard let argument else { preconditionFailure("libcurl has lost its transfer") }
    return Unmanaged<HTTPTransfer>.fromOpaque(argument).takeUnretainedValue()
  }

  /// Gives the next bytes of the request's body. Returns how many.
  private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let rest = (request.body ?? [])[bytesSent...].prefix(buffer.count)
    buffer.copyBytes(from: rest)
    bytesSent += rest.count
    return rest.count
  }

  /// Takes one line of the answer's header. Returns how many bytes it took: fewer than there are end the transfer.
  private func received(headerLine line: UnsafeRawBufferPointer) -> Int {
    do throws(HTTPFailure) {
      try head.append(line)
      return line.count
    } catch {
      refusal = error
      return 0
    }
  }

  /// Takes a piece of the answer's body, decompressed. Returns how many bytes it took.
  private func received(body piece: UnsafeRawBufferPointer) -> Int {
    guard piece.count <= request.answerBytesMax - body.count else {
      refusal = HTTPFailure(.tooLarge, "the answer's body has more than \(request.answerBytesMax) bytes")
      return 0
    }
    body.append(contentsOf: piece)
    return piece.count
  }

  // MARK: Failures

  private func failure(_ code: CURLcode) -> HTTPFailure {
    // libcurl's own text about a proxy quotes its URL, which may hold a password.
    let own = request.route.proxy == .none ? String(cString: errorText) : ""
    let text = own.isEmpty ? String(cString: curl_easy_strerror(code)) : own
    let kind = kind(of: code)
    return HTTPFailure(kind, certificateProblem(code).map { "\($0) (\(text))" } ?? text)
  }

  /// What is wrong with the server's certificate; nil if another problem ended the transfer.
  private func certificateProblem(_ code: CURLcode) -> String? {
    guard code == CURLE_PEER_FAILED_VERIFICATION else { return nil }
    var result = 0
    formd_curl_get_long(handle, CURLINFO_SSL_VERIFYRESULT, &result)
    // X509_STORE_CTX_get_error(3). libcurl compares the name first, and begins with 1.
    switch result {
    case 0, 1: return "the server's certificate is for another host name"
    case 2, 18, 19, 20, 21: return "the server's certificate is from an unknown authority"
    case 9: return "the server's certificate is not valid yet"
    case 10: return "the server's certificate has expired"
    default: return "the server's certificate is not accepted"
    }
  }

  /// Whether the connection broke while TLS was set up. libcurl reports it like a disagreement on TLS: only its text
  /// differs.
  private var wasCut: Bool {
    let text = String(cString: errorText)
    return [
      "SSL_ERROR_SYSCALL", "unexpected eof", String(cString: strerror(ECONNRESET)), String(cString: strerror(EPIPE)),
    ]
    .contains { text.contains($0) }
  }

  private func kind(of code: CURLcode) -> HTTPFailure.Kind {
    switch code {
    case CURLE_OPERATION_TIMEDOUT: return .timeout
    case CURLE_COULDNT_CONNECT:
      var number = 0
      formd_curl_get_long(handle, CURLINFO_OS_ERRNO, &number)
      return number == ETIMEDOUT ? .timeout : .refused
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: return .refused
    case CURLE_SSL_CONNECT_ERROR where wasCut: return .refused
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ENGINE_NOTFOUND,
      CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
      return .tls
    case CURLE_BAD_CONTENT_ENCODING: return .badBody
    default: return .other
    }
  }
}
