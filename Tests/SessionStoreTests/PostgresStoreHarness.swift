import Foundation
import PostgreSQL
import PostgresTesting
import SessionStore
import Synchronization
import Testing

/// A fresh database on the shared server, and daemons that share it.
struct PostgresStoreHarness {
  let server: PostgresServer
  let database: String
  /// Another client of the database.
  let psql: PostgresClient

  /// Runs a test on a fresh database.
  static func with(
    on server: PostgresServer? = nil,
    _ body: (PostgresStoreHarness) async throws -> Void
  ) async throws {
    let server = try server ?? PostgresServer.shared.get()
    let database = try server.makeDatabase()
    let harness = PostgresStoreHarness(
      server: server,
      database: database,
      psql: try PostgresClient(try server.url(database))
    )
    try await body(harness)
    // The database takes seven megabytes. If a backend ends slowly, they stay until the server's folder is removed.
    _ = try? server.psql("DROP DATABASE \(database) WITH (FORCE)", in: "postgres")
  }

  /// The time of a daemon whose clock was never set. With it, an expiry of 1,000 is 1,000 seconds from now.
  static let wrongClock: @Sendable () -> Double = { 0 }

  func settings(
    _ name: String,
    machine: String? = nil,
    retryInterval: Duration = .milliseconds(5),
    patience: Duration = .seconds(60),
    lockPatience: Duration = .seconds(60),
    rowBytesMax: Int = 1 << 20,
    user: String = "formd",
    wallClock: @escaping @Sendable () -> Double = wrongClock
  ) throws -> PostgresStoreSettings {
    PostgresStoreSettings(
      url: try server.url(database, user: user),
      instance: name,
      machine: machine,
      retryInterval: retryInterval,
      patience: patience,
      lockPatience: lockPatience,
      rowBytesMax: rowBytesMax,
      wallClock: wallClock
    )
  }

  /// Starts a store whose daemon has the lease for an hour.
  func daemon(
    _ name: String,
    machine: String? = nil,
    patience: Duration = .seconds(60),
    lockPatience: Duration = .seconds(60),
    user: String = "formd",
    wallClock: @escaping @Sendable () -> Double = wrongClock,
    interruption: ConnectionInterruption = ConnectionInterruption(),
    log: StateLog = StateLog(),
    onNotification: @escaping @Sendable (StoredSessionID?) -> Void = { _ in }
  ) async throws -> SessionDatabase {
    let store = try SessionDatabase(
      try settings(
        name,
        machine: machine,
        patience: patience,
        lockPatience: lockPatience,
        user: user,
        wallClock: wallClock
      ),
      interruption: interruption,
      onStateChange: { log.note($0) },
      onNotification: onNotification
    )
    #expect(try await store.renew().owned == nil)
    return store
  }

  /// Makes the lease of a daemon run out at once.
  func endLease(of store: SessionDatabase) throws {
    try psql.run("UPDATE formd_instance SET until = clock_timestamp() WHERE id = '\(store.id)'")
  }

  /// The owner of a session and its version; nil if the session does not exist.
  func head(_ number: Int) throws -> (owner: String, version: String)? {
    let rows = try psql.rows(
      "SELECT coalesce(owner, ''), version FROM formd_session WHERE id = '\\x\(hex(StoredSessionID(number)))'"
    )
    return rows.first.map { ($0[0], $0[1]) }
  }

  /// The number of sessions in the database.
  func sessionCount() throws -> Int { try #require(Int(psql.value("SELECT count(*) FROM formd_session"))) }

  func hex(_ id: StoredSessionID) -> String {
    id.withBytes { bytes in bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined() }
  }
}

/// A separate client of a database, with one connection.
final class PostgresClient {
  private let connection: PostgresConnection
  private let cancellation: PostgresCancellation

  init(_ url: PostgresURL) throws {
    cancellation = try PostgresCancellation()
    connection = try PostgresConnection(
      to: url,
      password: nil,
      rowBytesMax: 1 << 20,
      until: .now + .seconds(60),
      cancellation
    )
  }

  struct Failed: Error {
    let message: String
  }

  /// Runs one statement, and returns its rows as texts.
  @discardableResult
  func rows(_ statement: String) throws -> [[String]] {
    var rows: [[String]] = []
    let landing = try connection.fly([.query(statement, [])], cancellation) { _, result in
      for row in result.rows { rows.append(result.columns.map { result.text(row, $0) }) }
    }
    if let failure = landing.failure { throw Failed(message: failure.error.message) }
    return rows
  }

  func run(_ statement: String) throws { try rows(statement) }

  /// The only value of a statement's only row.
  func value(_ statement: String) throws -> String { try rows(statement).first?.first ?? "" }

  /// Waits until a condition holds for other connections of the database.
  func wait(until condition: String) async throws {
    while try value("SELECT \(condition)") != "t" {
      // Within a transaction the server caches its view of other connections. Clearing the snapshot makes it look
      // again.
      try run("SELECT pg_stat_clear_snapshot(), pg_sleep(0.001)")
      // The awaited work may need this thread.
      await Task.yield()
    }
  }

  /// The connections of the database that wait for a lock. Other tests wait on the same server.
  static let waiting =
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"

  /// Waits until this many connections wait for a lock.
  func waitForWaiting(_ count: Int) async throws {
    try await wait(until: "(SELECT count(*) FROM (\(Self.waiting)) AS waiting) >= \(count)")
  }

  /// Cancels the statements that wait for a lock.
  func cancelWaiting() throws { try run("SELECT pg_cancel_backend(pid) FROM (\(Self.waiting)) AS waiting") }

  /// Ends all connections of the database except this one.
  func terminateOthers() throws {
    try run(
      """
      SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
      """
    )
  }
}

extension StoredFacts {
  /// Whether the facts are equal, with an expiry up to 10,000 seconds earlier. Clocks that do not advance get times
  /// from a clock that does.
  func isAbout(_ other: StoredFacts) -> Bool {
    form == other.form && expiry <= other.expiry && expiry > other.expiry - 10_000
  }
}

extension SessionDatabase {
  func claim(
    _ number: Int,
    asking: Int64 = 1,
    takes: Bool = false,
    isAsked: Bool = false,
    isLast: Bool = false,
    grace: Int64 = 0,
    for lease: Duration = .seconds(3_600)
  ) async throws -> ClaimResult {
    var claim = SessionClaim(StoredSessionID(number), number: asking, takes: takes, grace: grace)
    (claim.isAsked, claim.isLast) = (isAsked, isLast)
    return try await asked { [claim] in self.claim(claim, for: lease, $0) }
  }

  /// Claims sessions, all before the first answer.
  func claimTogether(_ numbers: [Int]) async -> [Int: Result<ClaimResult, StoreFailure>] {
    await withTaskGroup { group in
      for number in numbers {
        let (answers, continuation) = AsyncStream<Result<ClaimResult, StoreFailure>>.makeStream()
        claim(SessionClaim(StoredSessionID(number), number: 1, takes: false), for: .seconds(3_600)) {
          continuation.yield($0)
        }
        group.addTask { (number, await answers.first { _ in true }) }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  /// The parts of a session that was claimed; nil if the claim failed.
  func texts(_ number: Int) async throws -> [Int64: String]? { try await claim(number).texts }

  func remove(_ number: Int, grace: Int64 = 0) async throws -> Bool {
    try await asked { remove(StoredSessionID(number), grace: grace, $0) }
  }

  func release(_ number: Int) async throws { try await asked { release(StoredSessionID(number), $0) } }

  /// Gives a session to the asking daemon, or refuses it. Returns whether it belongs to another daemon now.
  func answer(_ request: SessionRequest, gives: Bool) async throws -> Bool {
    do { try await asked { answer(request, gives: gives, $0) } } catch let failure as StoreFailure {
      if failure.reason == .moved { return true }
      throw failure
    }
    return false
  }

  func expired(grace: Int64 = 0, atMost countMax: Int = 100) async throws -> [StoredSessionID] {
    try await asked { expired(grace: grace, atMost: countMax, $0) }
  }

  func renew(for lease: Duration = .seconds(3_600)) async throws -> LeaseRenewal {
    try await asked { renew(for: lease, $0) }
  }
}

extension ClaimResult {
  var session: StoredSession? { if case .session(let session) = self { session } else { nil } }

  var texts: [Int64: String]? {
    session.map { session in
      Dictionary(uniqueKeysWithValues: session.parts.map { ($0.number, String(decoding: $0.bytes, as: UTF8.self)) })
    }
  }

  var isNothing: Bool { if case .nothing = self { true } else { false } }

  /// The daemon that holds the session, marked if the request is over or waits; nil if no other daemon holds it.
  var holder: String? {
    guard case .held(let owner, let request) = self else { return nil }
    return switch request {
    case .placed: owner
    case .isNext: "another one asks \(owner)"
    case .isOver: "no, says \(owner)"
    }
  }
}

/// Notifications that a test can wait for.
final class Notices: Sendable {
  private let notices: AsyncStream<StoredSessionID?>
  private let continuation: AsyncStream<StoredSessionID?>.Continuation

  init() { (notices, continuation) = AsyncStream.makeStream() }

  func note(_ session: StoredSessionID?) { continuation.yield(session) }

  /// Waits for a notification since the last call, or for the next one.
  func next() async -> StoredSessionID? {
    for await session in notices { return session }
    return nil
  }
}
