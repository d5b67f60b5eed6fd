internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC

/// A definition that a client brings along.
enum BroughtDefinition {
  /// The name of a form that is brought along without one: it has no file that could give it one.
  private static let fallbackName = "definition"

  /// Compiles one.
  ///
  /// - Parameter allowed: what the configuration lets it reach. Providers are clients like the one that brings it; whose provider is
  ///   asked is seen when one is asked.
  /// - Throws: 1012 when it is too large, -32602 with every fault when it is wrong.
  static func compile(
    _ definition: JSONObject,
    allowed: DefinitionsConfiguration,
    limits: ServerLimits,
    scratch: OutputBuffer
  ) throws(RPCError) -> Form {
    let root = JSON.object(definition)
    scratch.write(root)
    if scratch.count > limits[.definitionBytesMax] { throw limits.quotaExceeded(.definitionBytesMax) }
    let compilation = Form.compile(
      root,
      fallbackName: fallbackName,
      capabilities: FormCapabilities(services: allowed.services, databases: allowed.databases, providers: nil)
    )
    if let form = compilation.form { return form }
    throw .invalidParams(compilation.diagnostics.filter { $0.severity == .error }.map { InvalidParams.Fault($0) })
  }
}

extension InvalidParams.Fault {
  /// A fault of the member `definition`.
  fileprivate init(_ diagnostic: Diagnostic) {
    self.init(
      path: "/definition" + diagnostic.pointer.description,
      code: diagnostic.code,
      expected: diagnostic.remedy ?? diagnostic.message,
      message: diagnostic.message
    )
  }
}
