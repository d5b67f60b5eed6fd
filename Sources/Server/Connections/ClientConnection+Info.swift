internal import FormProtocol
internal import Logging
internal import Times

/// What operators see of a connection.
extension ClientConnection {
  /// The connection and its peer, as metadata of the log.
  var logMetadata: Logger.Metadata { ["connection": "\(number)", "pid": "\(peer?.processID ?? 0)"] }

  /// The connection as ``Method/serverStats`` lists it.
  func info(at now: Instant) -> ConnectionInfo {
    var info = ConnectionInfo()
    info.connection = number
    info.userID = peer.map { Int($0.userID) }
    info.processID = peer.map { Int($0.processID) }
    info.ageMs = Int((now - accepted) / .milliseconds(1))
    info.sessions = sessions.count
    info.unsentBytes = output.unsentBytes
    info.bytes = sessions.bytes + unread.bytes + unsent.bytes + slices.dueWork.bytes
    info.turns = slices.workCount
    info.microseconds = Int(slices.workNanoseconds / 1_000)
    return info
  }
}
