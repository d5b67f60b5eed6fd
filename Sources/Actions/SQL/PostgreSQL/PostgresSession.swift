internal import Forms
internal import JSON
internal import PostgreSQL
internal import Sessions
internal import Texts
internal import Times

/// Runs the statements of forms on one connection: each in a transaction of its own, prepared once.
///
/// **Settings** belong to the transaction (`set_config(…, is_local => true)`), never to the connection. A pooler gives
/// each transaction another one of its connections, and refuses settings that come with the connection. So a statement
/// is also prepared within the transaction that runs it first, under a name that no other client of the pooler has. It
/// is prepared again if a connection does not know it. State that a statement leaves in the connection by a function (a
/// setting, a role, an advisory lock) is removed behind each transaction: the next statement may be another client's.
///
/// **A statement that reads** goes out together with its `COMMIT`, and costs one round trip. **A statement that
/// writes** is committed when its rows are known to be an answer. So if a connection is lost before the commit, nothing
/// was changed.
final class PostgresSession {
  /// The reason why a query returned no rows.
  enum Trouble: Error {
    /// The connection is as good as before.
    case failed(SQLFailure)
    /// The connection is lost. If `isUndone`, the statement has changed nothing.
    case lost(SQLFailure, isUndone: Bool)

    /// The failure in both cases.
    var failure: SQLFailure {
      switch self {
      case .failed(let failure), .lost(let failure, _): failure
      }
    }
  }

  private let connection: PostgresConnection
  private var prepared = PreparedStatements(prefix: "formd_\(String.randomHex(bits: 64))")
  /// Names of statements that are not used any more, but are still on the server.
  private var superfluous: [String] = []
  /// Types that were looked up, by number.
  private var types = PostgresType.builtIn
  /// The cancellation of the current run; no other thread uses the session during a run.
  private var cancellation: PostgresCancellation
  /// The time after which a server that does not answer is given up; nil if somebody else cancels the run.
  private var deadline: ContinuousClock.Instant?

  /// Connects.
  ///
  /// - Throws: the reason why the connection failed.
  init(
    to configuration: PostgreSQLConfiguration,
    until deadline: ContinuousClock.Instant,
    _ cancellation: PostgresCancellation
  ) throws(SQLFailure) {
    do throws(PostgresFailure) {
      connection = try PostgresConnection(
        to: configuration.url,
        password: configuration.password,
        rowBytesMax: Self.rowBytesMax,
        until: deadline,
        cancellation
      )
    } catch {
      throw SQLFailure(error)
    }
    self.cancellation = cancellation
  }

  /// Far above the size that an answer may have.
  static let rowBytesMax = 16 << 20

  /// Whether a statement can be tried, as far as is known.
  func isAlive() -> Bool { connection.isAlive() }

  /// A statement that is to be run.
  struct Job {
    var statement: SQLStatement
    var parameters: JSONObject
    /// Whether it must not change anything.
    var readsOnly: Bool
    /// Whether it may write after all, if a function that it calls does: the database is writable.
    var mayWrite: Bool
    /// After this time the rows are not wanted any more.
    var deadline: ContinuousClock.Instant
    var cancellation: PostgresCancellation
  }

  /// Runs a statement and returns its rows.
  func rows(of job: Job) throws(Trouble) -> [JSON] {
    cancellation = job.cancellation
    try giveUpSuperfluous()
    let source = job.statement.source
    var isNew = false
    while true {
      let known = prepared.use(source)
      let writes = job.mayWrite && (!job.readsOnly || known?.writes == true)
      let beginning = begin(job, writes: writes)
      let statement = if let known { known } else { try prepare(job, behind: beginning) }
      if known == nil { isNew = true }
      switch try run(statement, job, behind: known == nil ? [] : beginning, writes: writes) {
      case .rows(let rows): return rows
      case .failed(_, .writing) where job.mayWrite && !writes: prepared.noteThatWrites(source)
      case .failed(_, .anew) where !isNew: forget(source)
      case .failed(let failure, _): throw .failed(failure)
      }
    }
  }

  /// The server's error for a statement; nil: none. The statement is prepared, but not run. The call returns at the
  /// job's deadline, whatever the server does.
  func problem(of job: Job) throws(Trouble) -> SQLFailure? {
    cancellation = job.cancellation
    deadline = job.deadline
    defer { deadline = nil }
    do throws(Trouble) {
      _ = try prepare(job, behind: begin(job, writes: false))
    } catch {
      guard case .failed(let failure) = error else { throw error }
      return failure
    }
    try rollBack()
    return nil
  }

  // MARK: Steps of a run

  private enum Outcome {
    /// It was run, and its changes are committed.
    case rows([JSON])
    /// It was not run to its end, and nothing is changed; another way could succeed.
    case failed(SQLFailure, Remedy?)
  }

  private enum Remedy {
    /// In a transaction that may write, because it changes something.
    case writing
    /// Prepared again, because the earlier preparation may not fit any more.
    case anew
  }

  /// The commands that begin the transaction of a statement.
  private func begin(_ job: Job, writes: Bool) -> [PostgresConnection.Command] {
    let left = ContinuousClock.now.duration(to: job.deadline)
    let milliseconds = min(max(1, Int64(left / .milliseconds(1))), Int64(Int32.max))
    return [
      .query(writes ? "BEGIN READ WRITE" : "BEGIN READ ONLY", []),
      .query(Self.settings, ["\(milliseconds)", "\(Self.idleMillisecondsMax)"]),
    ]
  }

  /// How long the server waits in a transaction for a daemon that has stopped. Others may wait for its rows that long.
  private static let idleMillisecondsMax = 10_000

  /// `DateStyle` keeps the database's order of day and month.
  private static let settings = """
    SELECT pg_catalog.set_config('statement_timeout', $1, true), \
    pg_catalog.set_config('idle_in_transaction_session_timeout', $2, true), \
    pg_catalog.set_config('DateStyle', 'ISO', true), pg_catalog.set_config('IntervalStyle', 'iso_8601', true), \
    pg_catalog.set_config('bytea_output', 'hex', true)
    """

  /// Begins a transaction, prepares the statement in it and looks up its types. The transaction stays open.
  private func prepare(_ job: Job, behind beginning: [PostgresConnection.Command]) throws(Trouble)
    -> PreparedStatements.Statement
  {
    let name = prepared.newName()
    var numbers: (parameters: [UInt32], columns: [UInt32]) = ([], [])
    let commands = beginning + [.prepare(name: name, text: job.statement.text.numbered), .describe(name: name)]
    let landing = try fly(commands) { index, result in
      guard index == commands.count - 1 else { return }
      numbers = (result.parameterTypes, result.columns.map(result.type))
    }
    if let error = landing.failure?.error {
      try rollBack()
      throw .failed(error.isCancellation ? cancelled(error, job) : error.failure(naming: job.statement.text.names))
    }
    try lookUp(numbers.parameters + numbers.columns)
    let statement = PreparedStatements.Statement(name: name, parameters: numbers.parameters.map(type(numbered:)))
    if let oldest = prepared.add(statement, for: job.statement.source) { superfluous.append(oldest) }
    return statement
  }

  /// Runs a prepared statement, behind the commands that begin its transaction unless that has begun.
  private func run(
    _ statement: PreparedStatements.Statement,
    _ job: Job,
    behind beginning: [PostgresConnection.Command],
    writes: Bool
  ) throws(Trouble) -> Outcome {
    let values: [String?]
    do throws(SQLFailure) {
      values = try self.values(of: job, for: statement)
    } catch {
      try rollBack()
      return .failed(error, .anew)
    }
    let commands = beginning + [.execute(name: statement.name, values)]
    var answer = AnswerRows()
    let landing = try fly(writes ? commands : commands + Self.commit) { index, result throws(SQLFailure) in
      if index == beginning.count, result.isSingleRow { try take(result, into: &answer) }
    }
    if landing.refusal == nil, landing.failure == nil {
      if writes, let failure = try commit(job) { return .failed(failure, nil) }
      return .rows(answer.rows)
    }
    try rollBack()
    if let refusal = landing.refusal { return .failed(refusal, nil) }
    guard let error = landing.failure?.error else { preconditionFailure("a statement failed without an error") }
    return outcome(of: error, job, statement)
  }

  /// What `DISCARD ALL` does, except for prepared statements. In one flight with the end of the transaction, a pooler
  /// gives it the same connection.
  private static let discard: [PostgresConnection.Command] = [
    .query("SET SESSION AUTHORIZATION DEFAULT", []), .query("RESET ALL", []),
    .query("SELECT pg_catalog.pg_advisory_unlock_all()", []), .query("CLOSE ALL", []), .query("UNLISTEN *", []),
  ]

  private static let commit: [PostgresConnection.Command] = [.query("COMMIT", [])] + discard

  /// Commits the changes. Returns the reason if the server refuses it: some constraints are checked only now.
  private func commit(_ job: Job) throws(Trouble) -> SQLFailure? {
    var isDone = false
    do throws(PostgresConnection.Loss) {
      let landing = try connection.fly(Self.commit, cancellation) { _, _ in isDone = true }
      guard let error = landing.failure?.error, !isDone else { return nil }
      _ = try connection.fly(Self.discard, cancellation) { _, _ in }
      return error.isCancellation ? cancelled(error, job) : error.failure
    } catch {
      // If the connection is lost after the end of the commit, it cannot be used any more, but the statement is done.
      if isDone { return nil }
      throw .lost(SQLFailure(error.failure), isUndone: false)
    }
  }

  /// Ends a transaction that is open still.
  private func rollBack() throws(Trouble) {
    if connection.isInTransaction { _ = try fly([.query("ROLLBACK", [])] + Self.discard) }
  }

  private func fly(
    _ commands: [PostgresConnection.Command],
    take: (_ command: Int, _ result: PostgresResult) throws(SQLFailure) -> Void = { _, _ in }
  ) throws(Trouble) -> PostgresConnection.Landing<SQLFailure> {
    do throws(PostgresConnection.Loss) {
      return try connection.fly(commands, cancellation, until: deadline, take: take)
    } catch {
      throw .lost(SQLFailure(error.failure), isUndone: true)
    }
  }

  // MARK: Prepared statements

  private func forget(_ source: String) {
    if let name = prepared.remove(source) { superfluous.append(name) }
  }

  /// Outside of a transaction. It would fail with a name that another connection of a pooler does not know.
  private func giveUpSuperfluous() throws(Trouble) {
    while let name = superfluous.popLast() { _ = try fly([.query("DEALLOCATE \(name)", [])]) }
  }

  // MARK: What fails

  private func outcome(of error: PostgresError, _ job: Job, _ statement: PreparedStatements.Statement) -> Outcome {
    if error.isCancellation { return .failed(cancelled(error, job), nil) }
    if error.isWriteRefused { return .failed(error.failure, .writing) }
    let names = job.statement.text.names
    var failure = error.failure
    if let index = error.parameter, names.indices.contains(index), statement.parameters.indices.contains(index) {
      failure.reason += "; the parameter :\(names[index]) needs a value of type \(statement.parameters[index].name)"
    }
    return .failed(failure, error.mayBeOfOldPlan ? .anew : nil)
  }

  /// The reason why the server has ended the statement: it was cancelled here, its time was over, or an operator has
  /// ended it.
  private func cancelled(_ error: PostgresError, _ job: Job) -> SQLFailure {
    if job.cancellation.isCancelled { return .cancelled }
    // The server's clock began a little later, and counts milliseconds.
    if ContinuousClock.now + .milliseconds(10) >= job.deadline {
      return SQLFailure(kind: .timeout, reason: "the statement did not finish in time")
    }
    return error.failure
  }

  // MARK: Values

  private func values(of job: Job, for statement: PreparedStatements.Statement) throws(SQLFailure) -> [String?] {
    var values: [String?] = []
    for (name, type) in zip(job.statement.text.names, statement.parameters) {
      guard let value = job.parameters[name] else {
        throw SQLFailure(reason: "the query names :\(name), and \"parameters\" does not have it")
      }
      do throws(PostgresType.Mismatch) {
        values.append(try type.text(of: value))
      } catch {
        throw SQLFailure(
          sqlState: "22P02",
          reason: "the parameter :\(name) needs a value of type \(type.name): \(error.wanted)"
        )
      }
    }
    return values
  }

  /// Adds a row to the answer, each column as the JSON of its type.
  private func take(_ row: PostgresResult, into answer: inout AnswerRows) throws(SQLFailure) {
    try answer.admit(bytes: row.columns.reduce(0) { $0 + (row.bytes(0, $1)?.count ?? 0) })
    var members = JSONObject()
    for column in row.columns {
      members[row.name(of: column)] =
        row.bytes(0, column).map { type(numbered: row.type(of: column)).json($0) } ?? .null
    }
    answer.append(members)
  }

  // MARK: Types

  private func type(numbered number: UInt32) -> PostgresType { types[number] ?? .unknown }

  private struct CatalogType {
    var name: String
    /// The base type of a domain; else 0.
    var base: UInt32
    /// The element type of an array; else 0.
    var element: UInt32
    var delimiter: UInt8
  }

  private static let catalog = """
    SELECT oid, typname, typbasetype, CASE WHEN typcategory = 'A' THEN typelem ELSE 0 END, typdelim \
    FROM pg_catalog.pg_type WHERE oid = ANY ($1::pg_catalog.oid[])
    """

  /// Asks the catalog for unknown types, which users have made.
  private func lookUp(_ numbers: [UInt32]) throws(Trouble) {
    var found: [UInt32: CatalogType] = [:]
    var missing = Set(numbers).filter { types[$0] == nil }
    while !missing.isEmpty {
      let list = "{" + missing.map { String($0) }.joined(separator: ",") + "}"
      let landing = try fly([.query(Self.catalog, [list])]) { _, result in
        for row in result.rows {
          found[UInt32(result.text(row, 0)) ?? 0] = CatalogType(
            name: result.text(row, 1),
            base: UInt32(result.text(row, 2)) ?? 0,
            element: UInt32(result.text(row, 3)) ?? 0,
            delimiter: result.text(row, 4).utf8.first ?? UInt8(ascii: ",")
          )
        }
      }
      if let error = landing.failure?.error {
        try rollBack()
        throw .failed(error.failure)
      }
      // Types that were not found are not asked for again.
      for number in missing where found[number] == nil { types[number] = .unknown }
      missing = Set(found.values.flatMap { [$0.base, $0.element] })
        .filter { $0 != 0 && types[$0] == nil && found[$0] == nil }
    }
    for number in found.keys { types[number] = resolved(number, among: found, depthMax: 8) }
  }

  private func resolved(_ number: UInt32, among found: [UInt32: CatalogType], depthMax: Int) -> PostgresType {
    guard let type = found[number], depthMax > 0 else { return types[number] ?? .unknown }
    if type.base != 0 {
      return PostgresType(name: type.name, form: resolved(type.base, among: found, depthMax: depthMax - 1).form)
    }
    if type.element != 0 {
      return .array(of: resolved(type.element, among: found, depthMax: depthMax - 1), delimiter: type.delimiter)
    }
    return PostgresType(name: type.name, form: .text)
  }
}
