import CSQLite
import Foundation
import SQLite
import Testing

@Suite struct `A connection to a SQLite file` {
  private let file: TestFile

  init() throws { file = try TestFile() }

  // MARK: Opening and closing

  @Test(arguments: [SQLiteConnection.Access.reading, .writing])
  func `needs a file that is there`(_ access: SQLiteConnection.Access) {
    let missing = error { _ = try file.open(access) }
    #expect(missing?.code == SQLITE_CANTOPEN && missing?.message == "unable to open database file")
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `makes the file only when it is told to`() throws {
    try file.open(.creating).run("CREATE TABLE t (x)")
    #expect(try file.open(.reading).firstValue(of: "SELECT count(*) FROM t") == .integer(0))
  }

  @Test func `notices at its first statement that a file is no database`() throws {
    try Data("not a database, but long enough to be asked whether it is one".utf8).write(to: URL(filePath: file.path))
    let connection = try file.open(.reading)
    #expect(error { _ = try connection.firstValue(of: "SELECT 1 FROM sqlite_schema") }?.code == SQLITE_NOTADB)
  }

  @Test func `cannot write when it was opened for reading`() throws {
    try file.open().run("CREATE TABLE t (x)")
    let reader = try file.open(.reading)
    #expect(error { try reader.run("INSERT INTO t VALUES (1)") }?.code == SQLITE_READONLY)
    try file.open(.writing).run("INSERT INTO t VALUES (1)")
    #expect(try reader.firstValue(of: "SELECT x FROM t") == .integer(1))
  }

  @Test func `is closed when it and its last statement are released`() throws {
    var connection: SQLiteConnection? = try file.open()
    try connection?.run("PRAGMA locking_mode = EXCLUSIVE; CREATE TABLE t (x); INSERT INTO t VALUES (7)")
    var statement: SQLiteStatement? = try SQLiteStatement("SELECT x FROM t", in: #require(connection))
    weak var released: SQLiteConnection?
    released = connection
    connection = nil
    // The statement goes on, and the lock is held.
    #expect(try statement?.step() == true && statement?.integer(0) == 7)
    let next = try file.open()
    #expect(error { try next.run("INSERT INTO t VALUES (8)") }?.code == SQLITE_BUSY)
    statement = nil
    #expect(released == nil)
    try next.run("INSERT INTO t VALUES (8)")
  }

  @Test func `waits for the locks of others as long as it was told to`() throws {
    let owner = try file.open()
    try owner.run("CREATE TABLE t (x); BEGIN EXCLUSIVE")
    let reader = try SQLiteConnection(path: file.path, .reading, busyTimeout: .milliseconds(1))
    #expect(try reader.firstValue(of: "PRAGMA busy_timeout") == .integer(1))
    #expect(error { _ = try reader.firstValue(of: "SELECT x FROM t") }?.code == SQLITE_BUSY)
  }

  // MARK: Errors

  @Test(arguments: [
    ("INSERT INTO t (id) VALUES (1)", CSQLITE_CONSTRAINT_PRIMARYKEY, "UNIQUE constraint failed: t.id"),
    ("INSERT INTO t (name) VALUES ('a')", CSQLITE_CONSTRAINT_UNIQUE, "UNIQUE constraint failed: t.name"),
    ("UPDATE t SET name = NULL", CSQLITE_CONSTRAINT_NOTNULL, "NOT NULL constraint failed: t.name"),
    ("UPDATE t SET age = -1", CSQLITE_CONSTRAINT_CHECK, "CHECK constraint failed: age > 0"),
    ("UPDATE t SET parent = 7", CSQLITE_CONSTRAINT_FOREIGNKEY, "FOREIGN KEY constraint failed"),
  ])
  func `says which constraint failed`(_ statement: String, _ code: CInt, _ message: String) throws {
    let connection = try file.open()
    try connection.run(
      """
      PRAGMA foreign_keys = ON;
      CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL DEFAULT 'b', age INTEGER CHECK (age > 0),
        parent INTEGER REFERENCES t);
      INSERT INTO t (name) VALUES ('a')
      """
    )
    let found = error { try connection.run(statement) }
    #expect(found?.extendedCode == code && found?.code == SQLITE_CONSTRAINT && found?.message == message)
    #expect(found?.description == "SQLite error 19: \(message)")
  }

  @Test func `takes no text in double quotes`() throws {
    let connection = try file.open()
    #expect(error { _ = try connection.firstValue(of: #"SELECT "nothing""#) }?.message == "no such column: nothing")
    #expect(throws: SQLiteError.self) { try connection.run(#"CREATE TABLE t (x); CREATE INDEX i ON t ("nothing")"#) }
  }

  @Test func `limits the size of a value`() throws {
    let connection = try file.open(valueBytesMax: 1000)
    #expect(error { _ = try connection.firstValue(of: "SELECT zeroblob(1001)") }?.code == SQLITE_TOOBIG)
    let statement = try SQLiteStatement("SELECT ?", in: connection)
    let long = String(repeating: "x", count: 1001)
    #expect(error { try statement.bind(long, at: 1) }?.code == SQLITE_TOOBIG)
    #expect(error { try statement.run(with: Array(long.utf8), at: 1) }?.code == SQLITE_TOOBIG)
    try statement.bind(String(long.dropFirst()), at: 1)
    #expect(try statement.step() && statement.byteCount(0) == 1000)
  }

  // MARK: Transactions

  @Test func `commits a transaction, or rolls it back with the error of its body`() throws {
    struct Refusal: Error {}
    let connection = try file.open()
    try connection.run("CREATE TABLE t (x)")
    #expect(throws: Refusal.self) {
      try connection.transaction {
        try connection.run("INSERT INTO t VALUES (1)")
        throw Refusal()
      }
    }
    let count = try connection.transaction {
      try connection.run("INSERT INTO t VALUES (2)")
      return try connection.firstValue(of: "SELECT sum(x) FROM t")
    }
    #expect(count == .integer(2))
    #expect(try file.open(.reading).firstValue(of: "SELECT sum(x) FROM t") == .integer(2))
  }

  @Test func `survives a transaction that SQLite itself has rolled back`() throws {
    let connection = try file.open()
    try connection.run("CREATE TABLE t (x UNIQUE); INSERT INTO t VALUES (1)")
    let found = error { try connection.transaction { try connection.run("INSERT OR ROLLBACK INTO t VALUES (1)") } }
    #expect(found?.extendedCode == CSQLITE_CONSTRAINT_UNIQUE)
    try connection.transaction { try connection.run("INSERT INTO t VALUES (2)") }
    #expect(try connection.firstValue(of: "SELECT count(*) FROM t") == .integer(2))
  }

  @Test func `tells of each commit how many pages the log has`() throws {
    let connection = try file.open()
    var pages: [Int] = []
    connection.onLogGrowth { pages.append($0) }
    try connection.run("PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    #expect(pages.count == 2 && pages[0] > 0 && pages[1] > pages[0])
  }
}
