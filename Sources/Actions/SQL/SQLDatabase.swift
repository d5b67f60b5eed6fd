internal import JSON
internal import NIOCore
internal import Sessions

/// A database that definitions may query by its name.
///
/// It is opened at the first query: if a database is not there yet, an effect fails, but the daemon starts. Clients go
/// one after the other, and none has all of its connections (``EffectGate``).
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

  /// Runs one statement when the client is next, and finishes the effect with its rows. If the effect is cancelled,
  /// the statement is cancelled.
  ///
  /// - Parameter timeout: the longest wait for the rows, from now on.
  func perform(
    _ request: EffectRequest.SQLRequest,
    timeout: Duration,
    as effect: StartedEffect,
    for client: Int,
    on eventLoop: any EventLoop
  ) {
    let statement: SQLStatement
    do throws(SQLFailure) {
      statement = try SQLStatement(request.query, in: backend.dialect)
    } catch {
      return effect.finish(later: EffectResponse(error), on: eventLoop)
    }
    let readsOnly = !isWritable || statement.onlyReads
    let deadline = ContinuousClock.now + timeout
    (readsOnly ? reading : writing).enter(effect, for: client, on: eventLoop) { [backend] leave in
      let bound = NIOLoopBound(effect, eventLoop: eventLoop)
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
      effect.onStop { task.cancel() }
    }
  }

  /// Closes files and connections to servers; does not wait.
  func close() { backend.close() }
}
