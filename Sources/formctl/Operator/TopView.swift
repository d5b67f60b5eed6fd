internal import Client
internal import FormProtocol

/// The output of `formctl top`: lines of text from the daemon's current and previous statistics.
struct TopView {
  /// The current statistics.
  let now: ServerStatistics
  /// The previous statistics; nil the first time. Rates are computed since then, or since the daemon's start.
  var before: ServerStatistics?
  /// The name of a process; nil if it does not exist any more.
  var name: (Int) -> String? = { _ in nil }

  /// All lines: some about the daemon, then a table of clients.
  var lines: [String] { about + [""] + table }

  private var about: [String] { [memory, load, waiting] + store }

  /// The lines for a terminal of that size: lines about the daemon are folded, and the table is cut to the height.
  func lines(columns: Int, rows: Int) -> [String] {
    let head = about.flatMap { Self.folded($0, at: columns) } + [""]
    return (head + table).prefix(rows).map { String($0.prefix(columns)) }
  }

  /// A line folded into several lines of limited length, if its words allow that.
  private static func folded(_ line: String, at columns: Int) -> [String] {
    var lines: [String] = []
    for word in line.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= columns {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  private var memory: String {
    let accounts = now.memory
    return "up \(Self.duration(now.process.uptimeMs)), \(now.connections) connections, \(now.sessions) sessions; "
      + "kept \(Self.bytes(accounts.total)) (values \(Self.bytes(accounts.values)), sessions \(Self.bytes(accounts.sessions)), "
      + "unread \(Self.bytes(accounts.unread)), queued \(Self.bytes(accounts.queued))), resident \(Self.bytes(now.process.residentBytes))"
  }

  private var load: String {
    let milliseconds = max(1, now.process.uptimeMs - (before?.process.uptimeMs ?? 0))
    func perSecond(_ count: (ServerStatistics) -> Int) -> Int {
      (count(now) - (before.map(count) ?? 0)) * 1_000 / milliseconds
    }
    let busy = (now.process.cpuMs - (before?.process.cpuMs ?? 0)) * 100 / milliseconds
    let times = before.map { now.turnTime.since($0.turnTime) } ?? now.turnTime
    return
      "\(perSecond { $0.requests + $0.notifications }) messages/s, \(perSecond(\.updates)) updates/s, CPU \(busy) %; "
      + "turns: half within \(Self.bound(times, 0.5)), 99 % within \(Self.bound(times, 0.99)), \(now.slowTurns) slow"
  }

  private var waiting: String {
    let queues = now.queues
    return "waiting: \(queues.turns) for a turn, \(queues.requests) requests, \(queues.effects) effects, "
      + "\(queues.compiling) definitions; refused \(now.connectionsRefused), cut \(now.connectionsStalled), errors \(now.errors), "
      + "faults \(now.faults)"
  }

  /// A line about the store of kept sessions, if there is one.
  private var store: [String] {
    guard let store = now.store else { return [] }
    let times = before?.store.map { store.commitTime.since($0.commitTime) } ?? store.commitTime
    let lease = store.leaseMs.map { "lease \(Self.duration($0)) left, " } ?? ""
    let state = store.isUp ? "up" : "DOWN (\(now.storeProblem ?? "for an unknown reason"))"
    let sessions = store.sessions.map { "\($0) sessions, " } ?? ""
    return [
      "store: \(state), \(lease)\(sessions)\(now.queues.store) writes wait; commits: half within \(Self.bound(times, 0.5)), "
        + "99 % within \(Self.bound(times, 0.99))"
    ]
  }

  private var table: [String] {
    let head = ["ID", "PID", "UID", "AGE", "SESSIONS", "MEMORY", "UNSENT", "TURNS", "TIME", "PROGRAM"]
    let entries = now.topClients.map { client in
      [
        "\(client.connection)", client.processID.map { "\($0)" } ?? "-", client.userID.map { "\($0)" } ?? "-",
        Self.duration(client.ageMs), "\(client.sessions)", Self.bytes(client.bytes), Self.bytes(client.unsentBytes),
        "\(client.turns)", Self.time(client.microseconds), client.processID.flatMap(name) ?? "-",
      ]
    }
    return TextTable(head: head, entries: entries).lines
  }

  private static func bound(_ times: TimeHistogram, _ share: Double) -> String {
    if times.count == 0 { return "-" }
    return times.bound(of: share).map(time) ?? "more than \(times.buckets.last.map { time($0.microsecondsMax) } ?? "-")"
  }

  /// Bytes with at most three digits: `0 B`, `17 kB`, `1.5 MB`.
  static func bytes(_ count: Int) -> String {
    scaled(count, by: 1_000, units: ["B", "kB", "MB", "GB", "TB"])
  }

  /// Microseconds with at most three digits: `50 us`, `2.5 ms`, `17 s`.
  static func time(_ microseconds: Int) -> String {
    scaled(microseconds, by: 1_000, units: ["us", "ms", "s"])
  }

  private static func scaled(_ number: Int, by factor: Int, units: [String]) -> String {
    var (tenths, unit) = (number * 10, 0)
    while tenths >= factor * 10, unit < units.count - 1 {
      tenths /= factor
      unit += 1
    }
    let hasTenth = unit > 0 && tenths < 100 && tenths % 10 != 0
    return "\(tenths / 10)\(hasTenth ? ".\(tenths % 10)" : "") \(units[unit])"
  }

  /// A duration: `12s`, `3m`, `4h`, `5d`.
  static func duration(_ milliseconds: Int) -> String {
    let seconds = milliseconds / 1_000
    switch seconds {
    case ..<60: return "\(seconds)s"
    case ..<3_600: return "\(seconds / 60)m"
    case ..<86_400: return "\(seconds / 3_600)h"
    default: return "\(seconds / 86_400)d"
    }
  }
}
