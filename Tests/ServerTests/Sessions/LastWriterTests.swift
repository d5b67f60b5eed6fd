import FormProtocol
import JSON
import Testing

@testable import Server

/// A client gets its own change back if it may have made it before it heard of another client's change.
struct LastWriterTests {
  private static let form = TestForms.form(
    #"""
    { "form": "open", "schema": { "type": "object", "additionalProperties": true, "properties": { "a": { "type": "string" } } } }
    """#
  )

  private let daemon = TestDaemon(catalog: FormCatalog([form]))

  private func write(_ client: SharingClient, _ names: some Sequence<String>, _ value: JSON) -> [JSON] {
    var values = JSONObject()
    for name in names { values[name] = value }
    return client.client.request("field/change", ["values": .object(values)])
  }

  @Test(arguments: [0, 10, 60, 64, 127, 128, 200, 255, 256, 1_000])
  func `the later of two is told what counts, however many places were written between`(_ count: Int) throws {
    let clients = try daemon.share("open").clients
    _ = write(clients[0], ["a"], "mine")
    _ = write(clients[0], (0..<count).map { "place\($0)" }, "x")
    // The second client has not read any of these updates.
    let told = write(clients[1], ["a"], "theirs")
    #expect(told.last { $0["method"] == "session/update" }?.at("params", "values", "a") == "theirs")
  }

  @Test
  func `who alone writes is not told what it wrote`() throws {
    let clients = try daemon.share("open").clients
    for round in 0..<3 {
      for part in 0..<10 {
        let names = (0..<50).map { "place\(part)-\($0)" }
        let mine = write(clients[0], names, .integer(Int64(round)))
        #expect(mine.allSatisfy { $0.at("params", "values") == nil })
      }
    }
  }

  @Test
  func `who is left alone is told what counts where it wrote before it heard of the other`() throws {
    let clients = try daemon.share("open").clients
    _ = write(clients[1], ["a"], "theirs")
    clients[1].client.connection.closed()
    let told = write(clients[0], ["a"], "mine")
    #expect(told.last { $0["method"] == "session/update" }?.at("params", "values", "a") == "mine")
    #expect(write(clients[0], ["a"], "again").allSatisfy { $0.at("params", "values") == nil })
  }

  @Test
  func `long names of places take no memory`() throws {
    let clients = try daemon.share("open").clients
    let long = String(repeating: "n", count: 100_000)
    let before = daemon.server.memory.sessions
    for index in 0..<20 {
      _ = write(clients[0], ["\(index)\(long)"], "x")
      clients[0].client.request("field/remove", ["field": .string("\(index)\(long)")])
      clients[1].receive()
    }
    let growth = daemon.server.memory.sessions - before
    #expect(growth > 0)
    #expect(growth < 10_000)
    clients[0].client.result("session/close")
    #expect(daemon.server.memory.total == 0)
  }
}
