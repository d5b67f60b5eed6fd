/// Params of `provider/unregister`.
package struct ProviderUnregisterParams: Call {
  /// The provider's name.
  package var name = ""

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("name", &name, "The provider's name.", missing: "a provider's name")
  }

  package static let method = Method.providerUnregister
  package static let title = "This client is asked nothing more"
  package static let details =
    "Nothing more is asked by that name behind the answer. What was asked before is still to be answered; once that is done, the connection can end and nobody misses it."
  package static let failures: [FormErrorCode] = [.unknownProvider]
  package static var example: (params: Self, answer: ProviderName) {
    var params = Self()
    params.name = "grammar"
    return (params, ProviderName("grammar"))
  }
}
