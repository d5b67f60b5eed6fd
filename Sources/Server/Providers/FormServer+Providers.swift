internal import Actions
internal import Configuration
internal import FormProtocol
internal import JSONRPC
internal import Logging
internal import Sessions
internal import Times

/// Calls to providers: out to one of the holders of the name, to another holder when that one goes, and back with the
/// answer.
extension FormServer {
  /// Asks one of the holders of the provider's name, which may be the very client whose session asks. If no holder can
  /// be asked, the effect fails with the reason.
  ///
  /// - Returns: a closure that takes the call back; nil when no holder was asked.
  func ask(_ request: EffectRequest.ProviderRequest, for effect: Effect, of session: LiveSession) -> CancelEffect? {
    var call = OpenProviderCall(request, for: effect, of: session)
    let holder: ClientConnection
    switch self.holder(for: call) {
    case .success(let found): holder = found
    case .failure(let refusal):
      queueAnswer(EffectResponse(kind: refusal.kind, reason: refusal.reason), to: call)
      return nil
    }
    let id = providers.nextID()
    call.timer = configuration.providers[request.name]?.timeoutMs
      .map { schedule(.providerCall(id), at: now + .milliseconds($0)) }
    ask(call, id, of: holder)
    return { [unowned(unsafe) self] isLate in withdraw(id, isLate: isLate) }
  }

  private func ask(_ call: OpenProviderCall, _ id: ProviderCallID, of holder: ClientConnection) {
    let number = holder.ask(ProviderCall(call.request))
    providerBreakers[holder.number]?.attempted(at: now)
    let key = ProviderTable<OpenProviderCall>.RequestKey(holder: holder.number, number: number)
    providers.asked(call.request.name, call, id, at: key)
  }

  // MARK: Who is asked

  private struct Refusal: Error {
    let kind: EffectResponse.Kind
    let reason: String
  }

  /// The holder to be asked next.
  private func holder(for call: OpenProviderCall) -> Result<ClientConnection, Refusal> {
    let name = call.request.name
    func refused(_ kind: EffectResponse.Kind, _ reason: String) -> Result<ClientConnection, Refusal> {
      .failure(Refusal(kind: kind, reason: reason))
    }
    let choice = providers.next(name) { holder in
      let readiness = seats[holder]?.readiness(toAnswer: call.session) ?? .away
      return isPassedOver(holder) ? max(readiness, .hung) : readiness
    }
    switch choice {
    case .nobody: return refused(.noProvider, "no provider named \(name) is registered")
    case .full: return refused(.error, "the provider \(name) does not read its requests")
    case .foreign: return refused(.noProvider, "a definition from a client can use only the providers of that client")
    case .holder(let number):
      if call.request.readsSecrets, configuration.providers[name]?.secrets != true {
        return refused(.error, "the configuration does not allow the provider \(name) to receive secrets")
      }
      guard let connection = seats[number] else { preconditionFailure("no connected client holds \(name)") }
      return .success(connection)
    }
  }

  /// Whether a holder is asked only if no other holder can be: it has not answered its last calls in time.
  func isPassedOver(_ holder: ProviderTable<OpenProviderCall>.Holder) -> Bool {
    providerBreakers[holder]?.pause(at: now) != nil
  }

  /// How many holders are passed over now.
  var hungProviderHolders: Int { providerBreakers.keys.count { isPassedOver($0) } }

  // MARK: What becomes of a call

  /// A connection has answered our request of that number.
  ///
  /// - Parameter response: the answer.
  /// - Returns: false if the call is not open.
  func providerAnswered(
    _ connection: ClientConnection,
    _ number: Int,
    _ response: @autoclosure () -> EffectResponse
  ) -> Bool {
    guard let call = providers.answered(at: .init(holder: connection.number, number: number)) else { return false }
    providerBreakers[connection.number] = nil
    queueAnswer(response(), to: call)
    return true
  }

  /// A connection answers nothing more. Calls that may be repeated go to the next holder of the name.
  func providerGone(_ connection: ClientConnection) {
    providerBreakers[connection.number] = nil
    for (id, call) in providers.gone(connection.number) {
      if let next = nextHolder(for: call) {
        ask(call, id, of: next)
      } else {
        queueAnswer(EffectResponse(kind: .gone, reason: "its client disconnected"), to: call)
      }
    }
  }

  /// The token of a provider has changed: the connections that hold its name end. Their clients may register again.
  func endHolders(of name: String) {
    let holders = seats.all.filter { providers.holds(name, $0.number) }
    guard !holders.isEmpty else { return }
    logger.notice(
      "the token of a provider has changed: the connections of its holders end",
      metadata: ["name": "\(name.forLog)", "connections": "\(holders.map(\.number).sorted())"]
    )
    for holder in holders { holder.end(with: .wrongToken(name)) }
  }

  /// The next holder for a call that a holder has not answered; nil if it must not be repeated, or no holder is left.
  private func nextHolder(for call: OpenProviderCall) -> ClientConnection? {
    guard !call.session.isClosed, call.mayBeRepeated else { return nil }
    return try? holder(for: call).get()
  }

  /// The configuration's time for a call is over, before the form's time is.
  func providerCallTimedOut(_ id: ProviderCallID) {
    guard let call = withdraw(id, isLate: true) else { return }
    queueAnswer(EffectResponse(kind: .timeout, reason: "the provider gave no answer in time"), to: call)
  }

  /// A call is given up: the holder that was asked is notified.
  @discardableResult
  private func withdraw(_ id: ProviderCallID, isLate: Bool) -> OpenProviderCall? {
    guard let (call, key) = providers.take(id) else { return nil }
    if isLate { providerBreakers[key.holder, default: CircuitBreaker(.ofProviders)].failed(at: now) }
    if let timer = call.timer { timers.cancel(timer) }
    if let holder = seats[key.holder] {
      holder.notify(CancelRequestParams(id: RPCWriter.requestID(key.number)))
      if isDraining { closeLaterIfDone(holder) }
    }
    return call
  }

  // MARK: For operators

  /// The providers that are registered, in the order of their names, so many at most.
  func providers(first count: Int) -> [ProviderInfo] {
    providers.listing.prefix(count).map { listed in
      var info = ProviderInfo()
      info.name = listed.name
      info.holders = listed.holders
      info.holdersMax = configuration.holdersMax(of: listed.name)
      info.questions = listed.calls
      return info
    }
  }
}

extension CircuitBreaker.Settings {
  /// A holder of a provider's name is passed over for half a minute after three calls in a row without an answer.
  fileprivate static let ofProviders = {
    var settings = CircuitBreaker.Settings()
    settings.failures = 3
    return settings
  }()
}

extension ProviderCall {
  fileprivate init(_ request: EffectRequest.ProviderRequest) {
    self.init(name: request.name, arguments: request.arguments, idempotencyKey: request.idempotencyKey)
  }
}

extension ClientConnection {
  /// Asks a provider of this client.
  ///
  /// - Returns: the request's number.
  fileprivate func ask(_ params: ProviderCall) -> Int {
    let number = output.writer.ask(ProviderCall.push.wireName) { params.write(into: $0) }
    scheduleFlush()
    return number
  }

  /// How well this client can be asked on behalf of a session.
  fileprivate func readiness(toAnswer session: LiveSession) -> ProviderReadiness {
    guard state.readsInput else { return .away }
    guard session.reaches(providersOf: self) else { return .foreign }
    guard state.updateTreatment == .heldBack else { return .ready }
    return output.unsentBytes <= server.limits[.outputHardBytes] ? .slow : .full
  }
}

extension LiveSession {
  /// Whether a provider of that connection may be asked. A definition that a client brought along reaches only
  /// providers of its own client.
  fileprivate func reaches(providersOf connection: ClientConnection) -> Bool {
    if !hasOwnDefinition { return true }
    if let kept { return kept.opener == connection.number }
    return connection === self.connection
  }
}
