internal import CEL
internal import FormProtocol
internal import JSON
internal import SessionStore
internal import Sessions
internal import Times

/// What the server keeps of a session in the store beside its events: its ``ServerPart/head``.
struct StoredHead {
  /// How long the session is kept when no client has it.
  var keep: Duration
  /// When it was opened, in milliseconds since 1970.
  var opened: Int64
  /// The definition that its client brought along; nil: the form is one of the daemon's.
  var definition: JSONObject?

  /// The bytes of the part that holds the head.
  var bytes: [UInt8] {
    var members: JSONObject = ["keepMs": .integer(Int64(keep / .milliseconds(1))), "opened": .integer(opened)]
    if let definition { members["definition"] = .object(definition) }
    return JSON.object(members).bytes
  }

  init(keep: Duration, opened: Int64, definition: JSONObject? = nil) {
    self.keep = keep
    self.opened = opened
    self.definition = definition
  }

  /// The head of a stored session; nil if it is missing or invalid.
  init?(_ session: StoredSession) {
    guard let bytes = session.parts.first(where: { $0.number == ServerPart.head })?.bytes,
      let json = JSON(stored: bytes),
      let keepMs = json["keepMs"]?.integerValue, let opened = json["opened"]?.integerValue
    else { return nil }
    self.init(keep: .milliseconds(keepMs), opened: opened, definition: json["definition"]?.objectValue)
  }
}

extension StoredSession {
  /// The events in it, in order.
  var events: [ActionEvent] {
    parts.reversed().filter { ServerPart.isEvent($0.number) }.compactMap { ActionEvent(stored: $0.bytes) }
  }

  /// The engine's part of it.
  var snapshot: SessionSnapshot {
    SessionSnapshot(
      parts: Dictionary(
        parts.filter { $0.number >= 0 }.map { (SnapshotPart(rawValue: $0.number), $0.bytes) },
        uniquingKeysWith: { $1 }
      )
    )
  }
}

extension Timestamp {
  /// Milliseconds since 1970.
  var milliseconds: Int64 { seconds * 1_000 + Int64(nanoseconds / 1_000_000) }
}

extension JSON {
  fileprivate var bytes: [UInt8] {
    let text = OutputBuffer()
    text.write(self)
    return Array(text.bytes)
  }

  fileprivate init?(stored bytes: [UInt8]) {
    guard let json = try? JSON(parsing: bytes) else { return nil }
    self = json
  }
}

extension ActionEvent {
  /// The bytes of the part that holds the event.
  var bytes: [UInt8] {
    let text = OutputBuffer()
    write(into: text)
    return Array(text.bytes)
  }

  fileprivate init?(stored bytes: [UInt8]) {
    guard let json = JSON(stored: bytes), let event = try? MessageReader.value(ActionEvent.self, json, .lenient) else {
      return nil
    }
    self = event
  }
}
