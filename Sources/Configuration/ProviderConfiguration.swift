internal import JSON
internal import SourceTexts

/// The configuration of a provider. A provider without one can register, too.
package struct ProviderConfiguration: Hashable, Sendable {
  /// The time limit for an answer, in milliseconds; nil: the form's limit applies.
  package var timeoutMs: Int?
  /// Whether the provider may receive secrets. Then there is a ``token``.
  package var secrets = false
  /// The token that a client must give to register it; nil: none.
  package var token: String?
  /// How many connections may hold its name at once.
  package var holdersMax = 1
  /// The numbers of characters that a token may have. A shorter one can be guessed.
  static let tokenLengths = 16...256

  package init(timeoutMs: Int? = nil, secrets: Bool = false, token: String? = nil, holdersMax: Int = 1) {
    self.timeoutMs = timeoutMs
    self.secrets = secrets
    self.token = token
    self.holdersMax = holdersMax
  }

  /// Whether a client that gives that token may register the provider. The time that this takes does not depend on how
  /// much of the token is right.
  package func admits(_ given: String?) -> Bool {
    guard let token else { return true }
    let (wanted, bytes) = (Array(token.utf8), Array((given ?? "").utf8))
    var difference = UInt8(wanted.count == bytes.count ? 0 : 1)
    for index in bytes.indices { difference |= bytes[index] ^ wanted[index % wanted.count] }
    return difference == 0
  }
}

extension ProviderConfiguration {
  /// The keys whose values may be in files of their own.
  static let secrets = [["token"]]

  /// The keys of a provider, each with its schema.
  static let keys: JSONObject = [
    "timeout": [
      "$ref": "#/$defs/duration",
      "description": "The maximum time for an answer; by default only the form's timeout applies.",
    ],
    "secrets": [
      "type": "boolean", "default": false,
      "description": "Whether the provider may receive secrets. It then needs a token.",
    ],
    "token": ConfigurationSchema.secret([
      "minLength": .integer(Int64(ProviderConfiguration.tokenLengths.lowerBound)),
      "maxLength": .integer(Int64(ProviderConfiguration.tokenLengths.upperBound)),
      "description":
        "The token that a client must send to register the provider: as long and as random as a password.",
    ]),
    "holders": [
      "type": "integer", "minimum": 1, "maximum": 64, "default": 1,
      "description":
        "How many connections may hold the provider's name at once. They are asked in turn. If one ends, its open questions that may be repeated go to the next.",
    ],
  ]

  /// The schema of a provider.
  static let schema: JSON = [
    "type": "object", "additionalProperties": false,
    "properties": .object(keys),
  ]
}

extension ConfigurationReader {
  /// The configuration of one provider.
  mutating func provider(_ member: JSONObject.Member) -> ProviderConfiguration {
    var provider = ProviderConfiguration(secrets: member.value["secrets"]?.boolValue ?? false)
    if let timeout = duration(member.value["timeout"], at: ["providers", member.name, "timeout"]) {
      let (seconds, attoseconds) = timeout.components
      provider.timeoutMs = Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
    provider.token = member.value["token"]?.stringValue
    if let token = provider.token {
      let location = JSONPointer(tokens: ["providers", member.name, "token"])
      note(secretAt: location)
      if !ProviderConfiguration.tokenLengths.contains(token.unicodeScalars.count) {
        collector.report(
          "token",
          at: location,
          "a token has \(ProviderConfiguration.tokenLengths.lowerBound) to \(ProviderConfiguration.tokenLengths.upperBound) characters"
        )
      }
    }
    if let holders = member.value["holders"]?.integerValue { provider.holdersMax = Int(holders) }
    if provider.secrets, provider.token == nil {
      collector.report(
        "token",
        at: JSONPointer(tokens: ["providers", member.name, "secrets"]),
        "a provider that may receive secrets needs a token; else any client could register \"\(member.name)\"",
        remedy: "add a \"token\" of at least 16 characters, and let the client send it in its registration"
      )
    }
    return provider
  }
}
