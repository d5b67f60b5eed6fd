/// The memory that the daemon keeps or queues for clients, in bytes by account.
public struct MemoryGauges: Message, Sendable {
  /// The data that sessions keep for their clients: values, outputs, results, answers of checks.
  public var values = 0
  /// The sessions themselves, and the definitions that clients brought along.
  public var sessions = 0
  /// Unread input.
  public var unread = 0
  /// Unsent data: unread output, unfinished answers to batches, updates held back, answers of services that wait.
  public var queued = 0

  package init() {}

  /// The sum that `memoryMax` bounds.
  public var total: Int { values + sessions + unread + queued }

  package static let schemaName: StaticString? = "MemoryGauges"
  package static let summary: StaticString = "Memory that the daemon keeps or queues for clients."

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("values", &values, "Values that sessions keep for their clients.")
    members.required("sessions", &sessions, "The sessions themselves, and definitions from clients.")
    members.required("unread", &unread, "Input that is not handled yet.")
    members.required("queued", &queued, "Output that is not sent yet, and data that will become output.")
  }
}

/// The waiting work, and the work under way.
public struct QueueGauges: Message, Sendable {
  /// Connections that wait for their slice.
  public var turns = 0
  /// Requests that wait for an outcome.
  public var requests = 0
  /// Requests to services, databases and providers that are under way.
  public var effects = 0
  /// Definitions that compile, or wait for it.
  public var compiling = 0
  /// Timers that are set.
  public var timers = 0
  /// Writes of kept sessions that wait for the store.
  public var store = 0

  package init() {}

  package static let schemaName: StaticString? = "QueueGauges"
  package static let summary: StaticString = "Work that waits or is under way."

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("turns", &turns, "Connections that wait for their turn.")
    members.required("requests", &requests, "Requests that wait for an outcome.")
    members.required("effects", &effects, "Requests to services, databases and providers that are under way.")
    members.required("compiling", &compiling, "Definitions that are being compiled, or wait for it.")
    members.required("timers", &timers, "Timers that are set.")
    members.required("store", &store, "Writes of kept sessions that wait for the store.")
  }
}

/// The resources that the daemon's process has used.
public struct ProcessUsage: Message, Sendable {
  /// How long the daemon runs.
  public var uptimeMs = 0
  /// How much processor time it has used.
  public var cpuMs = 0
  /// Bytes of memory that the system has given it.
  public var residentBytes = 0

  package init() {}

  package static let schemaName: StaticString? = "ProcessUsage"
  package static let summary: StaticString = "Resources that the daemon's process has used."

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("uptimeMs", &uptimeMs, "How long the daemon has been running.")
    members.required("cpuMs", &cpuMs, "Processor time that the daemon has used.")
    members.required("residentBytes", &residentBytes, "Bytes of memory that the daemon has from the system.")
  }
}
