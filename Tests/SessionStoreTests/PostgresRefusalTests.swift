import PostgreSQL
import PostgresTesting
import SessionStore
import Synchronization
import Testing

// The tests run serially: each opens its own connections, and a server accepts only a few.
@Suite(.serialized, .needsPostgreSQL)
struct `A store that daemons share, whose server does not do what it is asked` {
  /// Counts the transactions of a kind that are tried.
  private final class Tries: Sendable {
    private let counts = Mutex<[ConnectionInterruption.Purpose: Int]>([:])
    private let (tries, continuation) = AsyncStream<ConnectionInterruption.Purpose>.makeStream()

    var interruption: ConnectionInterruption {
      ConnectionInterruption { [self] point in
        guard case .before(let purpose) = point else { return false }
        counts.withLock { $0[purpose, default: 0] += 1 }
        continuation.yield(purpose)
        return false
      }
    }

    func count(_ purpose: ConnectionInterruption.Purpose) -> Int { counts.withLock { $0[purpose, default: 0] } }

    /// Waits until this many more have been tried.
    func next(_ count: Int, _ wanted: ConnectionInterruption.Purpose) async {
      let before = self.count(wanted)
      for await _ in tries where self.count(wanted) >= before + count { return }
    }
  }

  private func whole(_ number: Int) -> SessionWrite {
    SessionWrite(StoredSessionID(number), isWhole: true, parts: [(0, [120])])
  }

  // MARK: Locks

  @Test(arguments: [
    "formd_session", "formd_part", "formd_session, formd_part, formd_instance, formd_edition",
  ])
  func `tables that somebody has locked put it away at the first write, until they are free`(_ tables: String)
    async throws
  {
    try await PostgresStoreHarness.with { harness in
      let (log, tries) = (StateLog(), Tries())
      let store = try await harness.daemon(
        "a",
        lockPatience: .milliseconds(200),
        interruption: tries.interruption,
        log: log
      )
      for number in 0..<8 { try await store.write(.first(number, [0: "a"])) }
      try harness.psql.run("BEGIN")
      try harness.psql.run("LOCK TABLE \(tables) IN ACCESS EXCLUSIVE MODE")
      let before = tries.count(.write)
      await withTaskGroup { group in
        for number in 0..<8 { group.addTask { await store.failure(of: .next(number, [0: "b"])) } }
        for await failure in group { #expect(failure == .other) }
      }
      #expect(tries.count(.write) == before + 1, "nobody waits twice")
      #expect(
        "\(String(describing: await log.next()))".contains("is locked: a transaction holds its tables or rows")
      )
      await #expect(throws: StoreFailure.self) { try await store.claim(1) }
      if !tables.contains("edition") { await tries.next(3, .probe) }
      #expect(log.all.count == 1, "it does not come back before: \(log.all)")
      try harness.psql.run("COMMIT")
      #expect(await log.next() == .well)
      for number in 0..<8 {
        #expect(await store.failure(of: .next(number, [1: "c"])) == .outOfStep)
        #expect(try await store.texts(number) == [0: "a"])
        #expect(await store.failure(of: .next(number, [0: "d"])) == nil)
      }
      store.close()
    }
  }

  @Test func `a row that somebody has locked keeps it away as long, and no write is tried meanwhile`() async throws {
    try await PostgresStoreHarness.with { harness in
      let (log, tries) = (StateLog(), Tries())
      let store = try await harness.daemon(
        "a",
        lockPatience: .milliseconds(200),
        interruption: tries.interruption,
        log: log
      )
      for number in 1...2 { try await store.write(.first(number, [0: "a"])) }
      try harness.psql.run("BEGIN")
      try harness.psql.run("SELECT FROM formd_session WHERE id = '\\x\(harness.hex(StoredSessionID(1)))' FOR UPDATE")
      #expect(await store.failure(of: .next(1, [0: "b"])) == .other)
      await tries.next(3, .lookUp)
      #expect(await store.failure(of: .next(2, [0: "b"])) == .other)
      try harness.psql.run("COMMIT")
      let away = await log.next()
      #expect("\(String(describing: away))".contains("is locked"))
      #expect(await log.next() == .well)
      for number in 1...2 { try await store.write(whole(number)) }
      store.close()
    }
  }

  @Test func `a claim that waits for a row fails alone`() async throws {
    try await PostgresStoreHarness.with { harness in
      let log = StateLog()
      let a = try await harness.daemon("a")
      let b = try await harness.daemon("b", lockPatience: .milliseconds(200), log: log)
      try await a.write(.first(1, [0: "a"]))
      try await a.release(1)
      try harness.psql.run("BEGIN")
      try harness.psql.run("SELECT FROM formd_session FOR UPDATE")
      await #expect(throws: StoreFailure.self) { try await b.claim(1) }
      try await b.write(.first(2, [0: "b"]))
      try harness.psql.run("COMMIT")
      #expect(try await b.texts(1) == [0: "a"])
      a.close()
      b.close()
      #expect(log.all == [])
    }
  }

  @Test func `a lease that cannot be renewed for a lock is renewed when it is free`() async throws {
    try await PostgresStoreHarness.with { harness in
      let store = try await harness.daemon("a", lockPatience: .milliseconds(200))
      try harness.psql.run("BEGIN")
      try harness.psql.run("LOCK TABLE formd_instance")
      await #expect(throws: StoreFailure.self) { try await store.renew() }
      try harness.psql.run("COMMIT")
      // The store did not know whether the write was done.
      #expect(try await store.renew().owned == [])
      #expect(try await store.renew().owned == nil)
      store.close()
    }
  }

  @Test func `a statement that somebody cancels is done again`() async throws {
    try await PostgresStoreHarness.with { harness in
      let store = try await harness.daemon("a")
      try await store.write(.first(1, [0: "a"]))
      try harness.psql.run("BEGIN")
      try harness.psql.run("SELECT FROM formd_session FOR UPDATE")
      async let written: Void = store.write(.next(1, [0: "b"]))
      for _ in 0..<3 {
        try await harness.psql.waitForWaiting(1)
        try harness.psql.cancelWaiting()
      }
      try harness.psql.run("COMMIT")
      try await written
      #expect(try await store.texts(1) == [0: "b"])
      store.close()
    }
  }

  // MARK: What the server says no to

  /// Reasons why a server refuses every write.
  enum Refusal: CaseIterable {
    case full, forbidden, readOnly

    /// Statements that make the server refuse writes.
    var begin: [String] {
      switch self {
      case .full:
        [
          """
          CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$
          """,
          "CREATE TRIGGER refusal BEFORE INSERT ON formd_part EXECUTE FUNCTION refuse()",
        ]
      case .forbidden: ["REVOKE UPDATE ON formd_session FROM worker"]
      case .readOnly:
        [
          "ALTER ROLE worker SET default_transaction_read_only = on",
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'worker'",
        ]
      }
    }

    var end: String {
      switch self {
      case .full: "DROP FUNCTION refuse CASCADE"
      case .forbidden: "GRANT UPDATE ON formd_session TO worker"
      case .readOnly: "ALTER ROLE worker RESET default_transaction_read_only"
      }
    }

    var reason: StoreFailure.Reason { self == .full ? .full : .readOnly }

    var words: String {
      switch self {
      case .full: "is full: make room on its server's disk"
      case .forbidden: "let it create and write tables there"
      case .readOnly: "is read-only: give the URL of the primary server"
      }
    }
  }

  @Test(arguments: Refusal.allCases)
  func `says once why, takes nothing, loses nothing, and goes on when that is mended`(_ refusal: Refusal) async throws {
    try await PostgresStoreHarness.with { harness in
      let first = try await harness.daemon("first")
      first.close()
      try harness.psql.run("DROP ROLE IF EXISTS worker")
      try harness.psql.run("CREATE ROLE worker LOGIN")
      try harness.psql.run("GRANT ALL ON ALL TABLES IN SCHEMA public TO worker")
      let (log, tries) = (StateLog(), Tries())
      let store = try await harness.daemon("a", user: "worker", interruption: tries.interruption, log: log)
      for number in 1...2 { try await store.write(.first(number, [0: "a"])) }
      for statement in refusal.begin { try harness.psql.run(statement) }
      #expect(await store.failure(of: .next(1, [0: "b"])) == refusal.reason)
      #expect(await store.failure(of: .first(3, [0: "b"])) == refusal.reason)
      await #expect(throws: StoreFailure.self) { try await store.claim(1) }
      #expect("\(String(describing: await log.next()))".contains(refusal.words))
      // The store does not probe a read-only connection.
      if refusal != .readOnly { await tries.next(3, .probe) }
      #expect(try harness.psql.rows("SELECT bytes FROM formd_part").count == 2)
      try harness.psql.run(refusal.end)
      #expect(await log.next() == .well)
      for number in 1...2 { #expect(try await store.texts(number) == [0: "a"]) }
      try await store.write(.next(1, [0: "c"]))
      #expect(await store.failure(of: .next(2, [0: "c"])) == nil)
      store.close()
      try harness.psql.run("DROP OWNED BY worker")
    }
  }

  @Test func `a server that becomes a standby can only be read until it is promoted`() async throws {
    let server = try PostgresServer()
    try await PostgresStoreHarness.with(on: server) { harness in
      let log = StateLog()
      let store = try await harness.daemon("a", log: log)
      try await store.write(.first(1, [0: "a"]))
      try server.stop()
      try server.startAsStandby()
      #expect(await store.failure(of: .next(1, [0: "b"])) == .readOnly)
      #expect(
        "\(String(describing: await log.next()))".contains("is read-only: give the URL of the primary server")
      )
      await #expect(throws: StoreFailure.self) { try await store.renew() }
      try server.promote()
      #expect(await log.next() == .well)
      #expect(try await store.texts(1) == [0: "a"])
      try await store.write(.next(1, [0: "c"]))
      store.close()
    }
  }

  @Test func `daemons that come at the same instant make the tables once`() async throws {
    for _ in 0..<5 {
      try await PostgresStoreHarness.with { harness in
        let log = StateLog()
        try await withThrowingTaskGroup(of: SessionDatabase.self) { group in
          for number in 0..<8 {
            let settings = try harness.settings("\(number)")
            group.addTask {
              let store = try SessionDatabase(settings, onStateChange: { log.note($0) })
              try await store.write(.first(number, [0: "a"]))
              return store
            }
          }
          for try await store in group { store.close() }
        }
        #expect(log.all == [])
        #expect(try harness.psql.rows("SELECT number FROM formd_edition") == [["2"]])
        #expect(try harness.psql.value("SELECT count(*) FROM formd_session") == "8")
      }
    }
  }
}
