package import FormProtocol
package import JSON

/// A promised answer of a service, a database or a provider, with the request that it is for.
package struct PromisedAnswer: Message, Sendable {
  /// A request to a service; members that are left out may have any value.
  package var http: HTTPPattern?
  /// A query of a database; members that are left out may have any value.
  package var sql: SQLPattern?
  /// A call to a provider; members that are left out may have any value.
  package var provider: ProviderPattern?
  /// The number of requests that it answers; nil: one.
  package var times: AnswerCount?
  /// The time until the answer comes; nil: no time.
  package var after: CaseDuration?
  /// The name by which a step releases the answer.
  package var held: String?
  /// The response; nil: status 200 without a body, no rows.
  package var response: PromisedResponse?

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.optional("http", &http, "Answers a request to a service. Members that are left out may have any value.")
    members.optional("sql", &sql, "Answers a query of a database. Members that are left out may have any value.")
    members.optional(
      "provider",
      &provider,
      "Answers a question to a provider. Members that are left out may have any value."
    )
    members.optional(
      "times",
      &times,
      "How many requests it answers: a number, which must all come, or \"any\". Without it, one."
    )
    members.optional("after", &after, "How long the answer takes, 24h at most. Without it, the answer comes at once.")
    members.optional("held", &held, "Holds the answer back until a step {\"answer\": NAME} releases it.")
    members.optional("response", &response, "The response. Without it, status 200 without a body, or no rows.")
  }

  package func check(_ reader: inout MessageReader) {
    let kinds = [http != nil, sql != nil, provider != nil].count { $0 }
    // The reader has reported a part that it could not read.
    let written = ["http", "sql", "provider"].count { reader.has($0) }
    if kinds != 1, written != 1 {
      reader.note(.value, "exactly one of http, sql and provider: the request that is answered")
    }
    if http != nil, response?.rows != nil {
      reader.note(
        .value,
        "left out: a service answers with a body, not with rows",
        inside: "response",
        at: JSONPointer(tokens: ["rows"])
      )
    }
    for (name, isThere) in [("sqlState", response?.sqlState != nil), ("constraint", response?.constraint != nil)]
    where isThere && sql == nil {
      reader.note(.value, "left out: only a database returns it", inside: "response", at: JSONPointer(tokens: [name]))
    }
    if held != nil, after != nil { reader.note(.value, "left out: only held or after may be there", atMember: "after") }
    if held != nil, times != nil { reader.note(.value, "left out: only held or times may be there", atMember: "times") }
  }

  package static let summary: StaticString = "The answer of a service, a database or a provider."

  /// The members that a request must have, in the shape of a ``PromisedRequest``.
  package var pattern: JSON {
    var pattern = Self()
    (pattern.http, pattern.sql, pattern.provider) = (http, sql, provider)
    return pattern.json
  }
}

/// The number of requests that an answer is for.
package enum AnswerCount: MemberValue, Hashable, Sendable {
  /// Exactly that many requests must come.
  case exactly(Int)
  /// Any number of requests, also none.
  case any

  package static var schema: JSONObject { ["anyOf": [["type": "integer", "minimum": 1], ["const": "any"]]] }
  package static var expectation: String { "a whole number from 1, or \"any\"" }

  package static func read(_ node: JSONNode, _ reader: inout MessageReader) -> AnswerCount? {
    if let number = node.integer, number > 0 { return .exactly(Int(clamping: number)) }
    if node.string == "any" { return .any }
    reader.note(.value, expectation)
    return nil
  }

  package func write(into buffer: OutputBuffer) {
    switch self {
    case .exactly(let number): buffer.write(number)
    case .any: buffer.write("any")
    }
  }
}

/// A request to a service, in the shape of a form's `run`, with values instead of formulas. Members that are left out
/// may have any value.
package struct HTTPPattern: Message, Sendable {
  /// The service's name.
  package var service: String?
  /// The method, as the form writes it.
  package var method: String?
  /// The path without the query, percent-encoded.
  package var path: String?
  /// Texts of the query by name, decoded; null: absent.
  package var query: JSONObject?
  /// Headers by name in lower case.
  package var headers: JSONObject?
  /// The body.
  package var json: JSON?

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.optional("service", &service, "The service's name.")
    members.optional("method", &method, "The method: POST.")
    members.optional("path", &path, "The path, percent-encoded, without the query.")
    members.optional("query", &query, "The query's parameters, by name; null for an absent parameter.")
    members.optional("headers", &headers, "Headers, by name in lower case.")
    members.optional("json", &json, "The body. It may have more members; null means that a member is absent.")
  }

  package static let summary: StaticString =
    "A request to a service, with the members of \"http\" in a form's \"run\", and values instead of formulas."
}

/// A query of a database. Members that are left out may have any value.
package struct SQLPattern: Message, Sendable {
  /// The database's name.
  package var database: String?
  /// The statement, as the form writes it.
  package var query: String?
  /// Values by name.
  package var parameters: JSONObject?

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.optional("database", &database, "The database's name.")
    members.optional("query", &query, "The statement, as the form writes it.")
    members.optional("parameters", &parameters, "The parameters' values, by name.")
  }

  package static let summary: StaticString =
    "A query of a database, with the members of \"sql\" in a form's \"run\", and values instead of formulas."
}

/// A call to a provider. Members that are left out may have any value.
package struct ProviderPattern: Message, Sendable {
  /// The provider's name.
  package var name: String?
  /// Values by name.
  package var arguments: JSONObject?

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.optional("name", &name, "The provider's name.")
    members.optional("arguments", &arguments, "The arguments' values, by name.")
  }

  package static let summary: StaticString =
    "A question to a provider, with the members of \"provider\" in a form's \"run\", and values instead of formulas."
}

/// A response, which formulas see as `response`.
package struct PromisedResponse: Message, Sendable {
  /// How the request ended.
  package var kind = ResponseKind.ok
  /// The HTTP status; nil: 200 for a service that answers, else 0.
  package var status: ResponseStatus?
  /// Headers by name.
  package var headers: JSONObject?
  /// The body of a service's response, or the result of a provider.
  package var body: JSON?
  /// The rows of a query.
  package var rows: [JSONObject]?
  /// The database's error code.
  package var sqlState: SQLState?
  /// The name of the constraint that a statement violated.
  package var constraint: String?

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.optional("kind", &kind, default: .ok, "How the request ended; 'ok' means an answer of any status.")
    members.optional("status", &status, "The HTTP status. Without it, 200 if the service answers.")
    members.optional("headers", &headers, "Headers, by name; formulas see the names in lower case.")
    members.optional("body", &body, "The body: any JSON. For a provider, its result.")
    members.optional("rows", &rows, "The rows of a query. Each row is an object.")
    members.optional("sqlState", &sqlState, "For kind \"error\": the database's error code, such as 23505.")
    members.optional("constraint", &constraint, "For kind \"error\": the violated constraint, such as users.email.")
  }

  package func check(_ reader: inout MessageReader) {
    if status != nil, !ResponseKind.withStatus.contains(kind) {
      reader.note(.value, "left out: no status comes with \"\(kind.written)\"", atMember: "status")
    }
    if body != nil, kind != .ok {
      reader.note(.value, "left out: no body comes with \"\(kind.written)\"", atMember: "body")
    }
    if sqlState != nil, kind != .error { reader.note(.value, Self.ofErrors, atMember: "sqlState") }
    if constraint != nil, kind != .error { reader.note(.value, Self.ofErrors, atMember: "constraint") }
  }

  private static let ofErrors = "left out: it needs the kind \"error\""

  package static let summary: StaticString = "The value of 'response' in formulas."
}
