internal import FormProtocol
package import Forms
package import JSON
package import JSONRPC
internal import JSONSchema

extension Form {
  /// The context that a client gives. Without one, the form's schema judges an empty object.
  ///
  /// - Parameter context: nil if the client gives none.
  /// - Returns: the context of the session; nil if the form describes none.
  /// - Throws: `invalidParams` for a context that the form does not admit, and for any context if the form describes
  ///   none.
  package func admitted(context given: JSONObject?) throws(RPCError) -> JSONObject? {
    guard let context else {
      if given == nil { return nil }
      throw .invalidParams([.init(path: "/context", code: .unknown, expected: "no context: the form describes none")])
    }
    let failures = context.failures(of: given ?? [:])
    if failures.isEmpty { return given ?? [:] }
    throw .invalidParams(
      failures.map { failure in
        .init(
          path: "/context\(failure.instanceLocation)",
          code: InvalidParams.Code.value.wireName.description,
          expected: "a context that the form admits",
          message: failure.message(locale: "en")
        )
      }
    )
  }
}
