/// Params of `server/stats`.
package struct ServerStatsParams: Call {
  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {}

  package static let method = Method.serverStats
  package static let title = "What it has counted"
  package static let details = "Counters since the start, and what is open now."
  package static var example: (params: Self, answer: ServerStatistics) {
    var answer = ServerStatistics()
    answer.connections = 1
    answer.sessions = 1
    answer.connectionsAccepted = 1
    answer.sessionsOpened = 1
    answer.requests = 12
    answer.updates = 7
    return (Self(), answer)
  }
}

/// What the daemon counts, and the answer to `server/stats`.
public struct ServerStatistics: Message, Sendable {
  /// Connections that are open.
  public var connections = 0
  /// Sessions that are open.
  public var sessions = 0
  /// Connections since the start.
  public var connectionsAccepted = 0
  /// Peers of another user, and connections beyond the limit.
  public var connectionsRefused = 0
  /// Connections that drained nothing for too long.
  public var connectionsStalled = 0
  /// Sessions since the start.
  public var sessionsOpened = 0
  /// Requests since the start.
  public var requests = 0
  /// Notifications since the start.
  public var notifications = 0
  /// Notifications of methods that do not exist, or that make no sense without an answer.
  public var notificationsIgnored = 0
  /// Notifications answered by `server/rejected`.
  public var notificationsRejected = 0
  /// Updates that were written.
  public var updates = 0
  /// Updates that a slow reader got as part of a later one.
  public var updatesHeldBack = 0
  /// How often a slow reader had to be told that updates are lost.
  public var desyncs = 0
  /// Requests answered with an error.
  public var errors = 0
  /// Texts and envelopes that could not be accepted.
  public var badTexts = 0
  /// Answers to requests that the daemon did not make.
  public var unknownResponses = 0
  /// Requests to services, databases and providers.
  public var effectsStarted = 0
  /// Run-time errors of formulas.
  public var faults = 0
  /// How often the forms were read anew.
  public var reloads = 0

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("connections", &connections, "Connections that are open.")
    members.required("sessions", &sessions, "Sessions that are open.")
    members.required("connectionsAccepted", &connectionsAccepted, "Connections since the start.")
    members.required(
      "connectionsRefused",
      &connectionsRefused,
      "Peers of another user, and connections beyond the limit."
    )
    members.required("connectionsStalled", &connectionsStalled, "Connections that drained nothing for too long.")
    members.required("sessionsOpened", &sessionsOpened, "Sessions since the start.")
    members.required("requests", &requests, "Requests.")
    members.required("notifications", &notifications, "Notifications.")
    members.required(
      "notificationsIgnored",
      &notificationsIgnored,
      "Notifications of methods that do not exist, or that make no sense without an answer."
    )
    members.required(
      "notificationsRejected",
      &notificationsRejected,
      "Notifications answered by `server/rejected`."
    )
    members.required("updates", &updates, "Updates that were written.")
    members.required("updatesHeldBack", &updatesHeldBack, "Updates that a slow reader got as part of a later one.")
    members.required("desyncs", &desyncs, "How often a slow reader had to be told that updates are lost.")
    members.required("errors", &errors, "Requests answered with an error.")
    members.required("badTexts", &badTexts, "Texts and envelopes that could not be accepted.")
    members.required("unknownResponses", &unknownResponses, "Answers to requests that the daemon did not make.")
    members.required("effectsStarted", &effectsStarted, "Requests to services, databases and providers.")
    members.required("faults", &faults, "Run-time errors of formulas.")
    members.required("reloads", &reloads, "How often the forms were read anew.")
  }
}
