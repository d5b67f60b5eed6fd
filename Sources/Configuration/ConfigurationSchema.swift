internal import Actions
package import JSON
internal import JSONSchema

/// The JSON Schema of the configuration file: `protocol/schema/config.schema.json`. The daemon checks its file against
/// it at start. Each type of the configuration lists its keys with their schemas, and reads them in the same file.
package enum ConfigurationSchema {
  /// The schema's text, exactly as the repository has it.
  package static var text: String { json.indentedText + "\n" }

  /// The schema.
  package static let json: JSON = [
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "formd configuration",
    "description":
      "One JSON file for the daemon: formd serve --config FILE. Flags and environment override it. Relative paths are relative to the file's folder.",
    "type": "object",
    "additionalProperties": false,
    "properties": .object(ServerConfiguration.keys),
    "$defs": [
      "peer": PeerConfiguration.schema,
      "webForm": WebConfiguration.Form.schema,
      "service": ServiceConfiguration.schema,
      "database": DatabaseConfiguration.schema,
      "provider": ProviderConfiguration.schema,
      "duration": [
        "type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?(ms|s|m|h)$",
        "description": "A duration such as 300ms or 10s; at most a day.",
      ],
    ],
  ]

  static let postgresURL: JSON = [
    "type": "string", "pattern": "^postgres(ql)?://",
    "description":
      "The database's URL for libpq: postgresql://formd@db.example.com/shop?sslmode=verify-full, postgresql:///shop?host=/run/postgresql. It must not contain a password.",
  ]

  static let postgresPassword = secret([
    "minLength": 1,
    "description":
      "The password. The daemon reads a file or credential for each connection, and takes its first line. Without it, libpq looks for a password as psql does: ~/.pgpass.",
  ])

  /// A secret: a text of those keywords, or an object that names the file with the text. An object has exactly one
  /// member.
  static func secret(_ text: JSONObject = [:]) -> JSON {
    var schema = text
    schema["type"] = ["string", "object"]
    schema["maxProperties"] = 1
    // No message names an unknown member, because a secret may be in its place.
    schema["anyOf"] = [["type": "string"], ["required": ["file"]], ["required": ["credential"]]]
    schema["properties"] = [
      "file": [
        "type": "string", "minLength": 1,
        "description": "The file that has the secret. The end of its last line does not count.",
      ],
      "credential": [
        "type": "string", "pattern": "^[A-Za-z0-9_.-]*[A-Za-z0-9_-][A-Za-z0-9_.-]*$",
        "description":
          "The name of a credential of the service manager (systemd's LoadCredential=), a file in $CREDENTIALS_DIRECTORY.",
      ],
    ]
    return .object(schema)
  }

  /// The schema, compiled; it is ours, so it compiles (a test says so).
  static let compiled: Schema? = try? Schema.compile(json)

  /// The names that an object knows, given the location of its `additionalProperties` in the schema.
  static func names(besides keyword: String) -> [String] {
    schema(of: keyword)?["properties"]?.objectValue?.map(\.name) ?? []
  }

  /// The description of the schema that has that keyword.
  static func description(beside keyword: String) -> String? {
    schema(of: keyword)?["description"]?.stringValue
  }

  /// The schema that has the keyword of that location.
  private static func schema(of keyword: String) -> JSON? {
    guard let hash = keyword.firstIndex(of: "#"),
      var pointer = JSONPointer(String(keyword[keyword.index(after: hash)...])),
      !pointer.tokens.isEmpty
    else { return nil }
    pointer.tokens.removeLast()
    return json.value(at: pointer)
  }
}
