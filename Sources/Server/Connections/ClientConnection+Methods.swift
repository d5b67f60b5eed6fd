internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import Sessions

#if canImport(Glibc)
  internal import Glibc
#endif

extension ClientConnection {
  /// Does what the method says.
  func perform(_ method: Method, _ request: RPCRequest, _ token: RequestToken) {
    if isShutDown && method != .exit {
      return refuse(method, token, .invalidRequest(reason: "shutDown"))
    }
    if daemon.isDraining && !method.isServedWhileDraining {
      return refuse(method, token, .draining)
    }
    do throws(RPCError) {
      switch method {
      case .fieldChange: try changeField(request, token)
      case .fieldFocus:
        let params = try read(FieldParams.init, request)
        let slot = try slot(params.session)
        let field = try field(params.field, of: slot)
        input(.focus(field: field), "field/focus", slot, token)
      case .fieldBlur:
        let params = try read(FieldParams.init, request)
        let slot = try slot(params.session)
        let field = try field(params.field, of: slot)
        input(.blur(field: field), "field/blur", slot, token)
      case .actionTap: try tap(request, token)
      case .sessionReset:
        let params = try read(SessionResetParams.init, request)
        input(.reset(keepValues: params.keepValues), "session/reset", try slot(params.session), token)
      case .sessionOpen: try openSession(request, token)
      case .sessionClose: try closeSession(request, token)
      case .sessionGet: try getSession(request, token)
      case .sessionList: try listSessions(request, token)
      case .formList: try listForms(request, token)
      case .formDescribe: try describeForm(request, token)
      case .formValidate: try validateForm(request, token)
      case .providerRegister: try registerProvider(request, token)
      case .providerUnregister: try unregisterProvider(request, token)
      case .serverInfo:
        _ = try read(NoParams.init, request)
        answer(token, daemon.info)
      case .serverPing:
        _ = try read(NoParams.init, request)
        answer(token, ["instanceId": .string(daemon.instanceID)])
      case .serverStats:
        _ = try read(NoParams.init, request)
        answer(token, daemon.statistics.json(connections: daemon.connections.count, sessions: daemon.sessionCount))
      case .rpcDiscover:
        _ = try read(NoParams.init, request)
        answer(token, OpenRPCDocument.json)
      case .initialize: answer(token, daemon.greeting)
      case .initialized: answer(token, .null)
      case .shutdown: shutDown(token)
      case .exit:
        answer(token, .null)
        rpc.finish()
      case .cancelRequest:
        cancelRequest(CancelRequestParams(request.params))
        answer(token, .null)
      }
    } catch {
      refuse(method, token, error)
    }
  }

  /// Reads params strictly.
  @inline(__always)
  func read<Params>(
    _ reading: (JSONNode?) throws(InvalidParams) -> Params,
    _ request: RPCRequest
  ) throws(RPCError) -> Params {
    do throws(InvalidParams) {
      return try reading(request.params)
    } catch {
      throw error.rpcError
    }
  }

  private func shutDown(_ token: RequestToken) {
    isShutDown = true
    for slot in sessions {
      writeClosed(slot, reason: "shutdown")
      end(slot)
    }
    sessions = []
    answer(token, .null)
  }

  /// Stops waiting. What was started goes on.
  private func cancelRequest(_ params: CancelRequestParams) {
    guard let id = params.id, let position = waits.firstIndex(where: { $0.token.id == id }) else { return }
    let wait = waits.remove(at: position)
    if case .validation(let slot) = wait.outcome { end(slot) }
    fail(wait.token, RPCError(code: RPCErrorCode.requestCancelled, message: "Request cancelled"))
  }

  /// Another request waits for an outcome, if there is room for it.
  func checkRequestsInFlight() throws(RPCError) {
    if waits.count >= daemon.limits.requestsInFlightMax {
      throw .quotaExceeded("requestsInFlightMax", daemon.limits.requestsInFlightMax)
    }
  }
}

extension Method {
  /// What a client may still ask when the daemon is ending.
  var isServedWhileDraining: Bool {
    switch self {
    case .exit, .shutdown, .cancelRequest, .initialized, .serverPing, .serverInfo, .serverStats, .sessionGet,
      .sessionClose,
      .sessionList:
      true
    default: false
    }
  }
}

extension Daemon {
  /// The version of the daemon.
  package static let version = "0.1.0"

  /// The answer to `server/info`.
  var info: JSON {
    [
      "name": "formd",
      "version": .string(Self.version),
      "protocolVersion": .string(OpenRPCDocument.protocolVersion),
      "instanceId": .string(instanceID),
      "pid": .integer(Int64(getpid())),
      "forms": .integer(Int64(catalog.forms.count)),
      "limits": limits.json,
    ]
  }

  /// The answer to `initialize`.
  var greeting: JSON {
    [
      "capabilities": [:],
      "serverInfo": ["name": "formd", "version": .string(Self.version)],
      "instanceId": .string(instanceID),
      "protocolVersion": .string(OpenRPCDocument.protocolVersion),
    ]
  }
}
