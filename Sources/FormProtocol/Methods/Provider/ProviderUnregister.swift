package struct ProviderUnregisterParams: Call {
  /// The provider's name.
  package var name = ""

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("name", &name, "The provider's name.", missing: "a provider's name")
  }

  package static let method = Method.providerUnregister
  package static let name: StaticString = "provider/unregister"
  package static let role: Role? = .provider
  package static let title = "Ends this client's registration as a provider"
  package static let details =
    "After the answer, the daemon asks nothing more by that name. The client still has to answer earlier questions. After that, it can end the connection without failing any request."
  package static let failures: [FormErrorCode] = [.unknownProvider]
  package static var example: (params: Self, answer: ProviderName) {
    var params = Self()
    params.name = "grammar"
    return (params, ProviderName("grammar"))
  }
}
