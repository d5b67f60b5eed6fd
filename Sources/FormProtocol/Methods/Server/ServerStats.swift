package struct ServerStatsParams: Call {
  /// How many connections are to be listed.
  package var top = 0
  /// How many kept sessions are to be listed.
  package var kept = 0
  /// How many providers are to be listed.
  package var providers = 0
  /// Whether the counts that have names are to be listed.
  package var named = false

  package init() {}

  /// Asks for at most that many connections, kept sessions and providers, and for the counts that have names.
  package init(top: Int = 0, kept: Int = 0, providers: Int = 0, named: Bool = false) {
    self.top = top
    self.kept = kept
    self.providers = providers
    self.named = named
  }

  package mutating func list(_ members: inout some MessageVisitor) {
    members.optional(
      "top",
      &top,
      default: 0,
      "How many connections are listed, at most 10,000; none by default. Connections that have used most time come first."
    )
    members.optional(
      "kept",
      &kept,
      default: 0,
      "How many kept sessions are listed, at most 10,000; none by default. The oldest come first."
    )
    members.optional(
      "providers",
      &providers,
      default: 0,
      "How many providers are listed, at most 10,000; none by default. They come in the order of their names."
    )
    members.optional(
      "named",
      &named,
      default: false,
      "Whether the counts with names are listed: of targets, of error codes, of forms."
    )
  }

  package func check(_ reader: inout MessageReader) {
    if !(0...10_000).contains(top) { reader.note(.value, "from 0 to 10000", atMember: "top") }
    if !(0...10_000).contains(kept) { reader.note(.value, "from 0 to 10000", atMember: "kept") }
    if !(0...10_000).contains(providers) { reader.note(.value, "from 0 to 10000", atMember: "providers") }
  }

  package static let method = Method.serverStats
  package static let name: StaticString = "server/stats"
  package static let role: Role? = .operator
  package static let isServedWhileDraining = true
  package static let isIdempotent = true
  package static let title = "The daemon's statistics"
  package static let details = "Current values, counts since the start, and the connected clients."
  package static var example: (params: Self, answer: ServerStatistics) {
    var answer = ServerStatistics()
    answer.connections = 1
    answer.sessions = 1
    answer.connectionsAccepted = 1
    answer.sessionsOpened = 1
    answer.requests = 12
    answer.updates = 7
    var info = ConnectionInfo()
    info.connection = 1
    info.userID = 1000
    info.processID = 4711
    info.sessions = 1
    answer.topClients = [info]
    return (Self(), answer)
  }
}

/// The counters of the daemon, and the answer to `server/stats`.
public struct ServerStatistics: Message, Sendable {
  /// Connections that are open.
  public var connections = 0
  /// Sessions that are open.
  public var sessions = 0
  /// The open sessions that are kept, with or without a connection.
  public var keptSessions = 0
  /// Registrations of providers: for each name the connections that hold it.
  public var providerHolders = 0
  /// Holders of a provider's name that have not answered their last calls in time.
  public var providerHoldersPassedOver = 0
  /// Services that are not asked now because they have failed too often.
  public var servicesPassedOver = 0
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
  /// How often a slow reader got a notice that updates are lost.
  public var desyncs = 0
  /// Requests answered with an error.
  public var errors = 0
  /// Texts and envelopes that could not be accepted.
  public var badTexts = 0
  /// Answers to requests that the daemon did not make.
  public var unknownResponses = 0
  /// Requests to services, databases and providers.
  public var effectsStarted = 0
  /// Requests to them that were refused, took too long or failed.
  public var effectsFailed = 0
  /// Run-time errors of formulas.
  public var faults = 0
  /// Pieces of work that took so long that they were logged.
  public var slowTurns = 0
  /// How often the forms were read again.
  public var reloads = 0
  /// How often the configuration was read again and refused.
  public var reloadsRefused = 0
  /// Files of forms that are broken or cannot be read, and of which there is no earlier form.
  public var brokenForms = 0
  /// Kept sessions that ended because they could not be stored.
  public var storeFailures = 0
  /// The reason why the store does not answer or cannot be written now; nil if it is well, or if the daemon has none.
  public var storeProblem: String?
  /// The store of kept sessions; nil if the daemon has none.
  public var store: StoreStatistics?
  /// The memory that the daemon keeps or queues for clients.
  public var memory = MemoryGauges()
  /// The waiting work, and the work under way.
  public var queues = QueueGauges()
  /// How long pieces of work took: messages of clients, timers of sessions, answers to effects.
  public var turnTime = TimeHistogram()
  /// The resources that the process has used.
  public var process = ProcessUsage()
  /// The connected clients that have used most time, as many as were requested.
  public var topClients: [ConnectionInfo] = []
  /// Sessions that are kept, as many as were requested.
  public var kept: [KeptSessionInfo] = []
  /// Providers that are registered, as many as were requested.
  public var providers: [ProviderInfo] = []
  /// Services, databases and providers that were asked, if they were requested.
  public var targets: [TargetStatistics] = []
  /// Error codes, if they were requested.
  public var errorCodes: [ErrorStatistics] = []
  /// Forms, if they were requested.
  public var forms: [FormStatistics] = []

  package init() {}

  package static let schemaName: StaticString? = "ServerStatistics"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("connections", &connections, "Connections that are open.")
    members.required("sessions", &sessions, "Sessions that are open.")
    members.required("keptSessions", &keptSessions, "Sessions that are kept, whether a client has them or not.")
    members.required(
      "providerHolders",
      &providerHolders,
      "Registrations of providers: the connections that hold each name, added up."
    )
    members.required(
      "providerHoldersPassedOver",
      &providerHoldersPassedOver,
      "Connections that have not answered their last calls to a provider in time. They are asked if no other can be."
    )
    members.required(
      "servicesPassedOver",
      &servicesPassedOver,
      "Services that are not asked now because they have failed too often (`breaker`)."
    )
    members.required("connectionsAccepted", &connectionsAccepted, "Connections since the start.")
    members.required(
      "connectionsRefused",
      &connectionsRefused,
      "Connections that were refused: peers of another user, and connections beyond the limit."
    )
    members.required(
      "connectionsStalled",
      &connectionsStalled,
      "Connections that were ended because the client read nothing for too long."
    )
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
    members.required("desyncs", &desyncs, "How often a slow reader was notified that updates are lost.")
    members.required("errors", &errors, "Requests answered with an error.")
    members.required("badTexts", &badTexts, "Texts and envelopes that could not be accepted.")
    members.required("unknownResponses", &unknownResponses, "Answers to requests that the daemon did not make.")
    members.required("effectsStarted", &effectsStarted, "Requests to services, databases and providers.")
    members.required(
      "effectsFailed",
      &effectsFailed,
      "Requests to services, databases and providers that were refused, timed out or failed."
    )
    members.required("faults", &faults, "Run-time errors of formulas.")
    members.required(
      "slowTurns",
      &slowTurns,
      "Pieces of work (for a message, a timer, or the answer to an effect) that took so long that they were logged."
    )
    members.required("reloads", &reloads, "How often the forms were reloaded.")
    members.required(
      "reloadsRefused",
      &reloadsRefused,
      "How often a reload was refused because the configuration is broken."
    )
    members.required(
      "brokenForms",
      &brokenForms,
      "Files of forms that are broken or cannot be read, and of which the daemon has no earlier form."
    )
    members.required("storeFailures", &storeFailures, "Kept sessions that ended because they could not be stored.")
    members.optional(
      "storeProblem",
      &storeProblem,
      "Why the store of kept sessions does not answer or cannot be written now; absent if it is well."
    )
    members.optional("store", &store, "The store of kept sessions; absent if the daemon has none.")
    members.required("memory", &memory, "What clients make the daemon keep or queue, in bytes.")
    members.required("queues", &queues, "Work that waits or is under way.")
    members.required(
      "turnTime",
      &turnTime,
      "How long turns took: messages of clients, timers of sessions, answers to effects."
    )
    members.required("process", &process, "Resources that the process has used.")
    members.optional("topClients", &topClients, "The connections, as many as were requested.")
    members.optional("kept", &kept, "The kept sessions, as many as were requested. Their keys are never shown.")
    members.optional("providers", &providers, "The registered providers, as many as were requested.")
    members.optional("targets", &targets, "The services, databases and providers that were asked, if requested.")
    members.optional("errorCodes", &errorCodes, "The codes of errors that were answers, if requested.")
    members.optional("forms", &forms, "The forms whose sessions had turns, if requested.")
  }
}
