package import JSON

/// The daemon asks the client that registered a provider.
package struct ProviderQuestion: Push {
  /// The provider's name.
  package var name = ""
  /// What the form asks with.
  package var arguments = JSONObject()

  package init() {}

  /// Asks that provider.
  package init(name: String, arguments: JSONObject) {
    self.name = name
    self.arguments = arguments
  }

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("name", &name, "The provider's name.")
    members.required("arguments", &arguments, "What it is told.")
  }

  package static let push = PushMethod.providerEvaluate
  package static let pushTitle = "Asks the client that registered the provider"
  package static var answer: (any MemberValue.Type, description: String)? {
    (JSON.self, "What the form sees as `response.body`.")
  }
  package static var pushExample: Self { Self(name: "grammar", arguments: ["text": "hello"]) }
}
