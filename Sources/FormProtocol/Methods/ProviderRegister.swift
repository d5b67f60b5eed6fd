/// Params of `provider/register`.
package struct ProviderRegisterParams: Call {
  /// The provider's name, as forms write it.
  package var name = ""
  /// The token of the configuration that the provider's client has to know.
  package var token: String?

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("name", &name, "The provider's name.", missing: "a provider's name")
    members.optional(
      "token",
      &token,
      "The token that the configuration has for this name; without one it does not matter."
    )
  }

  package static let method = Method.providerRegister
  package static let title = "This client answers for a provider"
  package static let details =
    "The daemon then asks it with `provider/evaluate`, in turn with others that hold the name. The configuration says how many may (`holders`), one by default; one more, or the same once more, gets 1007. A name for which the configuration has a token needs it: else 1009."
  package static let failures: [FormErrorCode] = [.duplicateProvider, .wrongToken, .quotaExceeded]
  package static var example: (params: Self, answer: ProviderName) {
    var params = Self()
    params.name = "grammar"
    return (params, ProviderName("grammar"))
  }
}

/// The answer to `provider/register` and to `provider/unregister`.
package struct ProviderName: Message, Sendable {
  /// The provider's name.
  package var name = ""

  package init() {}

  /// That name.
  package init(_ name: String) {
    self.name = name
  }

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("name", &name, "The name.")
  }
}
