package import JSON

/// The members of every update in addition to its patch. It has no references, and costs nothing to make: every change
/// is sent in an update.
package struct UpdateHead {
  /// The session's number.
  package var session: Int64 = 0
  /// The session's revision after the last turn.
  package var revision = 0
  /// The revision of the last update to the connection.
  package var from = 0
  /// The cause of the last turn; nil for a cause that only a later daemon knows.
  package var cause: Cause?

  package init() {}

  @inline(__always)
  package init(session: Int64, revision: Int, from: Int, cause: Cause) {
    self.session = session
    self.revision = revision
    self.from = from
    self.cause = cause
  }

  /// Writes everything before the patch. The patch is to be written next, then ``writeTail(into:)`` called.
  package func write(into buffer: OutputBuffer) {
    let prefixes = Self.prefixes
    let cause = cause?.wireName ?? "null"
    let room = prefixes.countToWrite &+ 3 &* OutputBuffer.numberBytesMax &+ cause.utf8CodeUnitCount &+ 2
    buffer.append(upTo: room) { start in
      var out = prefixes.session.copy(to: start).writing(decimal: session)
      out = prefixes.revision.copy(to: out).writing(decimal: Int64(revision))
      out = prefixes.from.copy(to: out).writing(decimal: Int64(from))
      out = prefixes.cause.copy(to: out)
      if self.cause != nil {
        let quote = UInt8(ascii: "\"")
        out = out.writing(quote).writing(cause).writing(quote)
      } else {
        out = out.writing(cause)
      }
      return prefixes.patch.copy(to: out)
    }
  }

  /// The texts before the values of an update's first members.
  private struct Prefixes: @unchecked Sendable {
    let session: PreparedBytes
    let revision: PreparedBytes
    let from: PreparedBytes
    let cause: PreparedBytes
    let patch: PreparedBytes
    /// The room that writing all of them needs, in bytes.
    let countToWrite: Int

    init() {
      var (head, patch) = (UpdateHead(), JSON.null)
      let all = MemberPrefixes { head.list(&$0, patch: &patch) }.all
      (session, revision, from, cause, self.patch) = (all[0], all[1], all[2], all[3], all[4])
      countToWrite = all.reduce(0) { $0 + $1.countToWrite }
    }
  }

  private static let prefixes = Prefixes()

  /// Writes the part after the patch of an update that has no further members.
  @inline(__always)
  package static func writeTail(into buffer: OutputBuffer) {
    MessageWriter.write(.tail, into: buffer) { _ in }
  }

  @inline(__always)
  fileprivate mutating func list(_ members: inout some MessageVisitor, patch: inout JSON) {
    members.required("session", &session, "The session.")
    members.required("revision", &revision, "The session's revision now.")
    members.required("from", &from, "The revision last delivered on this connection.")
    members.required("cause", &cause, "The cause of the last turn: the input's method, `timer` or `effect`.")
    members.prepared("patch", &patch, as: JSONObject.self, "A JSON Merge Patch (RFC 7396) against the document.")
  }
}

/// The changes of one turn, or of all turns that a slow reader has missed.
package struct SessionUpdate: Push {
  /// The members that every update has.
  package var head: UpdateHead
  /// A JSON Merge Patch against the document.
  ///
  /// Null if the patch is written directly from the cells.
  package var patch = JSON.null
  /// Values that changed without input to them, by address; nil for most turns.
  package var values: JSONObject?
  /// The addresses of removed values; empty for most turns.
  package var absent: [String] = []
  /// The results of actions; empty for most turns.
  package var events: [ActionEvent] = []

  package init() { head = UpdateHead() }

  /// An update without its patch.
  package init(_ head: UpdateHead, events: [ActionEvent] = []) {
    self.head = head
    self.events = events
  }

  package static let schemaName: StaticString? = "Update"

  @inline(__always)
  package mutating func list(_ members: inout some MessageVisitor) {
    head.list(&members, patch: &patch)
    members.optional(
      "values",
      &values,
      "Values that the daemon changed, by address, such as values that a reset restored."
    )
    members.optional("absent", &absent, "The addresses of the values that the daemon removed.")
    members.optional("events", &events, "The results of actions.")
  }

  package static let push = PushMethod.sessionUpdate
  package static let pushTitle = "What one turn changed"
  package static var pushExample: Self {
    var update = Self(UpdateHead(session: 1, revision: 3, from: 2, cause: .fieldChange))
    update.patch = ["isValid": true, "messages": ["email": .null]]
    return update
  }
}

/// The input that led to a turn.
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
  /// A choice was marked, or its mark was taken away.
  case fieldToggle
  /// A client reported an error of a value.
  case fieldFail
  /// The user went to a step.
  case stepShow
  /// An action was tapped.
  case actionTap
  /// The taps of an action were given up.
  case actionCancel
  /// The session was reset.
  case sessionReset
  /// The last edit of a user was taken back.
  case sessionUndo
  /// The edit that was taken back last was repeated.
  case sessionRedo
  /// Texts are in another language.
  case sessionSetLocale
  /// The context was replaced.
  case sessionSetContext
  /// Opening the session: its first effects have ended at once.
  case sessionOpen
  /// A throttle, a debounce or a time limit ran out.
  case timer
  /// A check or an action's run ended.
  case effect

  package static let schemaName: StaticString? = "Cause"

  package var wireName: StaticString {
    switch self {
    case .fieldChange: FieldChangeParams.name
    case .fieldFocus: FieldFocusParams.name
    case .fieldBlur: FieldBlurParams.name
    case .fieldInsert: FieldInsertParams.name
    case .fieldRemove: FieldRemoveParams.name
    case .fieldMove: FieldMoveParams.name
    case .fieldToggle: FieldToggleParams.name
    case .fieldFail: FieldFailParams.name
    case .stepShow: StepShowParams.name
    case .actionTap: ActionTapParams.name
    case .actionCancel: ActionCancelParams.name
    case .sessionReset: SessionResetParams.name
    case .sessionUndo: SessionUndoParams.name
    case .sessionRedo: SessionRedoParams.name
    case .sessionSetLocale: SessionSetLocaleParams.name
    case .sessionSetContext: SessionSetContextParams.name
    case .sessionOpen: SessionOpenParams.name
    case .timer: "timer"
    case .effect: "effect"
    }
  }
}
