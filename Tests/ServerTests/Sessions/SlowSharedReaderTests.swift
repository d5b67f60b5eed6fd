import JSON
import Testing

@testable import Server

/// Several clients of one session read slowly at the same time, and each misses other messages.
struct SlowSharedReaderTests {
  /// Rows, with rows inside of them, whose fields show messages.
  private static let form = TestForms.form(
    #"""
    { "form": "rows",
      "schema": { "type": "object", "properties": {
        "name": { "type": "string", "maxLength": 3 },
        "tags": { "type": "array", "items": { "type": "string", "maxLength": 3 } },
        "orders": { "type": "array", "items": { "type": "object", "properties": {
          "lines": { "type": "array", "items": { "type": "object", "properties": { "x": { "type": "string" } } } } } } } } } }
    """#
  )

  private func share() throws -> [SharingClient] {
    try TestDaemon(catalog: FormCatalog([Self.form])).share("rows", among: 3).clients
  }

  @Test
  func `a row that only one of two slow readers knows goes for him alone`() throws {
    let clients = try share()
    let (late, later, fast) = (clients[0], clients[1], clients[2])
    func insert(_ text: String) -> JSON? {
      let messages = fast.client.request("field/insert", ["field": "tags", "value": .string(text)])
      fast.merge(messages)
      return messages.last?.at("result", "row")
    }
    _ = insert("a")
    late.receive()
    late.block()
    let row = try #require(insert("b")?.stringValue)
    later.receive()
    later.block()
    fast.merge(fast.client.request("field/remove", ["field": .string("/tags/#\(row)")]))
    later.unblock()
    late.unblock()
    #expect(later.document == fast.document)
    #expect(late.document == fast.document)
  }

  @Test
  func `what changed in a row before the second stopped reading is not told to him for it`() throws {
    let clients = try share()
    let (late, later, fast) = (clients[0], clients[1], clients[2])
    func change(_ field: String, _ text: String) {
      fast.merge(
        fast.client.request("field/change", ["field": .string(field), "value": .string(text), "commit": true])
      )
    }
    fast.merge(fast.client.request("field/insert", ["field": "orders", "value": ["lines": [["x": "a"]]]]))
    fast.merge(fast.client.request("field/insert", ["field": "tags", "value": "a"]))
    late.receive()
    late.block()
    change("/tags/0", "too long")
    fast.merge(fast.client.request("field/insert", ["field": "/orders/0/lines", "value": ["x": "b"]]))
    later.receive()
    later.block()
    fast.merge(fast.client.request("field/remove", ["field": "/orders/0/lines/1"]))
    change("/tags/0", "b")
    late.unblock()
    change("/tags/0", "long again")
    late.receive()
    later.unblock()
    #expect(late.document == fast.document)
    #expect(later.document == fast.document)
  }

  @Test(arguments: ["name", "/tags/0"])
  func `an error that goes and comes back in another language is told again`(field: String) throws {
    let clients = try share()
    let (late, fast) = (clients[0], clients[2])
    func send(_ method: String, _ params: JSON) { fast.merge(fast.client.request(method, params)) }
    func change(_ text: String) {
      send("field/change", ["field": .string(field), "value": .string(text), "commit": true])
    }
    send("field/insert", ["field": "tags", "value": "a"])
    change("too long")
    late.receive()
    late.block()
    change("b")
    send("session/setLocale", ["locale": "ko"])
    change("too long")
    late.unblock()
    #expect(late.document == fast.document)
    #expect("\(late.document)".contains("3자"))
  }
}
