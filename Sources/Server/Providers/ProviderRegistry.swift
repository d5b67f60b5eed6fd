internal import FormProtocol
internal import Forms
internal import JSON
internal import Sessions
internal import Texts

/// Which connection answers for which provider.
struct ProviderRegistry {
  private var connections: [UTF8Key: ClientConnection] = [:]

  /// The connection that registered the name.
  func connection(_ name: String) -> ClientConnection? {
    connections[UTF8Key(text: name)]
  }

  /// From now on that connection answers for the name; nobody did before.
  mutating func add(_ name: String, _ connection: ClientConnection) {
    connections[UTF8Key(text: name)] = connection
  }

  /// Nobody answers for the name any more.
  mutating func remove(_ name: String) {
    connections[UTF8Key(text: name)] = nil
  }

  /// Asks whoever registered the provider, which may be the very client whose session asks. Who must not be asked has answered already.
  ///
  /// - Returns: what takes the question back; nil when nobody was asked.
  func ask(_ request: EffectRequest.ProviderRequest, for effect: Effect, of session: LiveSession, _ server: FormServer)
    -> (() -> Void)?
  {
    let question = OpenQuestion(session: session, effect: effect.id, provider: request.name)
    if let refusal = refusal(of: request, session, server) {
      server.answer(question, refusal)
      return nil
    }
    guard let provider = connection(request.name) else { return nil }
    let number = provider.ask(
      ProviderQuestion(name: request.name, arguments: request.arguments),
      question,
      timeoutMs: server.configuration.providers[request.name]?.timeoutMs
    )
    return { provider.withdraw(number) }
  }

  private func refusal(
    of request: EffectRequest.ProviderRequest,
    _ session: LiveSession,
    _ server: FormServer
  ) -> EffectResponse? {
    guard let provider = connection(request.name) else {
      return EffectResponse(kind: .noProvider, reason: "no provider named \(request.name) is registered")
    }
    if provider.readsTooSlowly {
      return EffectResponse(kind: .error, reason: "\(request.name) does not read its questions")
    }
    if !session.reaches(providersOf: provider) {
      return EffectResponse(
        kind: .noProvider,
        reason: "a definition brought along reaches its own client's providers only"
      )
    }
    if request.readsSecrets && server.configuration.providers[request.name]?.secrets != true {
      return EffectResponse(
        kind: .error,
        reason: "the configuration does not let \(request.name) see secrets"
      )
    }
    return nil
  }
}
