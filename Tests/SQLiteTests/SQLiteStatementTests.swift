import CSQLite
import SQLite
import Testing

@Suite struct `A statement of SQLite` {
  private let connection: SQLiteConnection

  init() throws { connection = try SQLiteConnection(path: ":memory:", .creating) }

  // MARK: One statement

  @Test(arguments: ["SELECT 1", "SELECT 1;", " /* a */ SELECT 1 ; -- b", "SELECT 1;;\n/* c */ ;"])
  func `is alone in its text`(_ text: String) throws {
    #expect(try connection.firstValue(of: text) == .integer(1))
  }

  @Test(arguments: ["SELECT 1; SELECT 2", "SELECT 1; nonsense", "SELECT 1 ; ; 'open"])
  func `has no second one behind it`(_ text: String) {
    let found = error { _ = try SQLiteStatement(text, in: connection) }
    #expect(found?.code == SQLITE_MISUSE && found?.message == "there may be only one statement")
  }

  @Test(arguments: [
    ("", "there is no statement"), ("-- SELECT 1", "there is no statement"), ("SELEC", #"near "SELEC": syntax error"#),
    ("SELECT 1\0", "the statement has the character U+0000"), ("SELECT x FROM t", "no such table: t"),
  ])
  func `is refused with SQLite's words`(_ text: String, _ message: String) {
    let found = error { _ = try SQLiteStatement(text, in: connection) }
    #expect(found?.code == SQLITE_ERROR && found?.message == message)
  }

  @Test func `knows whether it only reads`() throws {
    try connection.run("CREATE TABLE t (x)")
    #expect(try SQLiteStatement("SELECT x FROM t", in: connection).onlyReads)
    #expect(try !SQLiteStatement("INSERT INTO t VALUES (1) RETURNING x", in: connection).onlyReads)
  }

  // MARK: Parameters

  @Test func `has its parameters bound by name, and leaves other values alone`() throws {
    let statement = try SQLiteStatement("SELECT :a, @b, $a, :a", in: connection)
    try statement.bind(["a": .integer(1), "b": .text("2"), "c": .null])
    #expect(try statement.step())
    #expect(try (0..<4).map { try statement.value($0) } == [.integer(1), .text("2"), .integer(1), .integer(1)])
  }

  @Test(arguments: [
    ("SELECT :a, :b", "the parameter :b has no value"), ("SELECT :a, ?", "a parameter has no name"),
  ])
  func `is not run when a parameter is missing`(_ text: String, _ message: String) throws {
    let statement = try SQLiteStatement(text, in: connection)
    let found = error { try statement.bind(["a": .integer(1)]) }
    #expect(found?.code == SQLITE_MISUSE && found?.message == message)
  }

  @Test func `has no parameter of another number`() throws {
    let statement = try SQLiteStatement("SELECT ?", in: connection)
    #expect(error { try statement.bind(1, at: 2) }?.code == SQLITE_RANGE)
    #expect(error { try statement.bind("x", at: 0) }?.code == SQLITE_RANGE)
  }

  @Test(
    arguments: [
      .null, .integer(.min), .integer(.max), .integer(0), .real(0.1), .real(-.greatestFiniteMagnitude), .text(""),
      .text("글"), .text("ab\0cd"), .text("\0"), .blob([]), .blob([0, 255, 0]),
      .blob([UInt8](repeating: 7, count: 1 << 20)),
    ] as [SQLiteValue]
  )
  func `gives a value back as it was bound`(_ value: SQLiteValue) throws {
    let statement = try SQLiteStatement("SELECT :value AS a, typeof(:value) AS b", in: connection)
    try statement.bind(["value": value])
    #expect(try statement.step() && statement.value(0) == value)
    let type = String("\(value)".prefix { $0 != "(" })
    #expect(try statement.text(1) == type)
    #expect(statement.columnNames == ["a", "b"])
  }

  @Test func `counts the bytes of texts and blobs, and of nothing else`() throws {
    let statement = try SQLiteStatement("SELECT '글', x'0001', 12345, 0.5, NULL, 'a' || char(0)", in: connection)
    #expect(try statement.step())
    #expect((0..<6).map { statement.byteCount($0) } == [3, 2, 0, 0, 0, 2])
    #expect(try statement.value(2) == .integer(12345))
  }

  @Test(arguments: [[], [1, 0, 2]] as [[UInt8]])
  func `runs with bytes that are not copied, and forgets them`(_ bytes: [UInt8]) throws {
    try connection.run("CREATE TABLE t (x)")
    let statement = try SQLiteStatement("INSERT INTO t VALUES (?)", in: connection)
    try statement.run(with: bytes, at: 1)
    try statement.run()
    #expect(try connection.firstValue(of: "SELECT x FROM t WHERE rowid = 1") == .blob(bytes))
    #expect(try connection.firstValue(of: "SELECT x FROM t WHERE rowid = 2") == .null)
  }

  // MARK: Running

  @Test func `is ready to run again after an error`() throws {
    try connection.run("CREATE TABLE t (x UNIQUE)")
    let statement = try SQLiteStatement("INSERT INTO t VALUES (?)", in: connection)
    try statement.bind("secret", at: 1)
    try statement.run()
    let found = error { try statement.run() }
    #expect(found?.extendedCode == CSQLITE_CONSTRAINT_UNIQUE && found?.description.contains("secret") == false)
    try statement.bind("other", at: 1)
    try statement.run()
    #expect(try connection.firstValue(of: "SELECT count(*) FROM t") == .integer(2))
  }

  @Test func `ends its run when it is reset`() throws {
    let statement = try SQLiteStatement("VALUES (1), (2)", in: connection)
    #expect(try statement.step() && statement.integer(0) == 1)
    statement.reset()
    #expect(try statement.step() && statement.integer(0) == 1)
    #expect(try statement.step() && statement.integer(0) == 2)
    #expect(try !statement.step())
  }
}
