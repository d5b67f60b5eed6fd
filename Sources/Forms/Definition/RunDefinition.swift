internal import JSON
internal import SourceTexts

/// A `run` as a definition writes it.
enum RunDefinition {
  case http(
    pointer: JSONPointer,
    service: String,
    method: String,
    path: String,
    query: [(name: String, formula: FormulaDefinition)],
    headers: [(name: String, formula: FormulaDefinition)],
    json: RequestValueDefinition?
  )
  case sql(
    pointer: JSONPointer,
    database: String,
    query: String,
    parameters: [(name: String, formula: FormulaDefinition)]
  )
  case provider(pointer: JSONPointer, name: String, arguments: [(name: String, value: RequestValueDefinition)])
}

extension RunDefinition {
  /// The keys of `run`, each with its schema.
  static let keys: JSONObject = [
    "http": DefinitionSchema.object(httpKeys, required: ["service", "path"], about: "A request to an HTTP service."),
    "sql": DefinitionSchema.object(sqlKeys, required: ["database", "query"], about: "A query to a database."),
    "provider": DefinitionSchema.object(
      providerKeys,
      required: ["name"],
      about: "A question to a client that registered as a provider."
    ),
  ]

  /// The schema of `run`.
  static let schema: JSON = [
    "description":
      "Work outside the form: exactly one of an HTTP request, a database query, and a question to a provider.",
    "type": "object", "minProperties": 1, "maxProperties": 1, "properties": .object(keys),
    "additionalProperties": false,
  ]

  private static let httpKeys: JSONObject = [
    "service": ["type": "string", "description": "A service of the daemon's configuration."],
    "method": [
      "description": "GET by default, POST with \"json\".", "enum": ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"],
    ],
    "path": [
      "type": "string", "pattern": "^/",
      "description":
        "The path at the service; {field} becomes that field's value, percent-encoded. A value with . or .. between slashes ends the run with a fault.",
    ],
    "query": ["$ref": "#/$defs/expressions", "description": "The parameters of the URL's query, by name."],
    "headers": ["$ref": "#/$defs/expressions", "description": "Headers, by name."],
    "json": ["$ref": "#/$defs/template", "description": "The body: JSON whose texts are expressions."],
  ]

  private static let sqlKeys: JSONObject = [
    "database": ["type": "string", "description": "A database of the daemon's configuration."],
    "query": ["type": "string", "description": "One SQL statement with :name parameters."],
    "parameters": ["$ref": "#/$defs/expressions", "description": "The parameters' values, by name."],
  ]

  private static let providerKeys: JSONObject = [
    "name": ["type": "string", "description": "The name under which a client registers."],
    "arguments": [
      "type": "object", "additionalProperties": ["$ref": "#/$defs/template"],
      "description": "The provider's arguments, by name.",
    ],
  ]
}

extension RunDefinition {
  /// Reads `run`: exactly one of `http`, `sql` and `provider`.
  init?(_ members: JSONObject, at parent: JSONPointer, what: String, with reader: inout DefinitionReader) {
    guard let block = members["run"] else { return nil }
    let pointer = parent.appending("run")
    guard
      let run = reader.object(block, at: pointer, keys: Self.keys, what: "\"run\" of \(what)")
    else { return nil }
    guard run.count == 1, let kind = run.first else {
      reader.collector.report(
        "conflict",
        at: pointer,
        "\"run\" of \(what) must hold exactly one of \"http\", \"sql\" and \"provider\""
      )
      return nil
    }
    let inner = pointer.appending(kind.name)
    switch kind.name {
    case "http": self.init(http: kind.value, at: inner, with: &reader)
    case "sql": self.init(sql: kind.value, at: inner, with: &reader)
    case "provider": self.init(provider: kind.value, at: inner, with: &reader)
    default: return nil
    }
  }

  private init?(http value: JSON, at pointer: JSONPointer, with reader: inout DefinitionReader) {
    guard
      let members = reader.object(
        value,
        at: pointer,
        keys: Self.httpKeys,
        what: "\"http\""
      )
    else { return nil }
    let service = reader.requiredString(members, "service", at: pointer, what: "\"http\"")
    let path = reader.requiredString(members, "path", at: pointer, what: "\"http\"")
    let method =
      reader.choice(
        members,
        "method",
        at: pointer,
        what: "\"http\"",
        among: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]
      )
      ?? (members["json"] == nil ? "GET" : "POST")
    guard let service, let path else { return nil }
    if !path.hasPrefix("/") {
      reader.collector.report(
        "path",
        at: pointer.appending("path"),
        "the path must start with \"/\"",
        remedy: "the address of the service is in the daemon's configuration, under services.\(service)"
      )
    }
    self = .http(
      pointer: pointer,
      service: service,
      method: method,
      path: path,
      query: reader.formulas(members, "query", at: pointer, what: "\"http\""),
      headers: reader.formulas(members, "headers", at: pointer, what: "\"http\""),
      json: members["json"].map { reader.requestValue($0, at: pointer.appending("json")) }
    )
  }

  private init?(sql value: JSON, at pointer: JSONPointer, with reader: inout DefinitionReader) {
    guard
      let members = reader.object(
        value,
        at: pointer,
        keys: Self.sqlKeys,
        what: "\"sql\""
      ),
      let database = reader.requiredString(members, "database", at: pointer, what: "\"sql\""),
      let query = reader.requiredString(members, "query", at: pointer, what: "\"sql\"")
    else { return nil }
    self = .sql(
      pointer: pointer,
      database: database,
      query: query,
      parameters: reader.formulas(members, "parameters", at: pointer, what: "\"sql\"")
    )
  }

  private init?(provider value: JSON, at pointer: JSONPointer, with reader: inout DefinitionReader) {
    guard
      let members = reader.object(value, at: pointer, keys: Self.providerKeys, what: "\"provider\""),
      let name = reader.requiredString(members, "name", at: pointer, what: "\"provider\"")
    else { return nil }
    var arguments: [(name: String, value: RequestValueDefinition)] = []
    if let block = members["arguments"] {
      if case .object(let entries) = block {
        arguments = entries.map {
          ($0.name, reader.requestValue($0.value, at: pointer.appending("arguments").appending($0.name)))
        }
      } else {
        reader.wrongType(
          block,
          at: pointer.appending("arguments"),
          expected: "an object of expressions",
          what: "\"arguments\""
        )
      }
    }
    self = .provider(pointer: pointer, name: name, arguments: arguments)
  }
}
