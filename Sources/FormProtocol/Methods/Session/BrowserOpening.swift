package import JSON
package import JSONRPC

/// The first call of a browser: it gives the browser its only session (protocol/web.md).
package enum BrowserOpening: Sendable {
  /// The browser attaches to a session that a program has opened.
  case attach(SessionAttachParams)
  /// The browser opens a session of a form of that name.
  case open(SessionOpenParams, form: String)

  /// Why a first call is refused.
  package enum Refusal: Error, Hashable, Sendable {
    /// The browser is not allowed to make the call; the text says why, in a few words for the developer of the page.
    case forbidden(String)
    /// The params are wrong, and the call may be made again.
    case wrong(RPCError)
  }

  /// Reads the first call.
  ///
  /// - Throws: ``Refusal`` for any other call, and for a param that only programs may give.
  package init(_ request: RPCRequest) throws(Refusal) {
    guard request.id != nil else { throw .forbidden("the first message must be a request") }
    switch Method(utf8: request.method) {
    case .sessionAttach:
      let params = try Self.read(SessionAttachParams.self, request)
      if params.rotate || params.take { throw .forbidden("session/attach takes key and seq") }
      self = .attach(params)
    case .sessionOpen:
      let params = try Self.read(SessionOpenParams.self, request)
      if params.context != nil { throw .wrong(.invalidParams([.noContextFromBrowser])) }
      guard let form = params.form, params.definition == nil, params.values == nil, params.show == nil,
        params.watch == nil, params.keep == nil
      else { throw .forbidden("session/open takes form, locale and zone") }
      self = .open(params, form: form)
    default: throw .forbidden("the first message must be session/attach or session/open")
    }
  }

  private static func read<Params: Call>(_ type: Params.Type, _ request: RPCRequest) throws(Refusal) -> Params {
    do throws(InvalidParams) {
      return try MessageReader.read(type, request.params)
    } catch {
      throw .wrong(error.rpcError)
    }
  }

  /// The call as the daemon gets it: with `onlyPublic`, because all that the daemon says goes to the browser.
  ///
  /// - Parameter keep: how long the session outlives its connections, as the configuration says; nil: not at all.
  package func requestText(id: RequestID, keep: String?) -> String {
    let buffer = OutputBuffer()
    switch self {
    case .attach(var params):
      params.onlyPublic = true
      buffer.beginRequest(id, SessionAttachParams.name)
      params.write(into: buffer)
    case .open(var params, _):
      params.keep = keep
      params.onlyPublic = true
      buffer.beginRequest(id, SessionOpenParams.name)
      params.write(into: buffer)
    }
    buffer.endEnvelope()
    return buffer.text
  }
}

/// The session that a browser has, from the daemon's answer to its ``BrowserOpening``.
package struct BrowserSession: Hashable, Sendable {
  /// The session's number.
  package var number: Int64
  /// The name of the session's form.
  package var form: String

  package init(number: Int64, form: String) {
    self.number = number
    self.form = form
  }

  /// The session of an answer.
  ///
  /// - Parameters:
  ///   - result: the result of the answer.
  ///   - form: the form that was opened; nil if the answer names it.
  package init?(result: JSONNode, form: String?) {
    guard let number = result.member("session")?.integer, let form = form ?? result.member("form")?.string else {
      return nil
    }
    self.init(number: number, form: form)
  }
}

extension RPCRequest {
  /// Why a browser that has that session may not make this call; nil if it may.
  ///
  /// - Parameters:
  ///   - session: the session of the browser; nil while the daemon has not answered its first call.
  ///   - form: the form that the browser opened, if that is known before the answer.
  package func refusal(toBrowserWith session: BrowserSession?, form: String?) -> RPCError? {
    guard let method = Method(utf8: method), method.isForBrowsers else {
      let name = String(decoding: self.method, as: UTF8.self)
      return .methodNotFound(name, closest: Method.closest(to: name, among: \.isForBrowsers))
    }
    guard let params, params.isObject else { return nil }
    var problems: [InvalidParams.Problem] = []
    func note(_ name: String, _ code: InvalidParams.Code, _ expected: String) {
      problems.append(.init(path: "/" + name, code: code, expected: expected))
    }
    // Only programs choose the context. `explain` shows what the form computes.
    if params.member("context") != nil { problems.append(.noContextFromBrowser) }
    if params.member("definition") != nil { note("definition", .unknown, "no such member from a browser") }
    if params.member("explain") != nil { note("explain", .unknown, "no such member from a browser") }
    // The others may change fields that the user may not.
    if let origin = params.member("origin"), origin.string.map({ $0 == "user" || $0 == "autofill" }) != true {
      note("origin", .value, "`user` or `autofill` from a browser")
    }
    if let number = params.member("session"), session == nil || number.integer != session?.number {
      note("session", .value, "the session of this connection, or no such member")
    }
    if let name = params.member("form"), name.string.map({ $0 == session?.form ?? form }) != true {
      note("form", .value, "the form of this connection's session")
    }
    return problems.isEmpty ? nil : .invalidParams(problems)
  }
}

extension InvalidParams.Problem {
  /// A browser may not choose the context.
  fileprivate static var noContextFromBrowser: Self {
    Self(path: "/context", code: .unknown, expected: "no such member from a browser")
  }
}

extension OutputBuffer {
  /// Writes the answer of the door to a call that it refuses: an error, or for a notification what the daemon tells.
  /// Nothing for a notification whose refusal the daemon does not tell, either, or that no browser may send.
  package func writeRefusal(of request: RPCRequest, _ error: RPCError) {
    if let id = request.id {
      writeError(id, error)
    } else if let method = Method(utf8: request.method), method.isForBrowsers, method.feedsSession {
      beginNotification(PushMethod.serverRejected.wireName)
      ServerRejected(method: method, error: error).write(into: self)
      endEnvelope()
    }
  }
}

extension JSONNode {
  /// Whether an error says that the daemon has no seat for the connection, which it then ends.
  package var saysNoSeat: Bool { member("data")?.member("limit")?.string == "connectionsMax" }
}
