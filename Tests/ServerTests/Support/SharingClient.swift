import JSON
import Testing

/// A client that shares a session. It keeps the document by merging, and shows values as programs with inputs do.
final class SharingClient {
  let client: TestClient
  let session: JSON
  private(set) var document: JSON
  /// The last revision that it received.
  private(set) var revision: JSON
  /// The values that its inputs show, by address.
  private(set) var shown: JSONObject
  /// The events that it received, in order.
  private(set) var events: [JSON] = []

  /// A client that has opened a session, or attached to one.
  init(_ client: TestClient, _ state: JSON) {
    self.client = client
    session = state["session"] ?? .null
    document = state["document"] ?? .null
    revision = state["revision"] ?? .null
    shown = state["values"]?.objectValue ?? [:]
    events = state["events"]?.arrayValue ?? []
  }

  /// Types a text into a field. It reads the messages that follow only in ``receive()``.
  func type(_ field: String, _ text: String) {
    shown[field] = .string(text)
    client.send(
      #"{"jsonrpc":"2.0","method":"field/change","params":{"session":\#(session),"field":"\#(field)","value":"\#(text)"}}"#
    )
  }

  /// Stops reading.
  func block() {
    client.roomBytes = 0
    client.send(#"{"jsonrpc":"2.0","id":900,"method":"server/ping"}"#)
  }

  /// Reads all messages that were held back.
  func unblock() {
    client.drain()
    receive()
  }

  /// Reads all messages that have arrived.
  ///
  /// - Returns: the number of messages.
  @discardableResult
  func receive() -> Int {
    let messages = client.messages()
    merge(messages)
    return messages.count
  }

  /// Merges the content of updates.
  func merge(_ messages: [JSON]) {
    for message in messages where message["method"] == "session/update" && message.at("params", "session") == session {
      #expect(message.at("params", "from") == revision)
      revision = message.at("params", "revision") ?? .null
      document.merge(message.at("params", "patch") ?? .null)
      for member in message.at("params", "values")?.objectValue ?? [:] { shown[member.name] = member.value }
      for name in message.at("params", "absent")?.arrayValue ?? [] { shown[name.stringValue ?? ""] = nil }
      events += message.at("params", "events")?.arrayValue ?? []
    }
  }
}

extension TestDaemon {
  /// Opens a kept session of that form for this many clients; the second client uses header framing.
  func share(_ form: String = "login", among count: Int = 2) throws -> (clients: [SharingClient], key: JSON) {
    let first = connect()
    let opened = first.result("session/open", ["form": .string(form), "keep": "10m"])
    let key = try #require(opened["key"])
    var clients = [SharingClient(first, opened)]
    for index in 1..<count {
      let client = connect(headers: index == 1)
      clients.append(SharingClient(client, client.result("session/attach", ["key": key])))
    }
    return (clients, key)
  }
}
