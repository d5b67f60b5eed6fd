/// Why a request that is well-formed was refused as such: `data.reason` of -32600 and -32800.
package enum Refusal: WireName {
  /// The method makes sense only with an answer, and this was a notification.
  case idNeeded
  /// `shutdown` was called.
  case shutDown
  /// The session that the request was about was closed.
  case sessionClosed

  package var wireName: StaticString {
    switch self {
    case .idNeeded: "idNeeded"
    case .shutDown: "shutDown"
    case .sessionClosed: "sessionClosed"
    }
  }
}
