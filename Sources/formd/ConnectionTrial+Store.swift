internal import Actions
internal import Configuration

extension ConnectionTrial {
  /// Connects to the services, the databases and the store of a configuration.
  static func all(of configuration: ServerConfiguration) async -> [ConnectionTrial] {
    var trials = await all(of: configuration.actions)
    switch configuration.store {
    // A daemon may use the file, so it is not opened. `problems` has examined it.
    case .sqlite, nil: break
    case .postgreSQL(let store):
      let database = PostgreSQLConfiguration(url: store.url, password: store.password)
      trials.append(ConnectionTrial(of: .postgreSQL(database), "store"))
    }
    return trials
  }
}
