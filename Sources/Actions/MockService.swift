internal import Formats
internal import JSON
internal import NIOCore
internal import Sessions

/// Canned answers in place of a server. The first answer that matches method, path, query and body is given, after its
/// delay.
struct MockService: Sendable {
  /// Tried in order.
  let answers: [MockAnswer]

  /// Answers a request.
  func perform(_ request: EffectRequest.HTTPRequest, as effect: StartedEffect, on eventLoop: any EventLoop) {
    let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = String(parts[0])
    let query = parts.count < 2 ? [] : Self.query(of: parts[1])
    let answer = answers.first { answer in
      answer.method.map { $0.uppercased() == request.method.uppercased() } ?? true
        && answer.path.map { $0 == path } ?? true
        && answer.query.allSatisfy { wanted in query.contains { $0 == (wanted.key, wanted.value) } }
        && answer.body.map { request.json?.holds($0) ?? false } ?? true
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
      effect.finish(response)
    }
    effect.onStop { timer.cancel() }
  }

  /// The names and values of a query, decoded.
  private static func query(of text: Substring) -> [(String, String)] {
    text.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let texts = parts.map { PercentEncoding.decoded(String($0)) ?? String($0) }
      return (texts[0], texts.count < 2 ? "" : texts[1])
    }
  }
}

extension JSON {
  /// Whether it contains another value: for an object each member of the other, and for anything else the whole value.
  fileprivate func holds(_ other: JSON) -> Bool {
    guard case .object(let wanted) = other else { return self == other }
    guard case .object(let members) = self else { return false }
    return wanted.allSatisfy { member in members[member.name]?.holds(member.value) ?? false }
  }
}
