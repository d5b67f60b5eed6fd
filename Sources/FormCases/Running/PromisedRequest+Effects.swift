internal import Formats
internal import JSON
internal import Sessions

extension PromisedRequest {
  /// Describes a request of the engine.
  init(_ request: EffectRequest) {
    self.init()
    switch request {
    case .http(let request):
      var pattern = HTTPPattern()
      pattern.service = request.service
      pattern.method = request.method
      let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      pattern.path = String(parts[0])
      if parts.count > 1 { pattern.query = Self.query(parts[1]) }
      if !request.headers.isEmpty {
        pattern.headers = JSONObject(request.headers.map { ($0.name.lowercased(), .string($0.value)) })
      }
      pattern.json = request.json
      http = pattern
    case .sql(let request):
      var pattern = SQLPattern()
      pattern.database = request.database
      pattern.query = request.query
      pattern.parameters = request.parameters
      sql = pattern
    case .provider(let request):
      var pattern = ProviderPattern()
      pattern.name = request.name
      pattern.arguments = request.arguments
      provider = pattern
    }
  }

  /// Names and texts of a query, decoded.
  private static func query(_ text: Substring) -> JSONObject {
    JSONObject(
      text.split(separator: "&").map { pair in
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
          PercentEncoding.decoded(String(part)) ?? String(part)
        }
        return (parts[0], .string(parts.count < 2 ? "" : parts[1]))
      }
    )
  }
}

extension PromisedResponse {
  /// The engine's response.
  ///
  /// - Parameter isHTTP: whether it comes from a service; then it has a status, and its body a type.
  func response(isHTTP: Bool) -> EffectResponse {
    // Header names are in lower case, as transports deliver them (RFC 9110, section 5.1).
    var headers = JSONObject((headers ?? [:]).map { ($0.name.lowercased(), $0.value) })
    let type = "content-type"
    if isHTTP, body != nil, headers[type] == nil { headers[type] = "application/json" }
    return EffectResponse(
      kind: kind.kind,
      status: status?.code ?? (isHTTP && kind == .ok ? 200 : 0),
      headers: headers,
      body: body,
      rows: rows?.map { .object($0) },
      sqlState: sqlState?.code,
      constraint: constraint
    )
  }
}
