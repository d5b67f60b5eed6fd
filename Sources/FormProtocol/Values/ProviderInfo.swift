/// A provider that is registered, as an operator sees it.
public struct ProviderInfo: Message, Sendable {
  /// The provider's name.
  public var name = ""
  /// How many connections hold the name.
  public var holders = 0
  /// The maximum number of holders, by the configuration.
  public var holdersMax = 1
  /// How many calls to the provider have no answer.
  public var questions = 0

  package init() {}

  package static let schemaName: StaticString? = "ProviderInfo"
  package static let summary: StaticString = "A provider, as an operator sees it."

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("name", &name, "Its name.")
    members.required("holders", &holders, "How many connections hold the name.")
    members.required("holdersMax", &holdersMax, "How many connections may hold it, by the configuration.")
    members.required("questions", &questions, "How many questions to it have no answer.")
  }
}
