public import JSON

/// Names one run of an effect within its session. A name is never used twice there.
public struct EffectID: Hashable, Sendable, CustomStringConvertible {
  /// The number. A later effect has a larger one.
  public var rawValue: UInt64

  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  public var description: String { "\(rawValue)" }
}

/// Work outside of the engine that a turn asks for: a request, a query, a call to a provider.
///
/// The caller performs the effect and answers with ``Input/effect(_:_:)`` at any later time. The engine has a deadline
/// of its own, and ignores an answer that comes after it.
public struct Effect: Sendable {
  /// Names this run.
  public var id: EffectID
  /// The work to do.
  public var request: EffectRequest
  /// How long the engine waits for the answer. The caller that performs the effect may give up at that time, too.
  public var timeout: Duration
  /// Whether it belongs to a check or a lookup. These only ask, so asking twice does no harm. A request of an action
  /// may change something.
  public var onlyAsks: Bool

  public init(id: EffectID, request: EffectRequest, timeout: Duration, onlyAsks: Bool = false) {
    self.id = id
    self.request = request
    self.timeout = timeout
    self.onlyAsks = onlyAsks
  }
}

/// The work that an effect asks for. Services, databases and providers are names from the daemon's configuration.
public enum EffectRequest: Sendable {
  /// A request to an HTTP service.
  case http(HTTPRequest)
  /// A query of a database.
  case sql(SQLRequest)
  /// A call to a client that is registered as a provider.
  case provider(ProviderRequest)

  /// A request to a named HTTP service.
  public struct HTTPRequest: Sendable {
    /// The service's name in the configuration.
    public var service: String
    /// The method, as written: `POST`.
    public var method: String
    /// Path and query, percent-encoded, starting with `/`. They are relative to the service's base URL.
    public var target: String
    /// Names and values.
    public var headers: [(name: String, value: String)]
    /// The JSON body, if there is one.
    public var json: JSON?

    public init(
      service: String,
      method: String,
      target: String,
      headers: [(name: String, value: String)] = [],
      json: JSON? = nil
    ) {
      self.service = service
      self.method = method
      self.target = target
      self.headers = headers
      self.json = json
    }
  }

  /// A query to a named database.
  public struct SQLRequest: Sendable {
    /// The database's name in the configuration.
    public var database: String
    /// One SQL statement with `:name` parameters.
    public var query: String
    /// The values by the names of the parameters, without the colon.
    public var parameters: JSONObject

    public init(database: String, query: String, parameters: JSONObject) {
      self.database = database
      self.query = query
      self.parameters = parameters
    }
  }

  /// A call to a connected provider.
  public struct ProviderRequest: Sendable {
    /// The name under which it registered.
    public var name: String
    /// The arguments that the provider gets.
    public var arguments: JSONObject
    /// Whether an argument was computed from a secret. If so, only providers that the configuration names may be asked.
    public var readsSecrets: Bool
    /// The key that all tries of one tap share, and no other tap of any session has. It is nil unless the action has
    /// `idempotency`. A provider uses it to recognize a request that it has already executed.
    public var idempotencyKey: String?

    public init(name: String, arguments: JSONObject, readsSecrets: Bool, idempotencyKey: String? = nil) {
      self.name = name
      self.arguments = arguments
      self.readsSecrets = readsSecrets
      self.idempotencyKey = idempotencyKey
    }
  }
}

/// The answer to an effect, or the kind of its failure. Both are values that outcomes can tell apart.
public struct EffectResponse: Sendable {
  /// How it ended. Formulas see the raw value as `response.kind`.
  public enum Kind: String, Sendable, CaseIterable {
    /// An answer came, whatever its status.
    case ok
    /// Nothing listens at the address.
    case refused
    /// No answer in time.
    case timeout
    /// The connection could not be secured.
    case tls
    /// The answer is larger than allowed, or does not fit into the available memory.
    case tooLarge
    /// The answer's content type is JSON, but its body is not.
    case badBody
    /// No provider of that name is connected.
    case noProvider
    /// The provider went away before it answered, or the connection to the database was lost. The request may have been
    /// executed.
    case gone
    /// Anything else that went wrong. The reason is in the log.
    case error
    /// A formula of the request had a run-time error.
    case fault
    /// The session was restored from a snapshot while an action's request was under way. It is not known whether the
    /// request was executed.
    case interrupted
  }

  /// How it ended.
  public var kind: Kind
  /// The HTTP status, or 0 without an answer.
  public var status: Int
  /// Header names in lower case, values joined with `, `.
  public var headers: JSONObject
  /// The body: JSON, or a text when its content type is not JSON, or nil without a body.
  public var body: JSON?
  /// The rows of a query, an object each.
  public var rows: [JSON]?
  /// The database's error as a code of ISO/IEC 9075-2, section 24 (SQLSTATE): five characters. For example, `23505`
  /// means that a value must be unique and exists already. It is nil if the database gives no code.
  public var sqlState: String?
  /// The object that a statement has violated, in the database's terms: a constraint's name, or columns. It is nil if
  /// the database does not name it.
  public var constraint: String?
  /// The cause of the failure for the log. It never contains a field's value.
  public var reason: String?

  public init(
    kind: Kind,
    status: Int = 0,
    headers: JSONObject = [:],
    body: JSON? = nil,
    rows: [JSON]? = nil,
    sqlState: String? = nil,
    constraint: String? = nil,
    reason: String? = nil
  ) {
    self.kind = kind
    self.status = status
    self.headers = headers
    self.body = body
    self.rows = rows
    self.sqlState = sqlState
    self.constraint = constraint
    self.reason = reason
  }
}
