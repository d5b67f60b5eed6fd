/// The statements that a connection has prepared, up to a limit: the statement that was unused for longest goes first.
/// A value.
struct PreparedStatements {
  /// A prepared statement.
  struct Statement {
    /// Its name on the server.
    let name: String
    /// The types of its parameters, in their order.
    let parameters: [PostgresType]
    /// Whether it changes something although its text does not show it: it calls a function that does.
    var writes = false
  }

  /// The plans of a connection cost the server kilobytes each. Forms have few statements, but clients may always bring
  /// along new ones.
  static let countMax = 64

  private var statements: [String: (statement: Statement, lastUse: UInt64)] = [:]
  private var useCount: UInt64 = 0
  private var nameCount = 0
  /// Other clients may have prepared statements on this server connection, because a pooler lends it to many.
  private let prefix: String

  /// No statements; names will begin with that prefix.
  init(prefix: String) { self.prefix = prefix }

  /// A name that no statement had.
  mutating func newName() -> String {
    nameCount += 1
    return "\(prefix)_\(nameCount)"
  }

  /// The statement of that text, which is used now.
  mutating func use(_ source: String) -> Statement? {
    useCount += 1
    statements[source]?.lastUse = useCount
    return statements[source]?.statement
  }

  /// A statement was prepared. Returns the name of a statement that must be given up for it.
  mutating func add(_ statement: Statement, for source: String) -> String? {
    useCount += 1
    statements[source] = (statement, useCount)
    guard statements.count > Self.countMax, let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse })
    else { return nil }
    return remove(oldest.key)
  }

  /// It turned out that the statement writes.
  mutating func noteThatWrites(_ source: String) { statements[source]?.statement.writes = true }

  /// The statement of that text must not be used any more. Returns its name, to be given up.
  mutating func remove(_ source: String) -> String? { statements.removeValue(forKey: source)?.statement.name }
}
