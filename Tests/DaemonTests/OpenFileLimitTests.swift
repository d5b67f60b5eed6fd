import Actions
internal import Configuration
import PostgreSQL
internal import Processes
import Testing

@testable import Daemon

struct OpenFileLimitTests {
  @Test
  func `clients have what the daemon does not need for itself`() throws {
    let limit = OpenFileLimit(filesMax: 1_024, reserve: 100)
    #expect(try limit.connectionsMax(wanted: 4_096) == 1_024 - 100 - 24)
    #expect(try limit.connectionsMax(wanted: 20) == 20)
  }

  @Test
  func `where there is room for nobody the least is told`() throws {
    #expect(try OpenFileLimit(filesMax: 125, reserve: 100).connectionsMax(wanted: 10) == 1)
    let error = #expect(throws: StartError.self) {
      try OpenFileLimit(filesMax: 124, reserve: 100).connectionsMax(wanted: 10)
    }
    #expect(error?.description.contains("may have 124 files open and needs 125 at least") == true)
  }

  @Test
  func `services, databases and the store are counted`() throws {
    var configuration = ServerConfiguration()
    let bare = OpenFileLimit.reserve(for: configuration)
    let service = HTTPServiceConfiguration(baseURL: try BaseURL("http://127.0.0.1:1"), connections: 30)
    configuration.actions.services["a"] = .http(service)
    #expect(OpenFileLimit.reserve(for: configuration) >= bare + 30)
    configuration.actions.databases["b"] = .sqlite(path: "/b", isWritable: false)
    #expect(OpenFileLimit.reserve(for: configuration) >= bare + 30 + 15)
    let server = PostgreSQLConfiguration(url: try PostgresURL("postgresql:///d"), connections: 20)
    configuration.actions.databases["c"] = .postgreSQL(server)
    #expect(OpenFileLimit.reserve(for: configuration) >= bare + 30 + 15 + 60)
    let withDatabases = OpenFileLimit.reserve(for: configuration)
    configuration.store = .sqlite(SQLiteStoreConfiguration(path: "/s"))
    #expect(OpenFileLimit.reserve(for: configuration) >= withDatabases + 3)
    // Two connections. Each needs the two ends of its pipe, the connection that cancels, and a file for name
    // resolution.
    configuration.store = .postgreSQL(PostgresStoreConfiguration(url: try PostgresURL("postgresql:///d")))
    #expect(OpenFileLimit.reserve(for: configuration) >= withDatabases + 2 * 4)
  }
}
