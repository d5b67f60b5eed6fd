internal import JSON
internal import NIOCore
internal import Sessions

/// A database that definitions may query by its name.
///
/// It is opened at the first query: a database that is not there yet is a failed effect, not a daemon that does not start. Clients take
/// turns, and none has all of its connections (``EffectGate``).
final class SQLDatabase: Sendable {
  private let isWritable: Bool
  private let backend: any SQLBackend
  private let reading: EffectGate
  private let writing: EffectGate

  /// The database of that name and configuration; nothing is opened yet.
  init(_ configuration: DatabaseConfiguration, named name: String) {
    switch configuration {
    case .sqlite(let sqlite): backend = SQLiteBackend(sqlite)
    case .postgreSQL(let server): backend = PostgresBackend(server)
    }
    isWritable = configuration.isWritable
    let gate = { EffectGate(to: "database \(name)", runningMax: $0) }
    switch backend.capacity {
    case .readers(let count): (reading, writing) = (gate(count), gate(1))
    case .shared(let count):
      reading = gate(count)
      writing = reading
    }
  }

  /// Runs one statement when it is the client's turn, and finishes the run with its rows; cancelling the run cancels the statement.
  ///
  /// - Parameter timeout: how long the rows are waited for, from now on.
  func perform(
    _ request: EffectRequest.SQLRequest,
    timeout: Duration,
    run: EffectRun,
    for client: Int,
    on eventLoop: any EventLoop
  ) {
    let statement: SQLStatement
    do throws(SQLFailure) {
      statement = try SQLStatement(request.query, in: backend.dialect)
    } catch {
      return run.finish(later: EffectResponse(error), on: eventLoop)
    }
    let readsOnly = !isWritable || statement.onlyReads
    let deadline = ContinuousClock.now + timeout
    (readsOnly ? reading : writing).enter(run, for: client, on: eventLoop) { [backend] leave in
      let bound = NIOLoopBound(run, eventLoop: eventLoop)
      let task = Task {
        let response: EffectResponse
        do throws(SQLFailure) {
          let parameters = request.parameters
          response = EffectResponse(
            kind: .ok,
            rows: try await backend.rows(of: statement, parameters, readsOnly: readsOnly, until: deadline)
          )
        } catch {
          response = EffectResponse(error)
        }
        leave()
        eventLoop.execute { bound.value.finish(response) }
      }
      run.onStop { task.cancel() }
    }
  }

  /// Lets go of files and servers; nothing is waited for.
  func close() { backend.close() }
}
