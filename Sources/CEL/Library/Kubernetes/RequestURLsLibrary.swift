extension Library {
  /// `url('https://example.com/')` and its parts.
  static let requestURLs = Library(
    name: "kubernetes.urls",
    overloads: urlMakers + urlParts,
    types: [RequestURL.type.name: .requestURL]
  )

  private static let urlMakers: [Overload] = [
    Overload(
      id: "string_to_url",
      name: "url",
      parameters: [.string],
      result: .requestURL,
      cost: .linear([0]),
      implementation: .text { text in
        do throws(RequestURL.ParsingError) {
          return .abstract(try RequestURL(parsing: text))
        } catch {
          return .failure(.conversion, "the URL \(text.excerpt) is none: \(error.message)")
        }
      }
    ),
    Overload(
      id: "is_url_string",
      name: "isURL",
      parameters: [.string],
      result: .bool,
      cost: .linear([0]),
      implementation: .text { .bool((try? RequestURL(parsing: $0)) != nil) }
    ),
  ]

  private static let urlParts: [Overload] = {
    func part(_ id: String, _ name: String, _ body: @escaping @Sendable (RequestURL) -> String) -> Overload {
      Overload(
        id: "url_get_\(id)",
        name: name,
        isMember: true,
        parameters: [.requestURL],
        result: .string,
        resultSize: .limit,
        implementation: .of(RequestURL.self) { .string(body($0)) }
      )
    }
    let query = Overload(
      id: "url_get_query",
      name: "getQuery",
      isMember: true,
      parameters: [.requestURL],
      result: .map(.string, .list(.string)),
      resultSize: .limit,
      implementation: .of(RequestURL.self) { url in
        .map(
          MapValue(
            uncheckedNames: url.queryValues.map { ($0.name, .list($0.values.map { .string($0) })) }
          )
        )
      }
    )
    return [
      part("scheme", "getScheme") { $0.scheme }, part("host", "getHost") { $0.host },
      part("hostname", "getHostname") { $0.hostname }, part("port", "getPort") { $0.port },
      part("escaped_path", "getEscapedPath") { $0.escapedPath }, query,
    ]
  }()
}
