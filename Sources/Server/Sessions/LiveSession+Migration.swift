internal import FormProtocol
internal import Forms
internal import Logging
internal import Sessions

/// A kept session follows its form, which may change while nobody has the session.
extension LiveSession {
  /// Brings a session that nobody has to its form as the daemon has it now. What it knows stays where the form still has a place for it; checks
  /// and lookups ask again.
  ///
  /// - Returns: the session that takes the place of this one; nil where the form is the same, has gone or is an older version, where a client
  ///   brought it along, and as long as a tap has not come to its event.
  func migrated() -> LiveSession? {
    guard !hasOwnDefinition, !session.isActing, let form = server.catalog.form(named: session.form.name),
      form.fingerprint != session.form.fingerprint, form.version >= session.form.version
    else { return nil }
    do throws(SnapshotError) {
      // With secrets: it goes nowhere.
      let restored = try server.engine.restore(form, from: session.snapshot(for: .resuming), at: server.now)
      let next = LiveSession(insteadOf: self, restored.session)
      close()
      server.sessionEnded(self)
      server.sessionBegan(next)
      kept?.sessionReplaced(by: next)
      next.carryOut(restored.turn, cause: .sessionOpen)
      return next
    } catch {
      server.logger.error(
        "a kept session cannot follow its form and keeps the one that it has",
        metadata: ["form": "\(form.name.forLog)", "session": "\(id)", "why": "\(error)"]
      )
      return nil
    }
  }
}
