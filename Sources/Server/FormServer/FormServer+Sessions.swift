internal import Sessions

/// Sessions begin and end.
extension FormServer {
  /// A session was opened.
  func sessionBegan(_ session: LiveSession) {
    memory.values += session.contentAndEventBytes
    memory.sessions += session.structureBytes
    counts.sessionBegan(session)
    if let kept = session.kept { keptSessions.add(session, kept.storedID) }
    session.beginStoring()
  }

  /// A session has ended, and no connection has it any more.
  func sessionEnded(_ session: LiveSession) {
    memory.values -= session.contentAndEventBytes
    memory.sessions -= session.structureBytes
    counts.sessionEnded(session)
    if session.hasOwnDefinition { letGo(session.engineSession.form) }
    memoryWasFreed()
    if session.kept != nil { waitForClients() }
  }

  /// The number of another session.
  func nextSessionNumber() -> Int64 {
    lastSession += 1
    return lastSession
  }
}
