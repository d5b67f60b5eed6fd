internal import FormProtocol
internal import JSONRPC
internal import Sessions

/// Questions to providers: out to one of the holders of the name, to another holder when that one goes, and back with
/// the answer.
extension FormServer {
  /// Asks one of the holders of the provider's name, which may be the very client whose session asks. If no holder can
  /// be asked, the effect fails with the reason.
  ///
  /// - Returns: a closure that takes the question back; nil when no holder was asked.
  func ask(_ request: EffectRequest.ProviderRequest, for effect: Effect, of session: LiveSession) -> (() -> Void)? {
    var question = OpenQuestion(request, for: effect, of: session)
    let holder: ClientConnection
    switch self.holder(for: question) {
    case .success(let found): holder = found
    case .failure(let refusal):
      answer(question, EffectResponse(kind: refusal.kind, reason: refusal.reason))
      return nil
    }
    let id = providers.nextQuestion()
    question.timer = configuration.providers[request.name]?.timeoutMs
      .map { schedule(.question(id), at: now + .milliseconds($0)) }
    ask(question, id, of: holder)
    return { [unowned(unsafe) self] in withdraw(id) }
  }

  private func ask(_ question: OpenQuestion, _ id: QuestionID, of holder: ClientConnection) {
    let number = holder.ask(ProviderQuestion(question.request))
    let place = ProviderTable<OpenQuestion>.Place(holder: holder.number, number: number)
    providers.asked(question.request.name, question, id, at: place)
  }

  // MARK: Who is asked

  private struct Refusal: Error {
    let kind: EffectResponse.Kind
    let reason: String
  }

  /// The holder to be asked next.
  private func holder(for question: OpenQuestion) -> Result<ClientConnection, Refusal> {
    let name = question.request.name
    func refused(_ kind: EffectResponse.Kind, _ reason: String) -> Result<ClientConnection, Refusal> {
      .failure(Refusal(kind: kind, reason: reason))
    }
    let choice = providers.next(name) { places[$0]?.readiness(toAnswer: question.session) ?? .away }
    switch choice {
    case .nobody: return refused(.noProvider, "no provider named \(name) is registered")
    case .full: return refused(.error, "the provider \(name) does not read its requests")
    case .foreign: return refused(.noProvider, "a definition from a client can use only the providers of that client")
    case .holder(let number):
      if question.request.readsSecrets, configuration.providers[name]?.secrets != true {
        return refused(.error, "the configuration does not allow the provider \(name) to receive secrets")
      }
      guard let connection = places[number] else { preconditionFailure("no connected client holds \(name)") }
      return .success(connection)
    }
  }

  // MARK: What becomes of a question

  /// A connection has answered our request of that number.
  ///
  /// - Parameter response: the answer.
  /// - Returns: false if the question is not open.
  func providerAnswered(
    _ connection: ClientConnection,
    _ number: Int,
    _ response: @autoclosure () -> EffectResponse
  ) -> Bool {
    guard let question = providers.answered(at: .init(holder: connection.number, number: number)) else { return false }
    answer(question, response())
    return true
  }

  /// A connection answers nothing more. Questions that may be repeated go to the next holder of the name.
  func providerGone(_ connection: ClientConnection) {
    for (id, var question) in providers.gone(connection.number) {
      guard providerFaults.through(.loseQuestions, true, broken: false) else { continue }
      if let next = nextHolder(for: question) {
        question.request.idempotencyKey =
          providerFaults.through(.loseKey, question.request.idempotencyKey, broken: nil)
        ask(question, id, of: next)
        if providerFaults.through(.askTwice, false, broken: true) { _ = next.ask(.init(question.request)) }
      } else {
        answer(question, EffectResponse(kind: .gone, reason: "its client disconnected"))
      }
    }
  }

  /// The next holder for a question that a holder has not answered; nil if it must not be repeated, or no holder is
  /// left.
  private func nextHolder(for question: OpenQuestion) -> ClientConnection? {
    guard !question.session.isClosed, providerFaults.through(.repeatActions, question.mayBeRepeated, broken: true)
    else {
      return nil
    }
    return try? holder(for: question).get()
  }

  /// The configuration's time for a question is over, before the form's time is.
  func questionTimedOut(_ id: QuestionID) {
    guard let question = withdraw(id) else { return }
    answer(question, EffectResponse(kind: .timeout, reason: "the provider gave no answer in time"))
  }

  /// A question is given up: the holder that was asked is notified.
  @discardableResult
  private func withdraw(_ id: QuestionID) -> OpenQuestion? {
    guard let (question, place) = providers.take(id) else { return nil }
    if let timer = question.timer { timers.cancel(timer) }
    places[place.holder]?.push(CancelRequestParams(id: RPCWriter.requestID(place.number)))
    return question
  }

  // MARK: For operators

  /// The providers that are registered, in the order of their names, so many at most.
  func providers(first count: Int) -> [ProviderRow] {
    providers.listing.prefix(count).map { listed in
      var row = ProviderRow()
      row.name = listed.name
      row.holders = listed.holders
      row.holdersMax = configuration.holdersMax(of: listed.name)
      row.questions = listed.questions
      return row
    }
  }
}

extension ProviderQuestion {
  fileprivate init(_ request: EffectRequest.ProviderRequest) {
    self.init(name: request.name, arguments: request.arguments, idempotencyKey: request.idempotencyKey)
  }
}

extension ClientConnection {
  /// Asks a provider of this client.
  ///
  /// - Returns: the request's number.
  fileprivate func ask(_ params: ProviderQuestion) -> Int {
    let number = output.writer.ask(ProviderQuestion.push.wireName) { params.write(into: $0) }
    outputChanged()
    return number
  }

  /// How well this client can be asked on behalf of a session.
  fileprivate func readiness(toAnswer session: LiveSession) -> ProviderReadiness {
    guard state.readsInput else { return .away }
    guard session.reaches(providersOf: self) else { return .foreign }
    guard state.updates == .heldBack else { return .ready }
    if output.unsentBytes <= server.limits[.outputHardBytes] { return .slow }
    return server.providerFaults.through(.askFull, .full, broken: .ready)
  }
}
