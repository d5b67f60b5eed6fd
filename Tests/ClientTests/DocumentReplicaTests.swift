internal import Client
internal import FormProtocol
internal import JSON
internal import Testing

struct DocumentReplicaTests {
  private func replica() -> DocumentReplica {
    var state = SessionState(session: 7, revision: 0, values: [:])
    state.document = ["isValid": false, "messages": ["email": "no"]]
    return DocumentReplica(state)
  }

  private func update(_ revision: Int, from: Int, _ patch: JSON) -> SessionUpdate {
    var update = SessionUpdate(UpdateHead(session: 7, revision: revision, from: from, cause: .effect))
    update.patch = patch
    return update
  }

  private func current(_ revision: Int, _ document: JSON) -> CurrentSession {
    var current = CurrentSession(session: 7, form: "login", revision: revision, values: [:])
    current.document = document
    return current
  }

  @Test func `an update that follows is merged`() {
    var replica = replica()
    #expect(replica.updated(update(1, from: 0, ["isValid": true, "messages": ["email": .null]])) == .merged)
    #expect(replica.document == ["isValid": true, "messages": [:]])
    #expect(replica.revision == 1)
  }

  @Test func `an update with a gap before it is not merged, nor any after it, until the document was replaced`() {
    var replica = replica()
    #expect(replica.updated(update(3, from: 2, ["isValid": true])) == .outdated)
    #expect(replica.updated(update(1, from: 0, ["isValid": true])) == .outdated)
    #expect(replica.document["isValid"] == false)
    replica.replaced(by: current(3, ["isValid": true]))
    #expect(!replica.isOutdated)
    #expect(replica.updated(update(4, from: 3, ["isValid": false])) == .merged)
  }

  @Test func `an update that is in the document already is left out`() {
    var replica = replica()
    replica.replaced(by: current(5, ["isValid": true]))
    #expect(replica.updated(update(5, from: 4, ["isValid": false])) == .old)
    #expect(replica.document["isValid"] == true)
  }

  @Test func `an update that hid turns in between still follows`() {
    var replica = replica()
    #expect(replica.updated(update(9, from: 0, ["isValid": true])) == .merged)
    #expect(replica.revision == 9)
  }

  @Test func `events that were lost are counted until the document was replaced`() {
    var replica = replica()
    replica.desynchronized(eventsLost: 2)
    replica.desynchronized(eventsLost: 1)
    #expect(replica.isOutdated && replica.eventsLost == 3)
    replica.replaced(by: current(3, [:]))
    #expect(!replica.isOutdated && replica.eventsLost == 0)
  }
}
