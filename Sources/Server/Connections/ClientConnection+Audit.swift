internal import FormProtocol
internal import Forms
internal import Logging
internal import Sessions

extension ClientConnection {
  /// Writes to the audit that the client has called a method: the user, the session, and other names. Never a value. A
  /// call that fails is not written, except one for which the client's user has no role.
  func audit(_ method: Method, _ session: LiveSession? = nil, _ details: @autoclosure () -> Logger.Metadata = [:]) {
    guard let audit = server.environment.audit else { return }
    var metadata = logMetadata.merging(details()) { $1 }
    if let peer { metadata["uid"] = "\(peer.userID)" }
    if let session {
      metadata["session"] = "\(session.number)"
      metadata["form"] = "\(session.engineSession.form.name.forLog)"
    }
    audit.info("\(method.wireName)", metadata: metadata)
  }

  /// Writes to the audit that the client has tapped an action.
  func audit(tap action: String, of session: LiveSession) {
    audit(.actionTap, session, ["action": "\(action.forLog)"])
  }
}
