internal import JSON
internal import Sessions

extension OutputBuffer {
  /// Writes an event as `session/update` and the answer to an awaited tap carry it.
  func write(_ event: Event) {
    append(#"{"seq":"#)
    write(event.sequence)
    append(#","action":"#)
    write(event.action)
    if let run = event.run {
      append(#","run":"#)
      write(run)
    }
    append(#","kind":""#)
    append(event.kind.literal)
    append(byte: UInt8(ascii: "\""))
    if let result = event.result {
      append(#","result":"#)
      write(result)
    }
    if let error = event.error {
      append(#","error":"#)
      write(error)
    }
    if let message = event.message {
      append(#","message":"#)
      write(message)
    }
    if !event.blockers.isEmpty {
      append(#","blockers":"#)
      write(event.blockers)
    }
    append(byte: UInt8(ascii: "}"))
  }

  /// Writes the reasons why an action may not run.
  func write(_ blockers: [Blocker]) {
    append(byte: UInt8(ascii: "["))
    for (index, blocker) in blockers.enumerated() {
      if index > 0 { append(byte: UInt8(ascii: ",")) }
      append(byte: UInt8(ascii: "{"))
      if let field = blocker.field {
        append(#""field":"#)
        write(field)
        append(byte: UInt8(ascii: ","))
      }
      append(#""code":"#)
      write(blocker.code)
      append(byte: UInt8(ascii: "}"))
    }
    append(byte: UInt8(ascii: "]"))
  }
}

extension Event.Kind {
  var literal: StaticString {
    switch self {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .rejected: "rejected"
    case .dropped: "dropped"
    case .superseded: "superseded"
    }
  }
}

extension TapResult.Outcome {
  var literal: StaticString {
    switch self {
    case .started: "started"
    case .held: "held"
    case .rejected: "rejected"
    case .dropped: "dropped"
    }
  }
}
