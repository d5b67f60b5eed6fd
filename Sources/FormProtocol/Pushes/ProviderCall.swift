package import JSON

/// The daemon asks the client that registered a provider.
package struct ProviderCall: Push {
  /// The provider's name.
  package var name = ""
  /// The arguments of the form's call.
  package var arguments = JSONObject()
  /// One key for all calls of one tap; nil if the form has none.
  package var idempotencyKey: String?

  package init() {}

  /// Asks that provider.
  package init(name: String, arguments: JSONObject, idempotencyKey: String? = nil) {
    self.name = name
    self.arguments = arguments
    self.idempotencyKey = idempotencyKey
  }

  package static let schemaName: StaticString? = "ProviderCall"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("name", &name, "The provider's name.")
    members.required("arguments", &arguments, "The arguments of the form's question.")
    members.optional(
      "idempotencyKey",
      &idempotencyKey,
      "Of an action with `idempotency`: a key that is the same in all questions of one tap, to all providers, and different for every other tap."
    )
  }

  package static let push = PushMethod.providerEvaluate
  package static let pushTitle = "Asks the client that registered the provider"
  package static var answer: (any MemberValue.Type, description: String)? {
    (JSON.self, "The value that the form reads as `response.body`.")
  }
  package static var pushExample: Self { Self(name: "grammar", arguments: ["text": "hello"]) }
}
