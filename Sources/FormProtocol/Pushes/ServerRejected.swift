internal import JSON
package import JSONRPC

/// A notification was refused.
package struct ServerRejected: Push {
  /// The notification's method.
  package var method = Method.fieldChange
  /// The error that a request would have got.
  package var error = RPCError(code: 0, message: "")

  package init() {}

  /// Reports that a request of that method would have got that error.
  package init(method: Method, error: RPCError) {
    self.method = method
    self.error = error
  }

  package static let schemaName: StaticString? = "ServerRejected"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("method", &method, "The notification's method.")
    members.required("error", &error, "The error that a request would have been answered with.")
  }

  package static let push = PushMethod.serverRejected
  package static let pushTitle = "A notification was refused"
  package static var pushExample: Self { Self(method: .fieldChange, error: .unknownSession(4)) }
}

/// An error object of JSON-RPC (section 5.1).
extension RPCError: Message {
  package init() { self.init(code: 0, message: "") }

  package static let schemaName: StaticString? = "RpcError"
  package static let summary: StaticString = "An error object of JSON-RPC."

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("code", &code, "The error's code.")
    members.required("message", &message, "One sentence.")
    members.optional("data", &data, as: ErrorData.self, "Details for programs.")
  }
}
