import Foundation
import PostgreSQL
import PostgresTesting
import SessionStore
import Synchronization
import Testing

// The tests run serially: each opens its own connections, and a server accepts only a few.
@Suite(.serialized, .needsPostgreSQL)
struct `A store that daemons share, in trouble` {
  // MARK: Fencing

  @Test func `a writer whose session is taken while it waits for a lock changes nothing, and nobody else is concerned`()
    async throws
  {
    try await PostgresStoreHarness.with { harness in
      let (a, b) = (try await harness.daemon("a"), try await harness.daemon("b"))
      for number in 1...2 { try await a.write(.first(number, [0: "a"])) }
      try harness.psql.run("BEGIN")
      try harness.psql.run(
        "UPDATE formd_session SET owner = '\(b.id)', version = version + 1 WHERE id = '\\x\(harness.hex(StoredSessionID(1)))'"
      )
      async let taken = a.failure(of: .next(1, [0: "late"]))
      async let kept = a.failure(of: .next(2, [0: "b"]))
      try await harness.psql.waitForWaiting(1)
      try harness.psql.run("COMMIT")
      #expect(await taken == .notOwned)
      #expect(await kept == nil)
      #expect(try await b.texts(1) == [0: "a"])
      #expect(try await a.texts(2) == [0: "b"])
      a.close()
      b.close()
    }
  }

  @Test func `a write in another version changes nothing`() async throws {
    try await PostgresStoreHarness.with { harness in
      let store = try await harness.daemon("a")
      try await store.write(.first(1, [0: "a"]))
      try harness.psql.run("UPDATE formd_session SET version = version + 7")
      #expect(await store.failure(of: .next(1, [0: "b"])) == .notOwned)
      #expect(try await store.texts(1) == [0: "a"])
      store.close()
    }
  }

  @Test func `a session whose number another one has, since the database has lost commits, changes nothing there`()
    async throws
  {
    try await PostgresStoreHarness.with { harness in
      let store = try await harness.daemon("a")
      try await store.write(.first(1, [0: "mine"]))
      // The replica that replaces the database lacks the first session.
      try harness.psql.run("DELETE FROM formd_session")
      try harness.psql.run("ALTER TABLE formd_session ALTER number RESTART WITH 1")
      try await store.write(.first(2, [0: "yours"]))
      #expect(await store.failure(of: .next(1, [0: "mine again"])) == .notOwned)
      #expect(try await store.texts(2) == [0: "yours"])
      store.close()
    }
  }

  @Test func `a row that is larger than any write is not read, and the store goes on`() async throws {
    try await PostgresStoreHarness.with { harness in
      let store = try await harness.daemon("a")
      try await store.write(.first(1, [0: "a"]))
      try await store.write(.first(2, [0: "b"]))
      // It is not compressed on its way.
      try harness.psql.run("UPDATE formd_part SET bytes = convert_to(repeat('x', 3000000), 'UTF8') WHERE session = 1")
      await #expect(throws: StoreFailure.self) { _ = try await store.texts(1) }
      #expect(try await store.texts(2) == [0: "b"])
      store.close()
    }
  }

  // MARK: Commits whose end is not known

  @Test(arguments: [ConnectionInterruption.Point.before(.write), .behind(.write)], [1, 2, 3])
  func `a commit that was lost on its way is looked up, and done once`(
    _ point: ConnectionInterruption.Point,
    _ times: Int
  ) async throws {
    try await PostgresStoreHarness.with { harness in
      let losses = Once()
      let store = try await harness.daemon("a", interruption: ConnectionInterruption { $0 == point && losses.take() })
      losses.arm(times)
      try await store.write(.first(1, [0: "a"]))
      losses.arm(times)
      try await store.write(.next(1, [0: "b"]))
      losses.arm(times)
      try await store.write(SessionWrite(StoredSessionID(2), formerID: StoredSessionID(1), parts: [(1, [120])]))
      losses.arm(0)
      try await store.write(.next(2, [2: "y"]))
      // Each of the four writes was done once; the other transactions only look.
      let version = Int64(try #require(try harness.head(2)).version)! % (1 << 32)
      #expect(point == .behind(.write) ? version == 4 : version >= 4)
      #expect(try await store.texts(2) == [0: "b", 1: "x", 2: "y"])
      #expect(try harness.sessionCount() == 1)
      store.close()
    }
  }

  @Test func `a look that is lost is repeated, and so are a claim and a removal`() async throws {
    try await PostgresStoreHarness.with { harness in
      let losses = Once()
      let points: [ConnectionInterruption.Point] = [
        .behind(.write), .behind(.lookUp), .behind(.claim), .behind(.removal),
      ]
      let store = try await harness.daemon(
        "a",
        interruption: ConnectionInterruption { points.contains($0) && losses.take() }
      )
      losses.arm(4)
      try await store.write(.first(1, [0: "a"]))
      losses.arm(4)
      try await store.write(.next(1, [1: "b"]))
      losses.arm(2)
      #expect(try await store.texts(1) == [0: "a", 1: "b"])
      losses.arm(2)
      #expect(try await store.remove(1))
      #expect(try await store.claim(1).isNothing)
      store.close()
    }
  }

  @Test func `a transaction that comes late, behind the look, changes nothing`() async throws {
    try await PostgresStoreHarness.with { harness in
      let store = try await harness.daemon("a")
      try await store.write(.first(1, [0: "a"]))
      // The first try waits for this lock, and its connection is ended. The store then looks, behind the lock, and
      // writes again.
      try harness.psql.run("BEGIN")
      try harness.psql.run("SELECT FROM formd_session FOR UPDATE")
      async let written: Void = store.write(.next(1, [0: "b"]))
      try await harness.psql.waitForWaiting(1)
      try harness.psql.terminateOthers()
      try await harness.psql.wait(
        until: "EXISTS (\(PostgresClient.waiting) AND query LIKE '%version = s.version + $3%')"
      )
      try harness.psql.run("COMMIT")
      try await written
      #expect(try await store.texts(1) == [0: "b"])
      store.close()
    }
  }

  // MARK: Connections that end

  /// Writes rounds into sessions and checks the result. Each round starts when the previous round is acknowledged.
  private func write(rounds: Int, into store: SessionDatabase, meanwhile: () throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for session in 0..<8 {
        group.addTask {
          try await store.write(.first(session, [0: "0"]))
          for round in 1...rounds { try await store.write(.next(session, [0: "\(round)", Int64(round): "x"])) }
        }
      }
      try meanwhile()
      try await group.waitForAll()
    }
    for session in 0..<8 {
      let texts = try #require(try await store.texts(session))
      #expect(texts[0] == "\(rounds)" && texts.count == rounds + 1)
    }
  }

  /// Connects all connections of a store. (Each is tried once at first, and then the store counts as away.)
  private func connect(_ store: SessionDatabase) async throws {
    _ = try await store.renew()
    _ = try await store.expired()
  }

  @Test func `connections that are ended under load lose nothing, and nothing is done twice`() async throws {
    try await PostgresStoreHarness.with { harness in
      // The server of this store is reachable all the time, so the store may wait.
      let store = try SessionDatabase(try harness.settings("a", retryInterval: .milliseconds(500)))
      try await connect(store)
      try await write(rounds: 60, into: store) { for _ in 0..<40 { try harness.psql.terminateOthers() } }
      store.close()
    }
  }

  @Test func `a server that is started again under load is waited for`() async throws {
    let server = try PostgresServer()
    try await PostgresStoreHarness.with(on: server) { harness in
      let store = try SessionDatabase(try harness.settings("a", retryInterval: .seconds(4)))
      try await connect(store)
      try await write(rounds: 60, into: store) {
        try server.stop()
        try server.start()
      }
      store.close()
    }
  }

  @Test func `a store whose server is away says so, fails, takes only what is whole, and comes back`() async throws {
    let server = try PostgresServer()
    try await PostgresStoreHarness.with(on: server) { harness in
      let log = StateLog()
      let store = try await harness.daemon("a", log: log)
      try await store.write(.first(1, [0: "a"]))
      try server.stop()
      #expect(await store.failure(of: .next(1, [0: "b"])) == .other)
      let away = await log.next()
      #expect("\(String(describing: away))".contains("cannot be reached: start its server"))
      await #expect(throws: StoreFailure.self) { try await store.renew() }
      try server.start()
      // The reason why the store is away may change until then.
      while await log.next() != .well {}
      #expect(await store.failure(of: .next(1, [1: "c"])) == .outOfStep)
      try await store.write(SessionWrite(StoredSessionID(1), isWhole: true, parts: [(0, [120])]))
      #expect(try await store.texts(1) == [0: "x"])
      #expect(store.close())
    }
  }

  // MARK: What an operator has to mend

  private func failure(_ settings: PostgresStoreSettings) async -> StoreFailure? {
    let log = StateLog()
    guard let store = try? SessionDatabase(settings, onStateChange: { log.note($0) }) else { return nil }
    defer { store.close() }
    if case .away(let failure)? = await log.next() { return failure }
    return nil
  }

  @Test func `of a newer edition is left alone`() async throws {
    try await PostgresStoreHarness.with { harness in
      try await harness.daemon("a").close()
      try harness.psql.run("UPDATE formd_edition SET number = 99")
      let failure = await failure(try harness.settings("b"))
      #expect(failure?.reason == .newer && failure?.description.contains("run that version") == true)
    }
  }

  @Test func `of an older edition gets the current tables, and its sessions stay`() async throws {
    try await PostgresStoreHarness.with { harness in
      let former = try await harness.daemon("a")
      try await former.write(.first(1, [0: "a"]))
      former.close()
      for statement in [
        "ALTER TABLE formd_session DROP wanted_by, DROP wanted_until, DROP wanted_takes",
        "CREATE TABLE formd_request (session bigint)", "UPDATE formd_edition SET number = 1",
      ] {
        try harness.psql.run(statement)
      }
      let (a, b) = (try await harness.daemon("a"), try await harness.daemon("b"))
      #expect(try await a.texts(1) == [0: "a"])
      #expect(try await b.claim(1).holder == "a")
      #expect(try await a.renew().requests.count == 1)
      #expect(try harness.psql.value("SELECT to_regclass('formd_request') IS NULL") == "t")
      a.close()
      b.close()
    }
  }

  @Test func `that can only be read is away`() async throws {
    try await PostgresStoreHarness.with { harness in
      try await harness.daemon("a").close()
      try harness.psql.run("ALTER DATABASE \(harness.database) SET default_transaction_read_only = on")
      let failure = await failure(try harness.settings("b"))
      #expect(failure?.reason == .readOnly && failure?.description.contains("primary") == true)
    }
  }

  @Test func `with a wrong password is away, and says no password`() async throws {
    try await PostgresStoreHarness.with { harness in
      try harness.psql.run("DROP ROLE IF EXISTS guarded_store")
      try harness.psql.run("CREATE ROLE guarded_store LOGIN PASSWORD 'canary-1'")
      var settings = try harness.settings("b", user: "guarded_store")
      settings.password = PostgresPassword("canary-2")
      let failure = await failure(settings)
      #expect(failure?.description.contains("password authentication failed") == true)
      #expect(failure?.description.contains("canary") == false)
    }
  }
}
