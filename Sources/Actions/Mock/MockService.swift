internal import JSON
internal import NIOCore
internal import Sessions

/// Canned answers in place of a server: the first that fits method and path is given, after its delay.
struct MockService: Sendable {
  /// Tried in order.
  let answers: [MockAnswer]

  /// Answers a request.
  func perform(_ request: EffectRequest.HTTPRequest, run: EffectRun, on eventLoop: any EventLoop) {
    let path = String(request.target.prefix { $0 != "?" })
    let answer = answers.first { answer in
      answer.method.map { $0.uppercased() == request.method.uppercased() } ?? true
        && answer.path.map { $0 == path } ?? true
    }
    let response =
      if let answer {
        EffectResponse(
          kind: .ok,
          status: answer.status,
          headers: answer.json == nil ? [:] : ["content-type": "application/json"],
          body: answer.json
        )
      } else {
        EffectResponse(
          kind: .ok,
          status: 404,
          headers: ["content-type": "application/json"],
          body: ["error": .string("the mock service has no answer to \(request.method) \(path)")]
        )
      }
    let timer = eventLoop.assumeIsolated().scheduleTask(in: (answer?.delay ?? .zero).timeAmount) {
      run.finish(response)
    }
    run.onStop { timer.cancel() }
  }
}
