internal import JSON
package import JSONRPC

extension RPCError {
  private init(_ code: Int, _ message: String, _ fill: (inout ErrorData) -> Void) {
    var data = ErrorData()
    fill(&data)
    self.init(code: code, message: message, data: data.json)
  }

  /// -32602 with those faults, as far as ``InvalidParams/faultsMax`` goes.
  package static func invalidParams(_ faults: [InvalidParams.Fault]) -> RPCError {
    RPCError(RPCErrorCode.invalidParams, "Invalid params") { $0.errors = Array(faults.prefix(InvalidParams.faultsMax)) }
  }

  /// -32601, for a method that does not exist.
  package static func methodNotFound(_ method: String, closest: String?) -> RPCError {
    RPCError(RPCErrorCode.methodNotFound, "Method not found") {
      $0.method = echo(method)
      $0.closest = closest
    }
  }

  /// 1001, the same for an unknown session and for another connection's; nil where the connection has no session at all.
  package static func unknownSession(_ session: Int64?) -> RPCError {
    guard let session else { return RPCError(code: FormErrorCode.unknownSession, message: "Unknown session") }
    return RPCError(FormErrorCode.unknownSession, "Unknown session") { $0.session = session }
  }

  /// -32602: a change is of something that is neither a field's name nor a place in a field's value.
  package static var invalidField: RPCError {
    InvalidParams("field", .value, "a field's name or a JSON Pointer").rpcError
  }

  /// -32602: a connection with so many sessions must say which is meant.
  package static func sessionNeeded(count: Int) -> RPCError {
    InvalidParams("session", .required, "a session: this connection has \(count)").rpcError
  }

  /// 1003.
  package static func unknownForm(_ form: String, closest: String?) -> RPCError {
    RPCError(FormErrorCode.unknownForm, "Unknown form") {
      $0.form = echo(form)
      $0.closest = closest
    }
  }

  /// 1004.
  package static func unknownField(_ field: String, closest: String?) -> RPCError {
    RPCError(FormErrorCode.unknownField, "Unknown field") {
      $0.field = echo(field)
      $0.closest = closest
    }
  }

  /// 1005.
  package static func unknownAction(_ action: String, closest: String?) -> RPCError {
    RPCError(FormErrorCode.unknownAction, "Unknown action") {
      $0.action = echo(action)
      $0.closest = closest
    }
  }

  /// 1006.
  package static func unknownProvider(_ name: String) -> RPCError {
    RPCError(FormErrorCode.unknownProvider, "Unknown provider") { $0.name = echo(name) }
  }

  /// 1010.
  package static let draining = RPCError(code: FormErrorCode.draining, message: "The daemon is ending")

  /// 1011: a limit of the daemon as a whole.
  package static func overloaded(_ limit: Limit, _ value: Int) -> RPCError {
    RPCError(FormErrorCode.overloaded, "The daemon is at its limit") {
      $0.limit = .string(limit.wireName.description)
      $0.value = value
      $0.retryAfterMs = 1000
    }
  }

  /// 1012: a limit of this connection.
  package static func quotaExceeded(_ limit: Limit, _ value: Int) -> RPCError {
    RPCError(FormErrorCode.quotaExceeded, "A limit of this connection is reached") {
      $0.limit = .string(limit.wireName.description)
      $0.value = value
    }
  }

  /// 1012: another connection has that provider's name.
  package static func providerIsTaken(_ name: String) -> RPCError {
    RPCError(FormErrorCode.quotaExceeded, "The provider is registered already") {
      $0.limit = "provider"
      $0.value = 1
      $0.name = name
    }
  }

  /// -32600: the method makes sense only with an answer, so only as a request.
  package static let idNeeded = invalidRequest(reason: Refusal.idNeeded.wireName.description)

  /// -32600: `shutdown` was called.
  package static let shutDown = invalidRequest(reason: Refusal.shutDown.wireName.description)

  /// -32800: `$/cancelRequest` took the request back.
  package static let cancelled = RPCError(code: RPCErrorCode.requestCancelled, message: "Request cancelled")

  /// -32800: the session that the request was about is closed.
  package static let sessionClosed = RPCError(RPCErrorCode.requestCancelled, "Request cancelled") {
    $0.reason = Refusal.sessionClosed.wireName.description
  }

  /// A stranger's name is echoed only as far as it can be a name.
  private static func echo(_ name: String) -> String { String(name.unicodeScalars.prefix(128)) }
}
