internal import Actions
internal import PostgreSQL
internal import PostgresTesting
internal import Testing

/// Each call returns at its deadline at the latest, whatever the server sends, because a thread waits in it.
@Suite struct `A server that breaks the protocol of PostgreSQL` {
  private typealias Server = ScriptedPostgresServer

  private static func message(_ type: Unicode.Scalar, _ content: [UInt8] = [], length: Int32? = nil) -> [UInt8] {
    Server.message(type, content, length: length)
  }

  private static let copy: [UInt8] = [0, 0, 0]
  private static let parameter = message("S", Array("a\0b\0".utf8))
  private static let notice = message("N", Array("SNOTICE\0C00000\0Mhello\0\0".utf8))
  private static let emptyError = message("E", [0])
  private static let synced = message("Z", [UInt8(ascii: "I")])

  /// A message of two gigabytes.
  private static let huge = message("D", [0, 1], length: .max)

  private func connection(to server: ScriptedPostgresServer, _ seconds: Int = 30) throws -> PostgresConnection {
    try PostgresConnection(
      to: try server.url,
      password: nil,
      rowBytesMax: 1 << 20,
      until: .now + .seconds(seconds),
      try PostgresCancellation()
    )
  }

  /// The failure of a prepared statement when the server sends this answer.
  private func failure(_ answer: [UInt8], isEndless: Bool = false) throws -> PostgresFailure? {
    let server = try Server(answer: Server.Speech(answer, isEndless: isEndless))
    let connection = try connection(to: server)
    let commands: [PostgresConnection.Command] = [.prepare(name: "a", text: "SELECT 1"), .execute(name: "a", [])]
    let cancellation = try PostgresCancellation()
    do throws(PostgresConnection.Loss) {
      let landing = try connection.fly(commands, cancellation, until: .now + .seconds(1)) { _, _ in }
      return landing.failure.map { PostgresFailure(.error, $0.error.message) }
    } catch {
      #expect(!connection.isAlive())
      return error.failure
    }
  }

  @Test(arguments: ["G", "H", "W"] as [Unicode.Scalar], ["", "1"])
  func `loses its connection when it begins to copy`(_ type: Unicode.Scalar, _ before: String) throws {
    let before = before.unicodeScalars.flatMap { Self.message($0) }
    let failure = try failure(before + Self.message(type, Self.copy))
    #expect(failure?.kind == .error && failure?.reason.contains("COPY") == true, "\(String(describing: failure))")
    #expect(try self.failure(before + Self.message(type, Self.copy), isEndless: true) != nil)
  }

  @Test(
    arguments: [
      [], parameter, notice, message("A", [0, 0, 0, 1] + Array("a\0b\0".utf8)), emptyError, emptyError + synced, huge,
      message("T", [0], length: .max), message("1", length: -1), message("1", length: 0), message("?"), synced,
      synced + synced, message("1") + message("1"), message("D", [0, 0]), message("C", [0]), message("c"), message("d"),
      message("1") + message("2") + message("T", [0, 0]), message("R", [0, 0, 0, 3]), [0], [0xff],
    ] as [[UInt8]],
    [false, true]
  )
  func `is given up, once or again and again`(_ answer: [UInt8], _ isEndless: Bool) throws {
    #expect(try failure(answer, isEndless: isEndless) != nil)
  }

  @Test(
    arguments: [
      [], parameter, notice, emptyError, huge, message("R", [0, 0, 0, 99]), message("R", [0], length: .max),
      message("R", [0, 0, 0, 0]) + notice, message("H", copy), message("N"), synced,
    ] as [[UInt8]],
    [false, true]
  )
  func `is given up when it greets so`(_ greeting: [UInt8], _ isEndless: Bool) throws {
    let server = try Server(greeting: Server.Speech(greeting, isEndless: isEndless))
    #expect(throws: PostgresFailure.self) { try connection(to: server, 1) }
  }

  @Test func `does not keep a check of queries waiting`() throws {
    let server = try Server(answer: Server.Speech([]))
    let check = QueryCheck(["silent": .postgreSQL(PostgreSQLConfiguration(url: try server.url))])
    let problem = check.problem(of: "SELECT 1", in: "silent")
    #expect(problem == #"the database "silent" cannot check this query: no answer in time"#)
    // No further query is tried there.
    #expect(check.problem(of: "SELECT 2", in: "silent") == nil)
  }

  @Test(arguments: [parameter, notice])
  func `that speaks without an end keeps nobody from looking whether it is there, or from a signal`(
    _ speech: [UInt8]
  ) throws {
    let server = try Server(answer: Server.Speech(speech, isEndless: true), waits: false)
    let connection = try connection(to: server)
    let wakeUp = try WakeUp()
    wakeUp.signal()
    #expect(try connection.waitForNotification(wakeUp, until: nil) == .woken)
    _ = connection.isAlive()
  }

  @Test func `is given up when it takes a request to cancel and never ends it`() throws {
    let server = try Server(answersCancels: false)
    let connection = try connection(to: server)
    let cancellation = try PostgresCancellation()
    cancellation.cancel()
    let error = #expect(throws: PostgresConnection.Loss.self) {
      try connection.fly([.query("SELECT 1", [])], cancellation, until: .now + .seconds(1)) { _, _ in }
    }
    #expect(error?.failure.kind == .timeout || error?.failure.kind == .cancelled)
  }
}
