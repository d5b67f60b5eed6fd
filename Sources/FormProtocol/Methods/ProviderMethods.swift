package import JSON
internal import JSONRPC

/// Params of `provider/register` and `provider/unregister`.
package struct ProviderParams {
  /// The provider's name.
  package var name: String

  /// Reads the params.
  package init(_ params: JSONNode?) throws(InvalidParams) {
    var reader = ParamsReader()
    var provider: String?
    var hasName = false
    reader.forEachMember(of: params, names: "name") { name, node, reader in
      guard name.equals("name") else { return false }
      hasName = true
      provider = reader.string(node, "name")
      return true
    }
    if !hasName { reader.note("/name", .required, "a provider's name") }
    try reader.check()
    guard let provider else { throw InvalidParams(reader.faults) }
    name = provider
  }

  private static let params: [MethodDescription.Param] = [.required("name", Shape.string("The provider's name."))]

  static let registerMethod = MethodDescription(
    name: "provider/register",
    summary: "This client answers for a provider",
    description:
      "The daemon then asks it with `provider/evaluate`. The first to register a name has it until it unregisters or goes; a second gets 1012.",
    params: params,
    result: Shape.object([("name", Shape.string("The name."))]),
    failures: [.draining, .quotaExceeded],
    example: .init(params: ["name": "grammar"], result: ["name": "grammar"])
  )

  static let unregisterMethod = MethodDescription(
    name: "provider/unregister",
    summary: "This client answers no more",
    description: "Questions that are under way end with kind `gone`.",
    params: params,
    result: Shape.object([("name", Shape.string("The name."))]),
    failures: [.unknownProvider],
    example: .init(params: ["name": "grammar"], result: ["name": "grammar"])
  )
}
