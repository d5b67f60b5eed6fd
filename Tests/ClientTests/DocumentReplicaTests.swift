internal import Client
internal import JSON
internal import Testing

struct DocumentReplicaTests {
  private func replica() throws -> DocumentReplica {
    try #require(
      DocumentReplica(answer: [
        "session": 7, "revision": 0, "document": ["isValid": false, "messages": ["email": "no"]],
      ])
    )
  }

  @Test func `an update that follows is merged`() throws {
    var replica = try replica()
    let update: JSON = ["revision": 1, "from": 0, "patch": ["isValid": true, "messages": ["email": .null]]]
    #expect(replica.updated(update) == .merged)
    #expect(replica.document == ["isValid": true, "messages": [:]])
    #expect(replica.revision == 1)
  }

  @Test func `an update with a gap before it is not merged, nor any after it, until the document was replaced`() throws
  {
    var replica = try replica()
    #expect(replica.updated(["revision": 3, "from": 2, "patch": ["isValid": true]]) == .outdated)
    #expect(replica.updated(["revision": 1, "from": 0, "patch": ["isValid": true]]) == .outdated)
    #expect(replica.document["isValid"] == false)
    replica.replaced(by: ["session": 7, "revision": 3, "document": ["isValid": true]])
    #expect(!replica.isOutdated)
    #expect(replica.updated(["revision": 4, "from": 3, "patch": ["isValid": false]]) == .merged)
  }

  @Test func `an update that is in the document already is left out`() throws {
    var replica = try replica()
    replica.replaced(by: ["session": 7, "revision": 5, "document": ["isValid": true]])
    #expect(replica.updated(["revision": 5, "from": 4, "patch": ["isValid": false]]) == .old)
    #expect(replica.document["isValid"] == true)
  }

  @Test func `an update that hid turns in between still follows`() throws {
    var replica = try replica()
    #expect(replica.updated(["revision": 9, "from": 0, "patch": ["isValid": true]]) == .merged)
    #expect(replica.revision == 9)
  }

  @Test(
    arguments: [
      [:], ["session": 1, "revision": 0], ["session": "1", "revision": 0, "document": [:]], .null, "text",
    ] as [JSON]
  )
  func `an answer that is no session is refused`(answer: JSON) {
    #expect(DocumentReplica(answer: answer) == nil)
  }
}
