internal import JSON
package import JSONRPC

/// The daemon's own error codes; those of JSON-RPC are in ``RPCErrorCode``.
package enum FormErrorCode {
  /// No such session on this connection, be it unknown or another connection's.
  package static let unknownSession = 1001
  package static let unknownForm = 1003
  package static let unknownField = 1004
  package static let unknownAction = 1005
  /// No provider of that name is registered by this connection.
  package static let unknownProvider = 1006
  /// The daemon is ending.
  package static let draining = 1010
  /// The daemon as a whole is at a limit; try again later.
  package static let overloaded = 1011
  /// This connection is at a limit of its own, or a name is taken.
  package static let quotaExceeded = 1012
}

extension RPCError {
  /// -32601, for a method that does not exist.
  package static func methodNotFound(_ method: String, closest: String?) -> RPCError {
    RPCError(
      code: RPCErrorCode.methodNotFound,
      message: "Method not found",
      data: named("method", method, closest: closest)
    )
  }

  /// 1001, the same for an unknown session and for another connection's.
  package static func unknownSession(_ session: Int64) -> RPCError {
    RPCError(code: FormErrorCode.unknownSession, message: "Unknown session", data: ["session": .integer(session)])
  }

  /// 1003.
  package static func unknownForm(_ form: String, closest: String?) -> RPCError {
    RPCError(code: FormErrorCode.unknownForm, message: "Unknown form", data: named("form", form, closest: closest))
  }

  /// 1004.
  package static func unknownField(_ field: String, closest: String?) -> RPCError {
    RPCError(code: FormErrorCode.unknownField, message: "Unknown field", data: named("field", field, closest: closest))
  }

  /// 1005.
  package static func unknownAction(_ action: String, closest: String?) -> RPCError {
    RPCError(
      code: FormErrorCode.unknownAction,
      message: "Unknown action",
      data: named("action", action, closest: closest)
    )
  }

  /// 1006.
  package static func unknownProvider(_ name: String) -> RPCError {
    RPCError(code: FormErrorCode.unknownProvider, message: "Unknown provider", data: ["name": .string(name)])
  }

  /// 1010.
  package static let draining = RPCError(code: FormErrorCode.draining, message: "The daemon is ending")

  /// 1011: a limit of the daemon as a whole.
  package static func overloaded(_ limit: String, _ value: Int, retryAfterMs: Int) -> RPCError {
    RPCError(
      code: FormErrorCode.overloaded,
      message: "The daemon is at its limit",
      data: [
        "limit": .string(limit), "value": .integer(Int64(value)), "retryAfterMs": .integer(Int64(retryAfterMs)),
      ]
    )
  }

  /// 1012: a limit of this connection.
  package static func quotaExceeded(_ limit: String, _ value: Int) -> RPCError {
    RPCError(
      code: FormErrorCode.quotaExceeded,
      message: "A limit of this connection is reached",
      data: ["limit": .string(limit), "value": .integer(Int64(value))]
    )
  }

  private static func named(_ kind: String, _ name: String, closest: String?) -> JSON {
    // A stranger's name is echoed only as far as it can be a name.
    var data: JSONObject = [kind: .string(String(name.unicodeScalars.prefix(128)))]
    if let closest { data["closest"] = .string(closest) }
    return .object(data)
  }
}
