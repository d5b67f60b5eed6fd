internal import FormProtocol
internal import Forms
internal import Logging
internal import Sessions

/// A kept session switches to the new version of its form, which may change while no client has the session.
extension LiveSession {
  /// Brings a session without clients to the current version of its form. Values stay if the form still has a field for
  /// them; checks and lookups ask again.
  ///
  /// - Returns: the session that replaces this one. It is nil in these cases:
  ///   - The form is unchanged, has gone or is an older version.
  ///   - A client brought the form along.
  ///   - A tap still waits for its event.
  func migrated() -> LiveSession? {
    guard !hasOwnDefinition, !engineSession.isActing, let form = server.catalog.form(named: engineSession.form.name),
      form.fingerprint != engineSession.form.fingerprint, form.version >= engineSession.form.version
    else { return nil }
    do throws(SnapshotError) {
      // With secrets, because the snapshot stays in this process.
      let restored = try server.engine.restore(form, from: engineSession.snapshot(for: .resuming), at: server.now)
      let next = LiveSession(insteadOf: self, restored.session)
      cancelWork()
      server.sessionEnded(self)
      server.sessionBegan(next)
      kept?.sessionReplaced(by: next)
      next.logMigration(restored)
      next.carryOut(restored.turn, cause: .sessionOpen, server)
      return next
    } catch {
      server.logger.error(
        "a kept session cannot migrate to the current form and keeps its old form",
        metadata: ["form": "\(form.name.forLog)", "session": "\(number)", "why": "\(error)"]
      )
      return nil
    }
  }

  /// Reports values for which the new version of the form has no place: their addresses, not the values.
  func logMigration(_ restored: RestoredSession) {
    if restored.setAside.isEmpty { return }
    server.logger.warning(
      "a migration has set values aside, because the form no longer has their fields",
      metadata: [
        "form": "\(engineSession.form.name.forLog)", "session": "\(number)",
        "fields": "\(restored.setAside.joined(separator: ",").forLog)",
      ]
    )
  }
}
