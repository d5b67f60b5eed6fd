internal import Configuration
package import FormProtocol
internal import Forms
internal import Sessions
internal import Times

#if canImport(Glibc)
  internal import Glibc
#endif

/// Statistics for operators.
extension FormServer {
  /// The description of this server, for ``Method/serverInfo``.
  var info: ServerInfo {
    var info = ServerInfo()
    info.version = Self.version
    info.instanceID = instanceID
    info.processID = Int64(getpid())
    info.formCount = catalog.forms.count
    info.limits = limits.byName
    return info
  }

  /// The counters, and the number of open sessions and connections. Counts with names are absent: see
  /// ``allStatistics``.
  package var currentStatistics: ServerStatistics {
    var current = statistics
    current.connections = seats.count
    current.sessions = counts.sessions
    current.keptSessions = keptSessions.count
    current.providerHolders = providers.holderCount
    current.providerHoldersPassedOver = hungProviderHolders
    current.servicesPassedOver = environment.openBreakers()
    current.memory.values = memory.values
    current.memory.sessions = memory.sessions
    current.memory.unread = memory.unread
    current.memory.queued = memory.queued
    current.queues.turns = sliceOrder.count
    current.queues.requests = seats.all.reduce(0) { $0 + $1.waits.count }
    current.queues.effects = counts.effects
    current.queues.compiling = counts.compiling
    current.queues.timers = timers.count
    current.queues.store = storedSessions?.jobs ?? 0
    current.brokenForms = catalog.brokenFiles.count
    current.storeProblem = storedSessions?.problem
    current.store = storeStatistics
    current.turnTime = workTimes.histogram
    current.process = environment.processUsage()
    current.process.uptimeMs = Int((environment.now() - start) / .milliseconds(1))
    return current
  }

  /// The counters with all that metrics show by name.
  package var allStatistics: ServerStatistics {
    var all = currentStatistics
    namedCounts.add(to: &all)
    return all
  }

  /// A reload was refused, because the configuration is broken.
  package func reloadWasRefused() { statistics.reloadsRefused += 1 }

  /// The store, if there is one.
  private var storeStatistics: StoreStatistics? {
    guard let storedSessions else { return nil }
    var store = StoreStatistics()
    store.isUp = storedSessions.problem == nil
    store.leaseMs = storedSessions.leaseEnd.map {
      max(0, Int(($0 - environment.nowThroughSleep()) / .milliseconds(1)))
    }
    store.sessions = storedSessions.count
    store.commitTime = storedSessions.commitTimes.histogram
    return store
  }

  /// The sessions that are kept, the oldest first, so many at most.
  func keptSessions(oldest count: Int) -> [KeptSessionInfo] {
    let now = environment.now()
    return keptSessions.all.sorted { $0.number < $1.number }.prefix(count).map { $0.info(at: now) }
  }

  /// The clients that have used most time, so many at most.
  func clients(top count: Int) -> [ConnectionInfo] {
    let now = environment.now()
    let byTime = seats.all.sorted { ($1.slices.workNanoseconds, $0.number) < ($0.slices.workNanoseconds, $1.number) }
    return byTime.prefix(count).map { $0.info(at: now) }
  }
}

extension LiveSession {
  /// A kept session as ``Method/serverStats`` lists it.
  func info(at now: Instant) -> KeptSessionInfo {
    var info = KeptSessionInfo()
    info.session = number
    info.form = engineSession.form.name
    info.bytes = contentAndEventBytes + structureBytes
    guard let kept else { return info }
    info.ageMs = Int(max(server.environment.wallClock().milliseconds - kept.opened, 0))
    info.connections = connections.count
    info.endsInMs = kept.expiry.map { Int(($0.deadline - now) / .milliseconds(1)) }
    return info
  }
}
