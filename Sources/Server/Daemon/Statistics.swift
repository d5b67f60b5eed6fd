internal import JSON

/// What the daemon has counted since its start.
struct Statistics {
  var connectionsAccepted = 0
  /// Peers of another user, and connections beyond the limit.
  var connectionsRefused = 0
  /// Connections that drained nothing for too long.
  var connectionsStalled = 0
  var sessionsOpened = 0
  var requests = 0
  var notifications = 0
  /// Notifications of methods that do not exist, or that make no sense without an answer.
  var notificationsIgnored = 0
  /// Notifications answered by `server/rejected`.
  var notificationsRejected = 0
  var updates = 0
  /// Updates that a slow reader got as part of a later one.
  var updatesHeldBack = 0
  var desyncs = 0
  var errors = 0
  var badTexts = 0
  var unknownResponses = 0
  var effectsStarted = 0
  var faults = 0
  var reloads = 0

  /// By name, for `server/stats`.
  func json(connections: Int, sessions: Int) -> JSON {
    [
      "connections": .integer(Int64(connections)),
      "sessions": .integer(Int64(sessions)),
      "connectionsAccepted": .integer(Int64(connectionsAccepted)),
      "connectionsRefused": .integer(Int64(connectionsRefused)),
      "connectionsStalled": .integer(Int64(connectionsStalled)),
      "sessionsOpened": .integer(Int64(sessionsOpened)),
      "requests": .integer(Int64(requests)),
      "notifications": .integer(Int64(notifications)),
      "notificationsIgnored": .integer(Int64(notificationsIgnored)),
      "notificationsRejected": .integer(Int64(notificationsRejected)),
      "updates": .integer(Int64(updates)),
      "updatesHeldBack": .integer(Int64(updatesHeldBack)),
      "desyncs": .integer(Int64(desyncs)),
      "errors": .integer(Int64(errors)),
      "badTexts": .integer(Int64(badTexts)),
      "unknownResponses": .integer(Int64(unknownResponses)),
      "effectsStarted": .integer(Int64(effectsStarted)),
      "faults": .integer(Int64(faults)),
      "reloads": .integer(Int64(reloads)),
    ]
  }
}
