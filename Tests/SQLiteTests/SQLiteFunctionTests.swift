import CSQLite
import SQLite
import Testing

@Suite struct `A function of SQL` {
  private let connection: SQLiteConnection

  init() throws { connection = try SQLiteConnection(path: ":memory:", .creating) }

  @Test(
    arguments: [
      .null, .integer(.min), .real(0.5), .text(""), .text("ab\0cd"), .text("글"), .blob([]), .blob([0, 1, 0]),
    ] as [SQLiteValue]
  )
  func `gets values of each type, and returns them`(_ value: SQLiteValue) throws {
    var seen: [SQLiteValue] = []
    try connection.addFunction("second", parameters: 2, isDeterministic: false) { values in
      seen = values
      return values[1]
    }
    let statement = try SQLiteStatement("SELECT second(1, ?)", in: connection)
    try statement.bind(value, at: 1)
    #expect(try statement.step() && statement.value(0) == value)
    #expect(seen == [.integer(1), value])
  }

  @Test(arguments: ["UTF-16le", "UTF-8"])
  func `gets texts of databases with any encoding`(_ encoding: String) throws {
    try connection.run(
      "PRAGMA encoding = '\(encoding)'; CREATE TABLE t (x); INSERT INTO t VALUES ('글' || char(0) || 'b')"
    )
    try connection.addFunction("same", parameters: 1, isDeterministic: true) { $0[0] }
    let statement = try SQLiteStatement("SELECT x, same(x) FROM t", in: connection)
    #expect(try statement.step())
    #expect(try statement.value(0) == .text("글\0b") && statement.value(1) == .text("글\0b"))
    #expect(statement.byteCount(0) == 5)
  }

  @Test func `has the number of parameters that it was added with`() throws {
    try connection.addFunction("one", parameters: 1, isDeterministic: true) { $0[0] }
    #expect(throws: SQLiteError.self) { try connection.firstValue(of: "SELECT one(1, 2)") }
  }

  @Test func `goes with its connection, or at once if it cannot be added`() throws {
    final class Token: Sendable {}
    weak var released: Token?
    do {
      let token = Token()
      released = token
      let other = try SQLiteConnection(path: ":memory:", .creating)
      try other.addFunction("f", parameters: 0, isDeterministic: false) { _ in .text("\(token)") }
      #expect(
        error { try other.addFunction("g", parameters: -2, isDeterministic: false) { _ in .text("\(token)") } } != nil
      )
    }
    #expect(released == nil)
  }
}
