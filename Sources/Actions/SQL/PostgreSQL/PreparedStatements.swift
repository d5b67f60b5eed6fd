/// The statements that a connection has prepared, as many as it keeps: the one that was not used for longest goes first. A value.
struct PreparedStatements {
  /// One of them.
  struct Statement {
    /// Its name on the server.
    let name: String
    /// The types of its parameters, in their order.
    let parameters: [PostgresType]
    /// Whether it changes something although its words do not say so: it calls a function that does.
    var writes = false
  }

  /// The plans of a connection cost the server kilobytes each; forms have few statements, but clients may bring along ever new ones.
  static let countMax = 64

  private var statements: [String: (statement: Statement, lastUse: UInt64)] = [:]
  private var useCount: UInt64 = 0
  private var nameCount = 0
  /// Others may have prepared statements on the same server connection: a pooler lends it to many.
  private let prefix: String

  /// None; their names will begin with that.
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

  /// A statement was prepared. Returns the name of one that is to be given up for it.
  mutating func add(_ statement: Statement, for source: String) -> String? {
    useCount += 1
    statements[source] = (statement, useCount)
    guard statements.count > Self.countMax, let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse })
    else { return nil }
    return remove(oldest.key)
  }

  /// It turned out that the statement writes.
  mutating func noteThatWrites(_ source: String) { statements[source]?.statement.writes = true }

  /// The statement of that text is not to be used any more. Returns its name, to be given up.
  mutating func remove(_ source: String) -> String? { statements.removeValue(forKey: source)?.statement.name }

  /// How many there are.
  var count: Int { statements.count }
}
