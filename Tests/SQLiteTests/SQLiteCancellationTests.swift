import CSQLite
import Foundation
import SQLite
import Testing

@Suite struct `A cancellation of statements` {
  private static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

  private let connection: SQLiteConnection

  init() throws { connection = try SQLiteConnection(path: ":memory:", .creating) }

  @Test func `ends a statement that runs on another thread`() throws {
    let cancellation = SQLiteCancellation()
    let hasBegun = DispatchSemaphore(value: 0)
    try connection.addFunction("begin", parameters: 0, isDeterministic: false) { _ in
      hasBegun.signal()
      return .integer(1)
    }
    Thread.detachNewThread {
      hasBegun.wait()
      cancellation.cancel()
    }
    let found = error {
      try connection.run(until: cancellation) {
        _ = try connection.firstValue(of: Self.endless.replacing("SELECT 1", with: "SELECT begin()"))
      }
    }
    #expect(found?.code == SQLITE_INTERRUPT)
    // The cancellation does not concern other statements.
    #expect(try connection.firstValue(of: "SELECT 1") == .integer(1))
    #expect(
      try connection.run(until: SQLiteCancellation()) { try connection.firstValue(of: "SELECT 1") } == .integer(1)
    )
  }

  /// `sqlite3_interrupt` has no effect here.
  @Test func `ends a statement that begins just after it`() {
    let cancellation = SQLiteCancellation()
    let found = error {
      try connection.run(until: cancellation) {
        cancellation.cancel()
        _ = try connection.firstValue(of: Self.endless)
      }
    }
    #expect(found?.code == SQLITE_INTERRUPT)
  }

  @Test func `lets nothing begin that it came before`() {
    let cancellation = SQLiteCancellation()
    cancellation.cancel()
    let found = error {
      try connection.run(until: cancellation) { _ = Issue.record("it ran") }
    }
    #expect(found?.code == SQLITE_INTERRUPT)
  }

  @Test func `has no effect when the statements are done`() throws {
    let cancellation = SQLiteCancellation()
    try connection.run(until: cancellation) { try connection.run("CREATE TABLE t (x)") }
    cancellation.cancel()
    let count = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT count(*) FROM n"
    #expect(try connection.firstValue(of: count) == .integer(1000))
  }

  @Test func `undoes what a statement has changed so far`() throws {
    try connection.run("CREATE TABLE t (x); INSERT INTO t VALUES (0)")
    let cancellation = SQLiteCancellation()
    try connection.addFunction("cancelled", parameters: 1, isDeterministic: false) { values in
      if values[0] == .integer(500) { cancellation.cancel() }
      return values[0]
    }
    let found = error {
      try connection.transaction {
        try connection.run(until: cancellation) {
          let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
          try connection.run(numbers + "INSERT INTO t SELECT cancelled(i) FROM n")
        }
      }
    }
    #expect(found?.code == SQLITE_INTERRUPT)
    #expect(try connection.firstValue(of: "SELECT count(*) FROM t") == .integer(1))
  }
}
