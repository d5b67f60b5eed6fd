internal import Actions
internal import FoundationEssentials
internal import JSON
internal import NIOCore
internal import NIOPosix
internal import PostgreSQL
internal import PostgresTesting
internal import Sessions
internal import Testing

#if canImport(Glibc)
  internal import Glibc
#endif

// The tests run serially: each opens its own connections, and a server accepts only a few.
@Suite(.serialized, .needsPostgreSQL)
struct PostgresConnectionTests {
  private static let endless = EffectRequest.sql("SELECT pg_sleep(1000)")

  @Test
  func `statements of one client that do not end keep nobody else from the database, and end when they are cancelled`()
    async throws
  {
    try await PostgresHarness.with(connections: 4) { harness in
      let effects = harness.effects
      var endless: [NIOLoopBound<StartedEffect>] = []
      for _ in 0..<6 { endless.append(try await effects.start(Self.endless, of: 1)) }
      #expect(await effects.answer(.sql("SELECT 1 AS one"), of: 2).rows == [["one": 1]])
      try await effects.cancel(endless)
      // The next answers of the client arrive only because its earlier queries were cancelled.
      #expect(await effects.answer(.sql("SELECT 1 AS one"), of: 1).rows == [["one": 1]])
      let sleeping =
        "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE '%sleep(1000)'"
      #expect(await effects.answer(.sql(sleeping), of: 1).rows == [["n": 0]])
    }
  }

  @Test func `a statement that does not end is a timeout, and the server does not go on with it`() async throws {
    try await PostgresHarness.with(connections: 2) { harness in
      for _ in 0..<4 {
        #expect(await harness.effects.answer(Self.endless, timeout: .milliseconds(50)).kind == .timeout)
      }
      // A client has one connection: this answer arrives only because its earlier queries were ended.
      #expect(await harness.effects.answer(.sql("SELECT 1 AS one")).rows == [["one": 1]])
    }
  }

  @Test func `a writing statement that is cancelled changes nothing`() async throws {
    try await PostgresHarness.with("CREATE TABLE t (i integer)", connections: 2) { harness in
      let insert = EffectRequest.sql("INSERT INTO t SELECT 1 FROM pg_sleep(1000)")
      let run = try await harness.effects.start(insert, of: 1)
      try await harness.effects.cancel([run])
      #expect(await harness.effects.answer(.sql("SELECT count(*) AS n FROM t")).rows == [["n": 0]])
    }
  }

  @Test func `no more connections are opened than the configuration says, and they are used again`() async throws {
    try await PostgresHarness.with(connections: 3) { harness in
      let count =
        "SELECT count(*) AS n, pg_sleep(0.01)::text AS x FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"
      let counts = await withTaskGroup(of: EffectResponse.self) { group in
        for client in 0..<60 { group.addTask { await harness.effects.answer(.sql(count), of: client) } }
        return await group.reduce(into: [EffectResponse]()) { $0.append($1) }
      }
      #expect(counts.count == 60)
      for response in counts {
        let number = response.rows?.first?["n"]?.integerValue ?? 0
        #expect((1...3).contains(number), "\(response.reason ?? "")")
      }
    }
  }

  // MARK: Lost connections

  /// Ends all connections of the database except the one that runs this statement.
  private static let terminate =
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"

  @Test func `a connection that was ended while nobody used it is replaced, and no statement notices`() async throws {
    try await PostgresHarness.with("CREATE TABLE t (i integer)", connections: 1) { harness in
      for number in 1...5 {
        let inserted = await harness.effects.answer(.sql("INSERT INTO t VALUES (1) RETURNING i"))
        #expect(inserted.rows == [["i": 1]], "\(inserted.reason ?? "")")
        try harness.psql(Self.terminate)
        #expect(
          await harness.effects.answer(.sql("SELECT count(*) AS n FROM t")).rows == [["n": .integer(Int64(number))]]
        )
      }
    }
  }

  @Test func `a statement whose connection is lost is run once more, and gone the second time`() async throws {
    let setup = """
      CREATE SEQUENCE tries;
      CREATE FUNCTION die(times integer) RETURNS bigint LANGUAGE plpgsql AS $$
        DECLARE try bigint := nextval('tries');
        BEGIN
          IF try <= times THEN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(1000); END IF;
          RETURN try;
        END $$;
      CREATE TABLE t (i bigint);
      """
    for write in [false, true] {
      try await PostgresHarness.with(setup, connections: 1) { harness in
        let query =
          write ? "INSERT INTO t SELECT die(:times::integer) RETURNING i AS try" : "SELECT die(:times::integer) AS try"
        let again = await harness.effects.answer(.sql(query, ["times": 1]))
        #expect(again.rows == [["try": 2]], "\(again.reason ?? "")")
        let gone = await harness.effects.answer(.sql(query, ["times": 100]))
        #expect(gone.kind == .gone, "\(gone.reason ?? "")")
        // The second statement was tried twice, and neither try left a row.
        #expect(await harness.effects.answer(.sql("SELECT last_value AS n FROM tries")).rows == [["n": 4]])
        let printed = try harness.psql("SELECT count(*) FROM t")
        #expect(printed == (write ? "1\n" : "0\n"))
      }
    }
  }

  @Test func `under load, connections that are ended lose nothing that was answered`() async throws {
    try await PostgresHarness.with("CREATE TABLE t (i integer PRIMARY KEY)", connections: 4) { harness in
      let responses = try await withThrowingTaskGroup(of: (Int, EffectResponse)?.self) { group in
        for number in 0..<400 {
          group.addTask {
            let insert = EffectRequest.sql("INSERT INTO t VALUES (:i) RETURNING i", ["i": .integer(Int64(number))])
            return (number, await harness.effects.answer(insert, of: number % 7))
          }
        }
        group.addTask {
          for _ in 0..<10 { try harness.psql(Self.terminate) }
          return nil
        }
        return try await group.reduce(into: [(Int, EffectResponse)]()) { if let response = $1 { $0.append(response) } }
      }
      let stored = Set(try harness.psql("SELECT i FROM t").split(separator: "\n").compactMap { Int($0) })
      for (number, response) in responses {
        switch response.kind {
        case .ok: #expect(stored.contains(number))
        // The connection ended in its commit, or twice: the row may be there.
        case .gone: break
        // The connection ended while connecting: nothing was sent.
        case .error, .refused: #expect(!stored.contains(number), "\(response.reason ?? "")")
        default: Issue.record("\(response.kind): \(response.reason ?? "")")
        }
      }
      #expect(responses.contains { $0.1.kind == .ok })
    }
  }

  @Test func `a server that is away is refused, and asked again as soon as it is back`() async throws {
    let server = try PostgresServer()
    try await PostgresHarness.with("CREATE TABLE t (i integer)", on: server) { harness in
      let query = EffectRequest.sql("SELECT count(*) AS n FROM t")
      #expect(await harness.effects.answer(query).rows == [["n": 0]])
      let asleep = try await harness.effects.start(Self.endless, of: 1)
      try server.stop()
      let refused = await harness.effects.answer(query)
      #expect(refused.kind == .refused, "\(refused.reason ?? "")")
      #expect(refused.reason?.contains("Is the server running") == true)
      try server.start()
      #expect(await harness.effects.answer(query).rows == [["n": 0]])
      try await harness.effects.cancel([asleep])
    }
  }

  #if canImport(Glibc)
    @Test func `a server that a test starts keeps no connection of another one open`() throws {
      var ends: [CInt] = [-1, -1]
      #expect(pipe(&ends) == 0)
      defer { close(ends[0]) }
      let server = try PostgresServer()
      close(ends[1])
      var end = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
      // Other tests start programs, too. Those programs close the descriptors that they inherit at once.
      #expect(poll(&end, 1, 10_000) == 1, "somebody has the pipe still")
      withExtendedLifetime(server) {}
    }
  #endif

  // MARK: Connecting

  private func answer(_ configuration: PostgreSQLConfiguration, timeout: Duration = .seconds(600)) async throws
    -> EffectResponse
  {
    let response = Box()
    try await EffectHarness.with(ActionsConfiguration(databases: ["main": .postgreSQL(configuration)])) {
      response.value = await $0.answer(.sql("SELECT current_user::text AS who"), timeout: timeout)
    }
    return try #require(response.value)
  }

  private final class Box { var value: EffectResponse? }

  @Test func `a password comes from the configuration or from a file, which may change, and is never told`()
    async throws
  {
    let server = try PostgresServer.shared.get()
    let database = try server.makeDatabase()
    try server.psql("DROP ROLE IF EXISTS guarded; CREATE ROLE guarded LOGIN PASSWORD 'canary-7c1'", in: database)
    let url = try server.url(database, user: "guarded")
    let right = try await answer(PostgreSQLConfiguration(url: url, password: PostgresPassword("canary-7c1")))
    #expect(right.rows == [["who": "guarded"]], "\(right.reason ?? "")")
    let wrong = try await answer(PostgreSQLConfiguration(url: url, password: PostgresPassword("canary-7c2")))
    #expect(wrong.kind == .error)
    #expect(wrong.reason?.contains("password authentication failed") == true, "\(wrong.reason ?? "")")
    #expect(wrong.reason?.contains("canary") == false)
    let none = try await answer(PostgreSQLConfiguration(url: url))
    #expect(none.reason?.contains("no password supplied") == true, "\(none.reason ?? "")")

    let path = FileManager.default.temporaryDirectory.path + "/password-" + UUID().uuidString
    let inFile = PostgreSQLConfiguration(url: url, password: PostgresPassword(inFile: path))
    try Data("canary-7c2\n".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try await answer(inFile).kind == .error)
    try Data("canary-7c1\n".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try await answer(inFile).rows == [["who": "guarded"]])
    try FileManager.default.removeItem(atPath: path)
    let missing = try await answer(inFile)
    #expect(missing.reason == "the password file \(path) cannot be read: No such file or directory")

    var dumped = ""
    dump(
      ActionsConfiguration(databases: [
        "d": .postgreSQL(PostgreSQLConfiguration(url: url, password: PostgresPassword("canary-7c1")))
      ]),
      to: &dumped
    )
    #expect(dumped.contains("guarded"))
    #expect(!dumped.contains("canary"))
    #expect(!"\(PostgresPassword("canary-7c1"))".contains("canary"))
    #expect(!String(reflecting: PostgresPassword("canary-7c1")).contains("canary"))
  }

  @Test func `a server that offers no TLS where the address demands it is kind tls`() async throws {
    try await withListener(answering: "N") { port in
      let url = try PostgresURL("postgresql://x@127.0.0.1:\(port)/x?sslmode=require")
      let response = try await answer(PostgreSQLConfiguration(url: url))
      #expect(response.kind == .tls, "\(response.reason ?? "")")
    }
  }

  @Test func `a connection that is cut while TLS is set up is kind refused`() async throws {
    // "S": the client may begin with TLS (PostgreSQL's documentation, "SSL Session Encryption").
    try await withListener(answering: "S", closes: true) { port in
      let url = try PostgresURL("postgresql://x@127.0.0.1:\(port)/x?sslmode=require")
      let response = try await answer(PostgreSQLConfiguration(url: url))
      #expect(response.kind == .refused, "\(response.reason ?? "")")
    }
  }

  @Test func `a server that says nothing is a timeout`() async throws {
    try await withListener(answering: nil) { port in
      let url = try PostgresURL("postgresql://x@127.0.0.1:\(port)/x?sslmode=disable")
      let response = try await answer(PostgreSQLConfiguration(url: url), timeout: .milliseconds(50))
      #expect(response.kind == .timeout, "\(response.reason ?? "")")
    }
  }

  @Test func `a database that is not there is an error in the server's words`() async throws {
    let server = try PostgresServer.shared.get()
    let response = try await answer(PostgreSQLConfiguration(url: try server.url("nowhere")))
    #expect(response.kind == .error)
    #expect(response.reason?.contains("\"nowhere\" does not exist") == true, "\(response.reason ?? "")")
  }

  /// Runs a test against a listener that sends this answer to each client that sends something, and nothing else.
  ///
  /// - Parameter closes: whether it closes the connection when the client sends something more.
  private func withListener(
    answering answer: String?,
    closes: Bool = false,
    _ body: (Int) async throws -> Void
  ) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let channel = try await ServerBootstrap(group: group)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Answerer(answer: answer, closes: closes))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let result: Result<Void, any Error>
    do { result = .success(try await body(channel.localAddress?.port ?? 0)) } catch { result = .failure(error) }
    try await channel.close()
    try await group.shutdownGracefully()
    try result.get()
  }

  private final class Answerer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let answer: String?
    private let closes: Bool
    private var hasAnswered = false

    init(answer: String?, closes: Bool) {
      self.answer = answer
      self.closes = closes
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if hasAnswered, closes { return context.close(promise: nil) }
      hasAnswered = true
      if let answer { context.writeAndFlush(NIOAny(ByteBuffer(string: answer)), promise: nil) }
    }
  }
}
