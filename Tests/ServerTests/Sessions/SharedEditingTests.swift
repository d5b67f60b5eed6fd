import JSON
import Sessions
import Testing

@testable import Server

/// The fields that the users of one session are in. Each user follows the rules for a single user.
struct SharedEditingTests {
  private static let form = TestForms.form(
    #"""
    { "form": "edited",
      "schema": { "type": "object", "properties": {
        "email": { "type": "string", "maxLength": 3 }, "slow": { "type": "string" },
        "address": { "type": "object", "properties": {
          "city": { "type": "string", "maxLength": 3 }, "zip": { "type": "string", "maxLength": 3 } } },
        "items": { "type": "array", "items": { "type": "object", "properties": {
          "sku": { "type": "string" }, "note": { "type": "string", "maxLength": 3 } } } } } },
      "fields": { "slow": { "debounce": "300ms" } } }
    """#
  )

  private let daemon = TestDaemon(catalog: FormCatalog([form]))
  private let first: TestClient
  private let second: TestClient

  init() throws {
    let clients = try daemon.share("edited").clients
    (first, second) = (clients[0].client, clients[1].client)
  }

  private func change(_ client: TestClient, _ field: String, _ value: JSON, commit: Bool = false) {
    client.request("field/change", ["field": .string(field), "value": value, "commit": .bool(commit)])
  }

  private func focus(_ client: TestClient, _ field: String) {
    client.request("field/focus", ["field": .string(field)])
  }

  private func blur(_ client: TestClient, _ field: String) {
    client.request("field/blur", ["field": .string(field)])
  }

  /// The fields whose messages show, because their editing has ended.
  private func shown() throws -> Set<String> {
    let session = try #require(daemon.server.keptSessions.all.first)
    #expect(session.engineSession.checkInvariants() == [])
    let document = session.engineSession.document
    return Set(document["messages"]?.objectValue?.map(\.name) ?? [])
  }

  @Test
  func `a reset ends the editing of all`() throws {
    focus(first, "email")
    change(first, "email", "x")
    first.request("session/reset")
    focus(second, "email")
    change(second, "email", "long")
    blur(second, "email")
    #expect(try shown() == ["email"])
  }

  @Test(arguments: ["", "email"])
  func `a change that changes nothing begins no editing`(_ text: String) throws {
    change(first, "email", .string(text))
    change(first, "email", "", commit: true)
    change(first, "email", "")
    change(second, "email", "long")
    blur(second, "email")
    #expect(try shown() == ["email"])
  }

  @Test
  func `who leaves an object leaves what is inside, and nobody else does`() throws {
    change(first, "/address/zip", "long")
    focus(second, "/address/city")
    blur(first, "address")
    #expect(try shown() == ["/address/zip"])
    change(second, "/address/city", "long")
    blur(first, "address")
    #expect(try shown() == ["/address/zip"])
    blur(second, "/address/city")
    #expect(try shown() == ["/address/zip", "/address/city"])
  }

  @Test
  func `who changes an object is in it, and leaves it with the last field inside`() throws {
    change(first, "address", ["zip": "long"])
    focus(second, "address")
    blur(first, "/address/zip")
    #expect(try shown() == ["/address/zip"])
    #expect(second.result("session/get").at("document", "fields", "address", "isTouched") == true)
    first.result("session/detach")
    blur(second, "address")
    let session = try #require(daemon.server.keptSessions.all.first)
    #expect(session.engineSession.editedValues == [])
  }

  @Test
  func `a client that goes leaves what it changed as a whole`() throws {
    change(first, "address", ["zip": "long"])
    first.result("session/detach")
    #expect(try shown() == ["/address/zip"])
  }

  @Test
  func `a commit of one is no end of the other's editing`() throws {
    change(second, "email", "x")
    change(first, "email", "long", commit: true)
    #expect(try shown() == [])
    blur(second, "email")
    #expect(try shown() == ["email"])
  }

  @Test
  func `a commit of an object ends its sender's editing inside`() throws {
    focus(first, "/address/zip")
    change(first, "address", ["zip": "1"], commit: true)
    change(second, "/address/zip", "long")
    blur(second, "/address/zip")
    #expect(try shown() == ["/address/zip"])
  }

  @Test
  func `leaving a field lets through what is held back there, whoever else is in it`() throws {
    focus(second, "slow")
    change(first, "slow", "abc")
    blur(first, "slow")
    #expect(first.result("session/get").at("values", "slow") == "abc")
    change(first, "slow", "abcd", commit: true)
    #expect(first.result("session/get").at("values", "slow") == "abcd")
  }

  @Test
  func `a held back change of a client that goes takes effect, and leaves nobody in the field`() throws {
    focus(second, "slow")
    change(first, "slow", "abc")
    first.result("session/detach")
    #expect(second.result("session/get").at("values", "slow") == "abc")
    blur(second, "slow")
    let session = try #require(daemon.server.keptSessions.all.first)
    #expect(session.engineSession.editedValues == [])
  }

  @Test
  func `rows that go are left by all, and keep nothing`() throws {
    first.request("field/insert", ["field": "items", "values": [["sku": "a"], ["sku": "b"]]])
    let session = try #require(daemon.server.keptSessions.all.first)
    focus(second, "/items/#2/note")
    let bytes = session.engineSession.contentBytes
    focus(first, "/items/#2/note")
    #expect(session.engineSession.contentBytes > bytes, "who is in a field counts as memory")
    focus(first, "/items/#1/note")
    second.request("field/remove", ["field": "/items/#1"])
    change(second, "items", [])
    #expect(try shown() == [])
    blur(first, "items")
    blur(second, "items")
    #expect(session.engineSession.editedValues == [])
  }

  @Test
  func `who goes leaves all of its fields in one turn`() throws {
    let rows = JSON.array((0..<20).map { ["sku": .string("\($0)")] })
    first.request("field/insert", ["field": "items", "values": rows])
    for row in 1...20 { change(first, "/items/#\(row)/note", "long") }
    change(second, "/items/#20/note", "longer")
    let before = try #require(second.result("session/get")["revision"]?.integerValue)
    first.connection.closed()
    let after = second.result("session/get")
    #expect(after["revision"]?.integerValue == before + 1)
    #expect(try shown().count == 19)
    second.connection.closed()
    let session = try #require(daemon.server.keptSessions.all.first)
    #expect(session.engineSession.revision == Int(before) + 2)
    #expect(try shown().count == 20)
    #expect(session.engineSession.editedValues == [])
  }
}
