internal import FormProtocol
internal import JSON
internal import JSONRPC
internal import Sessions
internal import Texts

extension ClientConnection {
  func registerProvider(_ request: RPCRequest, _ token: RequestToken) throws(RPCError) {
    let params = try read(ProviderParams.init, request)
    let key = UTF8Key(text: params.name)
    guard daemon.providers[key] == nil else {
      throw RPCError(
        code: FormErrorCode.quotaExceeded,
        message: "The provider is registered already",
        data: ["limit": "provider", "value": 1, "name": .string(params.name)]
      )
    }
    let max = daemon.limits.providersPerConnectionMax
    if providerNames.count >= max { throw .quotaExceeded("providersPerConnectionMax", max) }
    daemon.providers[key] = self
    providerNames.append(params.name)
    answer(token, ["name": .string(params.name)])
  }

  func unregisterProvider(_ request: RPCRequest, _ token: RequestToken) throws(RPCError) {
    let params = try read(ProviderParams.init, request)
    let key = UTF8Key(text: params.name)
    guard daemon.providers[key] === self else { throw .unknownProvider(params.name) }
    daemon.providers[key] = nil
    providerNames.removeAll { $0.hasSameUTF8(as: params.name) }
    for (number, evaluation) in evaluations where evaluation.provider.hasSameUTF8(as: params.name) {
      evaluations[number] = nil
      rpc.forgetRequest(number)
      daemon.answerLater(
        evaluation.slot,
        evaluation.effect,
        EffectResponse(kind: .gone, reason: "the provider unregistered")
      )
    }
    answer(token, ["name": .string(params.name)])
  }

  /// Asks whoever registered the provider, which may be this very client.
  func ask(_ request: EffectRequest.ProviderRequest, for effect: Effect, of slot: SessionSlot) {
    guard let provider = daemon.providers[UTF8Key(text: request.name)], provider.transport != nil else {
      return daemon.answerLater(
        slot,
        effect.id,
        EffectResponse(kind: .noProvider, reason: "no provider named \(request.name) is registered")
      )
    }
    if slot.hasOwnDefinition && provider !== self {
      return daemon.answerLater(
        slot,
        effect.id,
        EffectResponse(kind: .noProvider, reason: "a definition brought along reaches its own client's providers only")
      )
    }
    if request.readsSecrets && daemon.configuration.providers[request.name]?.secrets != true {
      return daemon.answerLater(
        slot,
        effect.id,
        EffectResponse(kind: .error, reason: "the configuration does not let \(request.name) see secrets")
      )
    }
    let (number, params) = provider.rpc.beginRequest("provider/evaluate")
    params.append(#"{"name":"#)
    params.write(request.name)
    params.append(#","arguments":"#)
    params.write(JSON.object(request.arguments))
    params.append(byte: UInt8(ascii: "}"))
    provider.rpc.endNotification()
    provider.evaluations[number] = (slot, effect.id, request.name)
    slot.runs.append((effect.id, { provider.withdraw(number) }))
    if let timeout = daemon.configuration.providers[request.name]?.timeoutMs {
      daemon.schedule(.evaluation(provider, number), at: daemon.now + .milliseconds(timeout))
    }
  }

  /// The configuration's patience with the provider is over, before the form's is.
  func evaluationTimedOut(_ number: Int) {
    guard let evaluation = evaluations[number] else { return }
    withdraw(number)
    daemon.answerLater(
      evaluation.slot,
      evaluation.effect,
      EffectResponse(kind: .timeout, reason: "the provider gave no answer in time")
    )
  }

  /// Nobody waits for that answer any more.
  private func withdraw(_ number: Int) {
    guard evaluations.removeValue(forKey: number) != nil else { return }
    rpc.forgetRequest(number)
    let params = rpc.beginNotification("$/cancelRequest")
    params.append(#"{"id":"formd:"#)
    params.write(number)
    params.append(#""}"#)
    rpc.endNotification()
  }

  /// This client answered one of our questions.
  func evaluated(_ number: Int, result: JSONNode?, error: JSONNode?) {
    guard let evaluation = evaluations.removeValue(forKey: number) else { return }
    let response =
      if let result {
        EffectResponse(kind: .ok, body: result.value())
      } else {
        EffectResponse(
          kind: .error,
          reason: "the provider answered with error \(error?.member("code")?.integer ?? 0)"
        )
      }
    daemon.answerLater(evaluation.slot, evaluation.effect, response)
  }
}
