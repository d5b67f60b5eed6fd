package import JSON
package import JSONRPC

/// The members that the `data` of one error has, by name. All are members of ``ErrorData``.
package struct ErrorDataMembers: Hashable, Sendable {
  /// The members that the data always have.
  package var required: [String] = []
  /// The members that the data have in some cases.
  package var optional: [String] = []

  /// The data as JSON Schema; nil if the error has no data.
  package var schema: JSONObject? {
    let names = required + optional
    if names.isEmpty { return nil }
    let members = MessageSchema.members(of: ErrorData.self).filter { names.contains($0.name) }
    precondition(members.count == names.count, "\(names) are not all members of the data of errors")
    return [
      "type": "object", "properties": .object(JSONObject(members.map { ($0.name, $0.schema) })),
      "required": .array(required.map { .string($0) }),
    ]
  }
}

extension RPCErrorCode {
  /// The members of the error's data.
  package var dataMembers: ErrorDataMembers {
    switch self {
    case .parseError: ErrorDataMembers(required: ["reason", "offset"])
    case .invalidRequest: ErrorDataMembers(optional: ["reason", "path"])
    case .methodNotFound: ErrorDataMembers(required: ["method"], optional: ["closest"])
    case .invalidParams: ErrorDataMembers(required: ["errors"])
    case .textTooLarge, .batchTooLarge: ErrorDataMembers(required: ["limit", "value"])
    }
  }
}

extension FormErrorCode {
  /// The members of the error's data.
  package var dataMembers: ErrorDataMembers {
    switch self {
    case .requestCancelled: ErrorDataMembers(optional: ["reason"])
    case .unknownSession: ErrorDataMembers(optional: ["session"])
    case .unknownConnection: ErrorDataMembers(required: ["connection"])
    case .unknownForm: ErrorDataMembers(required: ["form"], optional: ["closest", "reason"])
    case .unknownField: ErrorDataMembers(required: ["field"], optional: ["closest", "reason"])
    case .unknownAction: ErrorDataMembers(required: ["action"], optional: ["closest"])
    case .unknownStep: ErrorDataMembers(required: ["step"], optional: ["closest", "reason"])
    case .unknownProvider, .duplicateProvider, .wrongToken: ErrorDataMembers(required: ["name"])
    case .draining, .disconnected: ErrorDataMembers()
    case .overloaded: ErrorDataMembers(optional: ["limit", "value", "reason", "retryAfterMs"])
    case .quotaExceeded: ErrorDataMembers(required: ["limit", "value"])
    case .attachedElsewhere: ErrorDataMembers(required: ["instance"])
    case .roleNeeded: ErrorDataMembers(required: ["role"])
    }
  }
}
