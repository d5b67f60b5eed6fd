internal import JSON
package import JSONRPC

extension RPCError {
  private init(_ code: FormErrorCode) {
    self.init(code: code.rawValue, message: code.message)
  }

  private init(_ code: FormErrorCode, _ fill: (inout ErrorData) -> Void) {
    self.init(code)
    data = Self.data(fill)
  }

  private init(_ code: RPCErrorCode, _ fill: (inout ErrorData) -> Void) {
    self.init(code, data: Self.data(fill))
  }

  private static func data(_ fill: (inout ErrorData) -> Void) -> JSON {
    var data = ErrorData()
    fill(&data)
    return data.json
  }

  /// `invalidParams` with those problems, as far as ``InvalidParams/problemsMax`` goes.
  package static func invalidParams(_ problems: [InvalidParams.Problem]) -> RPCError {
    RPCError(.invalidParams) { $0.errors = Array(problems.prefix(InvalidParams.problemsMax)) }
  }

  /// `methodNotFound`: no method has that name.
  package static func methodNotFound(_ method: String, closest: String?) -> RPCError {
    RPCError(.methodNotFound) {
      $0.method = echo(method)
      $0.closest = closest
    }
  }

  /// `unknownSession`, with equal answers for an unknown session and for another connection's; nil if the connection
  /// has no session at all.
  package static func unknownSession(_ session: Int64?) -> RPCError {
    guard let session else { return RPCError(.unknownSession) }
    return RPCError(.unknownSession) { $0.session = session }
  }

  /// `unknownSession`, with equal answers for every key that opens no session: a key that never existed, or that is no
  /// longer valid.
  package static let unknownKey = RPCError(.unknownSession)

  /// `invalidParams`: a client cannot detach from a session that ends with its connection.
  package static var notKept: RPCError {
    InvalidParams("session", .value, "a session that was opened with keep; this one ends with its connection").rpcError
  }

  /// `invalidParams`: an address begins with a slash and is not a valid JSON Pointer.
  package static var invalidField: RPCError {
    InvalidParams("field", .value, "a field's name or a JSON Pointer").rpcError
  }

  /// `invalidParams`: an address, or a position in a list, leads to something that the method cannot use.
  ///
  /// - Parameter expected: the thing that the method needs there.
  package static func unsuitableTarget(_ path: String, _ expected: String) -> RPCError {
    .invalidParams([.init(path: path, code: .value, expected: expected)])
  }

  /// `invalidParams`: the users of the form cannot take back their edits.
  package static var noUndo: RPCError {
    .invalidParams([
      .init(path: "/session", code: .value, expected: "a session of a form whose definition has \"undo\": true")
    ])
  }

  /// `invalidParams`: a formula gives the field its value, so there is nothing to change.
  package static func computedField(_ path: String) -> RPCError {
    .invalidParams([
      .init(path: path, code: .computed, expected: "a field that takes input; this field is computed")
    ])
  }

  /// `invalidParams`: the schema says that the user does not change the field.
  package static func readOnlyField(_ path: String) -> RPCError {
    .invalidParams([
      .init(
        path: path,
        code: .readOnly,
        expected: "a field that the user may change; this one is readOnly, and takes the origins program and restore"
      )
    ])
  }

  /// `invalidParams`: a connection with several sessions must name the session.
  package static func sessionNeeded(count: Int) -> RPCError {
    InvalidParams("session", .required, "a session, because this connection has \(count) sessions").rpcError
  }

  /// `unknownForm`: no form has that name.
  package static func unknownForm(_ form: String, closest: String?) -> RPCError {
    RPCError(.unknownForm) {
      $0.form = echo(form)
      $0.closest = closest
    }
  }

  /// `unknownField`: no field has that address.
  package static func unknownField(_ field: String, closest: String?) -> RPCError {
    RPCError(.unknownField) {
      $0.field = echo(field)
      $0.closest = closest
    }
  }

  /// `unknownField`: a row that the session had, and that is no longer there.
  ///
  /// - Parameter reason: ``ErrorReason/removed``, or ``ErrorReason/moved`` if the row is now in another list.
  package static func goneRow(_ field: String, _ reason: ErrorReason) -> RPCError {
    RPCError(.unknownField) {
      $0.field = echo(field)
      $0.reason = reason
    }
  }

  /// `unknownAction`: no action has that name.
  package static func unknownAction(_ action: String, closest: String?) -> RPCError {
    RPCError(.unknownAction) {
      $0.action = echo(action)
      $0.closest = closest
    }
  }

  /// `unknownProvider`: this connection has registered no provider of that name.
  package static func unknownProvider(_ name: String) -> RPCError {
    RPCError(.unknownProvider) { $0.name = echo(name) }
  }

  /// `unknownStep`: no step has that id.
  package static func unknownStep(_ step: String, closest: String?) -> RPCError {
    RPCError(.unknownStep) {
      $0.step = echo(step)
      $0.closest = closest
    }
  }

  /// `unknownStep`: the step exists, and is hidden.
  package static func hiddenStep(_ step: String) -> RPCError {
    RPCError(.unknownStep) {
      $0.step = echo(step)
      $0.reason = .hidden
    }
  }

  /// `draining`: the daemon is ending.
  package static let draining = RPCError(.draining)

  /// `overloaded`: a limit of the daemon as a whole.
  package static func overloaded(_ limit: Limit, _ value: Int) -> RPCError {
    RPCError(.overloaded) {
      $0.limit = limit
      $0.value = value
      $0.retryAfterMs = 1000
    }
  }

  /// `overloaded`: the new state of a kept session cannot be stored now, or could not be.
  ///
  /// - Parameter why: one sentence for people.
  package static func notStored(_ why: String, retryAfterMs: Int = 1000) -> RPCError {
    var error = RPCError(.overloaded) {
      $0.reason = .store
      $0.retryAfterMs = retryAfterMs
    }
    error.message = "Kept sessions cannot be stored now: \(why)"
    return error
  }

  /// `overloaded`: the store cannot be copied.
  ///
  /// - Parameter why: one sentence for people.
  package static func notCopied(_ why: String) -> RPCError {
    var error = RPCError(.overloaded) { $0.reason = .store }
    error.message = "The store cannot be copied: \(why)"
    return error
  }

  /// `unknownForm`: a stored session belongs to a version of its form that the daemon does not have yet, or no longer
  /// has.
  package static func olderForm(_ form: String) -> RPCError {
    RPCError(.unknownForm) {
      $0.form = echo(form)
      $0.reason = .older
    }
  }

  /// `attachedElsewhere`: another daemon has the session, and does not release it.
  package static func attachedElsewhere(_ instance: String) -> RPCError {
    RPCError(.attachedElsewhere) { $0.instance = instance }
  }

  /// `roleNeeded`: the configuration does not give that role to the client's user.
  package static func roleNeeded(_ role: Role) -> RPCError {
    RPCError(.roleNeeded) { $0.role = role }
  }

  /// `quotaExceeded`: a limit of this connection.
  package static func quotaExceeded(_ limit: Limit, _ value: Int) -> RPCError {
    RPCError(.quotaExceeded) {
      $0.limit = limit
      $0.value = value
    }
  }

  /// `disconnected`: another client has ended this connection.
  package static let disconnected = RPCError(.disconnected)

  /// `unknownConnection`: no connection has that number.
  package static func unknownConnection(_ connection: Int64) -> RPCError {
    RPCError(.unknownConnection) { $0.connection = connection }
  }

  /// `duplicateProvider`: the maximum number of connections holds that provider's name, or this connection does.
  package static func duplicateProvider(_ name: String) -> RPCError {
    RPCError(.duplicateProvider) { $0.name = name }
  }

  /// `wrongToken`: the configuration has another token for that provider.
  package static func wrongToken(_ name: String) -> RPCError {
    RPCError(.wrongToken) { $0.name = echo(name) }
  }

  /// `invalidRequest`: the method makes sense only with an answer, so only as a request. Only a notification is refused
  /// in this way, and the refusal is counted, not sent.
  package static let idNeeded = RPCError(.invalidRequest)

  /// `invalidRequest`: `shutdown` was called.
  package static let shutDown = RPCError(.invalidRequest) { $0.reason = .shutDown }

  /// `requestCancelled`: `$/cancelRequest` took the request back.
  package static let cancelled = RPCError(.requestCancelled)

  /// `requestCancelled`: the session that the request was about is closed.
  package static let sessionClosed = RPCError(.requestCancelled) {
    $0.reason = .sessionClosed
  }

  /// `requestCancelled`: the client has left the session that the request was about.
  package static let detached = RPCError(.requestCancelled) { $0.reason = .detached }

  /// A stranger's name is echoed only as far as it can be a name.
  private static func echo(_ name: String) -> String { String(name.unicodeScalars.prefix(128)) }
}
