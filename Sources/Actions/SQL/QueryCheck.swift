internal import GRDB

/// Tells what is wrong with the queries of forms, before one is run: each is prepared by its database, as it is now, and nothing else
/// is done there.
package final class QueryCheck {
  private let databases: [String: DatabaseConfiguration]
  private var connections: [String: DatabaseQueue] = [:]
  /// Those that cannot be opened: said once.
  private var unopened: Set<String> = []

  /// A check of queries of those databases; each is opened when it is first needed.
  package init(_ databases: [String: DatabaseConfiguration]) {
    self.databases = databases
  }

  /// What is wrong with a query, as a sentence; nil: nothing that could be found. It may wait for the file, so not on an event loop.
  package func fault(of query: String, in database: String) -> String? {
    guard let configuration = databases[database], !unopened.contains(database) else { return nil }
    let connection: DatabaseQueue
    do {
      // For the check, nothing has to be written.
      connection = try connections[database] ?? configuration.opened(readonly: true, waiting: 1)
      connections[database] = connection
    } catch {
      unopened.insert(database)
      return "the database \"\(database)\" cannot be opened: \(configuration.path): \(Self.message(of: error))"
    }
    do {
      try SQLDatabase.refuseOtherStatements(than: query)
      return try connection.read { connection in
        let statement = try connection.makeStatement(sql: query)
        if configuration.isWritable || statement.isReadonly { return nil }
        return "this query changes the database \"\(database)\", which the configuration does not call \"writable\""
      }
    } catch {
      return "the database \"\(database)\" does not take this query: \(Self.message(of: error))"
    }
  }

  private static func message(of error: any Error) -> String {
    guard let error = error as? DatabaseError else { return "\(error)" }
    // GRDB's own words for a text with several statements name its API.
    if error.resultCode == .SQLITE_MISUSE { return "there may be only one statement" }
    return error.message ?? "SQLite error \(error.resultCode.rawValue)"
  }
}
