package import JSON

/// What one turn changed.
package struct SessionUpdate: Push {
  /// The session's number.
  package var session: Int64 = 0
  /// The session's revision after the turn.
  package var revision = 0
  /// The revision that the connection was told last.
  package var from = 0
  /// What the turn came from; nil for a cause that only a later daemon knows.
  package var cause: Cause?
  /// A JSON Merge Patch against the document.
  ///
  /// Null where the patch is written straight from the cells.
  package var patch = JSON.null
  /// Values that moved by themselves, by address; nil for most turns.
  package var values: JSONObject?
  /// The addresses of those that went; empty for most turns.
  package var absent: [String] = []
  /// What actions came to; empty for most turns.
  package var events: [ActionEvent] = []

  package init() {}

  /// An update, but for its patch.
  @inline(__always)
  package init(session: Int64, revision: Int, from: Int, cause: Cause, events: [ActionEvent] = []) {
    self.session = session
    self.revision = revision
    self.from = from
    self.cause = cause
    self.events = events
  }

  @inline(__always)
  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("session", &session, "The session.")
    members.required("revision", &revision, "The session's revision now.")
    members.required("from", &from, "The revision last delivered on this connection.")
    members.required("cause", &cause, "What the turn came from: the input's method, `timer` or `effect`.")
    members.prepared("patch", &patch, "A JSON Merge Patch (RFC 7396) against the document.")
    members.optional(
      "values",
      &values,
      "Values that moved by themselves, by address: what a reset restored, for example."
    )
    members.optional("absent", &absent, "The addresses of places whose values went by themselves.")
    members.optional("events", &events, "What actions came to.")
  }

  // Every change is told by one of these. The calls below are of a concrete type, so that the list is specialized here and not
  // looked up in tables from another module; and they copy nothing.

  /// The same for an update that is only a patch, as most are: it is made here, and never handed from one module to another.
  package static func writeHead(
    session: Int64,
    revision: Int,
    from: Int,
    cause: Cause,
    into buffer: OutputBuffer
  ) {
    var update = SessionUpdate(session: session, revision: revision, from: from, cause: cause)
    MessageWriter.write(&update, .head, into: buffer)
  }

  /// What comes behind the patch then.
  package static func writeTail(into buffer: OutputBuffer) {
    var update = SessionUpdate()
    MessageWriter.write(&update, .tail, into: buffer)
  }

  package mutating func writeHead(into buffer: OutputBuffer) {
    MessageWriter.write(&self, .head, into: buffer)
  }

  package mutating func writeTail(into buffer: OutputBuffer) {
    MessageWriter.write(&self, .tail, into: buffer)
  }

  package static let push = PushMethod.sessionUpdate
  package static let pushTitle = "What one turn changed"
  package static var pushExample: Self {
    var update = Self(session: 1, revision: 3, from: 2, cause: .fieldChange)
    update.patch = ["isValid": true, "messages": ["email": .null]]
    return update
  }
}

/// What a turn came from.
public enum Cause: WireName, Sendable {
  /// A value changed.
  case fieldChange
  /// A field was entered.
  case fieldFocus
  /// A field was left.
  case fieldBlur
  /// Rows were added to a list.
  case fieldInsert
  /// A row or a member was removed.
  case fieldRemove
  /// A row was moved.
  case fieldMove
  /// A client said what is wrong with a value.
  case fieldFail
  /// The user went to a step.
  case stepShow
  /// An action was tapped.
  case actionTap
  /// The session was reset.
  case sessionReset
  /// Texts are in another language.
  case sessionSetLocale
  /// Opening the session: its first effects have ended at once.
  case sessionOpen
  /// A throttle, a debounce or a time limit ran out.
  case timer
  /// A check or an action's run ended.
  case effect

  package var wireName: StaticString {
    switch self {
    case .fieldChange: Method.fieldChange.wireName
    case .fieldFocus: Method.fieldFocus.wireName
    case .fieldBlur: Method.fieldBlur.wireName
    case .fieldInsert: Method.fieldInsert.wireName
    case .fieldRemove: Method.fieldRemove.wireName
    case .fieldMove: Method.fieldMove.wireName
    case .fieldFail: Method.fieldFail.wireName
    case .stepShow: Method.stepShow.wireName
    case .actionTap: Method.actionTap.wireName
    case .sessionReset: Method.sessionReset.wireName
    case .sessionSetLocale: Method.sessionSetLocale.wireName
    case .sessionOpen: Method.sessionOpen.wireName
    case .timer: "timer"
    case .effect: "effect"
    }
  }
}
