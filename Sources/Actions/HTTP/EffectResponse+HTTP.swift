internal import HTTP
internal import JSON
internal import Sessions

extension EffectResponse {
  /// The answer or the failure of a request, as formulas see it.
  init(_ result: Result<HTTPResponse, HTTPFailure>, to method: String) {
    switch result {
    case .success(let response): self.init(response, to: method)
    case .failure(let failure): self.init(failure)
    }
  }

  /// An HTTP answer for a form: header names in lower case, a JSON body as a value, any other body as a text.
  private init(_ response: HTTPResponse, to method: String) {
    var headers = JSONObject()
    for field in response.headers {
      let name = field.name.lowercased()
      // RFC 9110, section 5.3: fields of one name are one list.
      if case .string(let before) = headers[name] {
        headers[name] = .string(before + ", " + field.value)
      } else {
        headers[name] = .string(field.value)
      }
    }
    let status = response.status
    // These answers have no body whatever their headers say (RFC 9110, sections 9.3.2, 15.3.5 and 15.4.5).
    let hasBody = method != "HEAD" && status != 204 && status != 304
    guard hasBody, !response.body.isEmpty || Self.isJSON(headers) else {
      self.init(kind: .ok, status: status, headers: headers)
      return
    }
    guard Self.isJSON(headers) else {
      self.init(
        kind: .ok,
        status: status,
        headers: headers,
        body: .string(String(decoding: response.body, as: UTF8.self))
      )
      return
    }
    do throws(JSONReadError) {
      let value = try JSON(parsing: response.body, limits: .message)
      self.init(kind: .ok, status: status, headers: headers, body: value)
    } catch {
      switch error.reason {
      case .depth, .nodes:
        self.init(kind: .tooLarge, status: status, headers: headers, reason: "the body is too large: \(error)")
      default:
        self.init(kind: .badBody, status: status, headers: headers, reason: "the body is not JSON: \(error)")
      }
    }
  }

  /// Whether the content type says JSON: `application/json` or a type that ends in `+json` (RFC 6839, section 3.1).
  private static func isJSON(_ headers: JSONObject) -> Bool {
    guard case .string(let text) = headers["content-type"] else { return false }
    let type = text.prefix { $0 != ";" && $0 != "," }.lowercased().filter { $0 != " " && $0 != "\t" }
    return type == "application/json" || type == "text/json" || type.hasSuffix("+json")
  }

  /// A failure for a form.
  private init(_ failure: HTTPFailure) {
    let kind: Kind =
      switch failure.kind {
      case .refused: .refused
      case .timeout: .timeout
      case .tls: .tls
      case .tooLarge: .tooLarge
      case .badBody: .badBody
      case .cancelled, .other: .error
      }
    self.init(kind: kind, reason: failure.reason)
  }
}
