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
      "The token that the configuration has for this name. It is ignored if the configuration has none."
    )
  }

  package static let method = Method.providerRegister
  package static let name: StaticString = "provider/register"
  package static let role: Role? = .provider
  package static let title = "Registers this client as a provider"
  package static let details =
    "The daemon then asks it with `provider/evaluate`, in turn with the other clients that hold the name. The configuration limits their number (`holders`), by default to one. A client beyond this limit, or one that holds the name already, gets 1007. If the configuration has a token for the name, a missing or wrong token fails with 1009."
  package static let failures: [FormErrorCode] = [.duplicateProvider, .wrongToken]
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

  package init(_ name: String) {
    self.name = name
  }

  package static let schemaName: StaticString? = "ProviderName"
  package static let summary: StaticString = "A provider's name."

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("name", &name, "The name.")
  }
}
