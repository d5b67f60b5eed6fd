/// The messages that the daemon sends on its own: notifications, and one request.
package enum PushMethod: WireName {
  /// Of one session.
  case sessionUpdate, sessionClosed, sessionDesync
  /// Of the forms that the daemon has.
  case formsChanged
  /// Of the daemon.
  case serverDraining, serverRejected
  /// Of a provider's calls.
  case providerEvaluate, cancelRequest

  package var wireName: StaticString {
    switch self {
    case .sessionUpdate: "session/update"
    case .sessionClosed: "session/closed"
    case .sessionDesync: "session/desync"
    case .formsChanged: "forms/changed"
    case .serverDraining: "server/draining"
    case .serverRejected: "server/rejected"
    case .providerEvaluate: "provider/evaluate"
    case .cancelRequest: Method.cancelRequest.wireName
    }
  }

  package var push: any Push.Type {
    switch self {
    case .sessionUpdate: SessionUpdate.self
    case .sessionClosed: SessionClosed.self
    case .sessionDesync: SessionDesync.self
    case .formsChanged: LoadedForms.self
    case .serverDraining: ServerDraining.self
    case .serverRejected: ServerRejected.self
    case .providerEvaluate: ProviderCall.self
    case .cancelRequest: CancelRequestParams.self
    }
  }
}

/// The params of a push, with its whole description.
package protocol Push: Message, Sendable {
  static var push: PushMethod { get }

  /// The purpose of the push, in a few words.
  static var pushTitle: String { get }

  /// The client's answer, if the push is a request; nil for a notification.
  static var answer: (any MemberValue.Type, description: String)? { get }

  /// Meaningful params.
  static var pushExample: Self { get }
}

extension Push {
  package static var answer: (any MemberValue.Type, description: String)? { nil }
}
