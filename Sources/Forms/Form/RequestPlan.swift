internal import CEL
package import JSON

/// An effect with its arguments as formulas.
package enum RequestPlan: Sendable {
  /// A request to an HTTP service.
  case http(HTTPRequest)
  /// A query of a database.
  case sql(database: String, query: String, parameters: [(name: String, formula: Formula)])
  /// A call to a client that is registered under that name.
  case provider(name: String, arguments: [(name: String, value: RequestValue)], readsSecrets: Bool)

  /// A request to an HTTP service.
  package struct HTTPRequest: Sendable {
    /// The service's name in the configuration.
    package let service: String
    /// The method, as written: `POST`.
    package let method: String
    /// The path's pieces, in order.
    package let path: [PathPiece]
    /// The query's names and values.
    package let query: [(name: String, formula: Formula)]
    /// The headers' names and values.
    package let headers: [(name: String, formula: Formula)]
    /// The body; nil: none.
    package let json: RequestValue?
  }

  /// A piece of a path: a literal text, or a field's value to be percent-encoded.
  package enum PathPiece: Sendable {
    /// A text of the definition.
    case literal(String)
    /// A formula whose value is percent-encoded.
    case formula(Formula)
  }
}

/// A tree of JSON whose text leaves are formulas.
package indirect enum RequestValue: Sendable {
  /// A value that is computed.
  case formula(Formula)
  /// A value that is written out.
  case literal(JSON)
  /// All values of the session, as its schema sees them: without hidden fields.
  case values(holdSecret: Bool)
  /// The values that differ from the initial values: without hidden fields.
  case changes(holdSecret: Bool)
  /// A list of such trees.
  case array([RequestValue])
  /// Members with such trees.
  case object([(name: String, value: RequestValue)])
}

extension RequestPlan {
  /// Every formula of the request.
  package var formulas: [Formula] {
    switch self {
    case .http(let http):
      http.path.compactMap { piece in if case .formula(let formula) = piece { formula } else { nil } }
        + http.query.map(\.formula) + http.headers.map(\.formula) + (http.json?.formulas ?? [])
    case .sql(_, _, let parameters): parameters.map(\.formula)
    case .provider(_, let arguments, _): arguments.flatMap { $0.value.formulas }
    }
  }

  /// Whether the request has all values of the session in it, or all that have changed.
  package var sendsAllValues: Bool {
    values.contains { value in
      value.leaves {
        switch $0 {
        case .values, .changes: true
        default: false
        }
      }
    }
  }

  /// Whether the request has the changed values of the session in it.
  package var sendsChanges: Bool {
    values.contains { value in value.leaves { if case .changes = $0 { true } else { false } } }
  }

  /// Whether a secret can be in the request.
  package var readsSecret: Bool {
    formulas.contains(where: \.readsSecret) || values.contains(where: \.readsSecret)
  }

  private var values: [RequestValue] {
    switch self {
    case .http(let http): http.json.map { [$0] } ?? []
    case .sql: []
    case .provider(_, let arguments, _): arguments.map(\.value)
    }
  }
}

extension RequestValue {
  /// Every formula in the tree.
  var formulas: [Formula] {
    switch self {
    case .literal, .values, .changes: []
    case .formula(let formula): [formula]
    case .array(let elements): elements.flatMap(\.formulas)
    case .object(let members): members.flatMap { $0.value.formulas }
    }
  }

  /// Whether a secret can be in the tree.
  var readsSecret: Bool {
    leaves { leaf in
      switch leaf {
      case .values(let holdSecret), .changes(let holdSecret): holdSecret
      case .formula(let formula): formula.readsSecret
      default: false
      }
    }
  }

  /// Whether a leaf of the tree is as wanted.
  fileprivate func leaves(_ isWanted: (RequestValue) -> Bool) -> Bool {
    switch self {
    case .array(let elements): elements.contains { $0.leaves(isWanted) }
    case .object(let members): members.contains { $0.value.leaves(isWanted) }
    case .literal, .values, .changes, .formula: isWanted(self)
    }
  }
}
