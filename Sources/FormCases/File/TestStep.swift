package import FormProtocol
package import JSON

/// One event in a case, and the expectations after it.
///
/// A client's call has the name of the protocol's method, without the part before the slash. The value of that word is
/// the subject of the call: a field, an action or a step. The method's other params are members of the step, too.
package struct TestStep: Message, Sendable {
  /// Information for readers.
  package var note: String?

  /// Values change.
  package var change: ChangeSubject?
  /// The user enters the field at that address.
  package var focus: String?
  /// The user leaves the field at that address.
  package var blur: String?
  /// A row is inserted into the list at that address.
  package var insert: String?
  /// The row, or the member, at that address is removed.
  package var remove: String?
  /// The row at that address moves to another position.
  package var move: String?
  /// The user marks the choice 'value' of the multiple choice at that address, or takes the mark away.
  package var toggle: String?
  /// The client's own server refuses the field at that address.
  package var fail: String?
  /// The user goes to the step with that id.
  package var show: String?
  /// The user taps the action with that name.
  package var tap: String?
  /// The user gives up the action with that name.
  package var cancel: String?
  /// The language of texts changes.
  package var setLocale: String?
  /// The context is replaced.
  package var setContext: JSONObject?
  /// The session, or a field, is reset.
  package var reset: ResetSubject?
  /// The last edit of a user is taken back.
  package var undo: Bool?
  /// The edit that was taken back last is repeated.
  package var redo: Bool?
  /// Time passes.
  package var advance: CaseDuration?
  /// The answer that is held under that name arrives.
  package var answer: String?

  // The other params of the words, as in the protocol.

  /// For `change` and `insert`.
  package var value: JSON?
  /// For `insert`: the values of several rows.
  package var values: [JSON]?
  /// For `change`; nil: the user.
  package var origin: Origin?
  /// For `change`: whether an input method is composing.
  package var isComposing: Bool?
  /// For `change`: whether it also ends the editing.
  package var commit: Bool?
  /// For `insert`: the row to insert before; nil: behind the last row.
  package var at: RowReference?
  /// For `move`: the final position, or the row to move before.
  package var to: RowReference?
  /// For `fail`: the message, for people.
  package var message: String?
  /// For `reset`: whether the values stay.
  package var keepValues: Bool?

  /// The expectations after the step.
  package var expect: Expectations?

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.optional(
      "change",
      &change,
      "The user changes a field to 'value'. An object of values by address changes several fields in one turn."
    )
    members.optional("focus", &focus, "The user enters the field at this address.")
    members.optional("blur", &blur, "The user leaves the field at this address.")
    members.optional(
      "insert",
      &insert,
      "Inserts the row 'value', or the rows 'values', into the list at this address, before the row 'at'."
    )
    members.optional("remove", &remove, "Removes the row, or the member, at this address.")
    members.optional("move", &move, "Moves the row at this address to the position 'to'.")
    members.optional(
      "toggle",
      &toggle,
      "Marks the choice 'value' of the multiple choice at this address, or takes the mark away."
    )
    members.optional("fail", &fail, "The client's own server refuses the field at this address, with 'message'.")
    members.optional("show", &show, "The user goes to the step with this id.")
    members.optional("tap", &tap, "The user taps the action with this name.")
    members.optional("cancel", &cancel, "The user gives up the action with this name.")
    members.optional("setLocale", &setLocale, "Switches the texts to this language.")
    members.optional("setContext", &setContext, "The program replaces the context.")
    members.optional(
      "reset",
      &reset,
      "Resets the session to its beginning (true), or the field at this address. With true and 'keepValues', the values stay."
    )
    members.optional("undo", &undo, "The user takes back the last edit: true.")
    members.optional("redo", &redo, "The user repeats the edit that was taken back last: true.")
    members.optional(
      "advance",
      &advance,
      "Advances the virtual time, by 24h at most. Each timer and each delayed answer takes effect at its own time."
    )
    members.optional("answer", &answer, "Releases the answer that is held under this name.")
    members.optional("value", &value, "For change, insert and toggle: the value. In a change, null removes the value.")
    members.optional("values", &values, "For insert: the values of several rows.")
    members.optional("origin", &origin, "For change: the origin of the change. Without it, the user.")
    members.optional("composing", &isComposing, "For change: an input method is composing.")
    members.optional("commit", &commit, "For change: the change also ends the editing, as blur does.")
    members.optional(
      "at",
      &at,
      "For insert: the position, or the row (\"#2\") before which the rows come. Without it, after the last row."
    )
    members.optional("to", &to, "For move: the new position, or the row (\"#2\") before which it comes.")
    members.optional("message", &message, "For fail: the message for people.")
    members.optional("keepValues", &keepValues, "For reset: the values stay, and become the initial values.")
    members.optional("description", &note, "A note for readers.")
    members.optional("expect", &expect, "The expectations after the step.")
  }

  package func check(_ reader: inout MessageReader) {
    let written = Verb.allCases.filter { reader.has($0.wireName) }
    guard written.count == 1, let verb = written.first else {
      let names = Verb.allCases.map(\.wireName.description).joined(separator: ", ")
      reader.note(.value, "exactly one of: \(names)")
      return
    }
    for (name, owners) in Self.companions where reader.has(name) && !owners.contains(verb) {
      reader.note(
        .value,
        "left out: it belongs to \(owners.map(\.wireName.description).joined(separator: " or ")), not \(verb.wireName)",
        atMember: name
      )
    }
    switch verb {
    case .change where isChangeOfOne && !reader.has("value"):
      reader.note(.required, "any JSON value", atMember: "value")
    case .change where !isChangeOfOne && reader.has("value"):
      reader.note(
        .value,
        "values by address in \"change\", or an address there and \"value\", not both",
        atMember: "value"
      )
    case .toggle where !reader.has("value"): reader.note(.required, "a value of a choice", atMember: "value")
    case .insert where reader.has("value") && reader.has("values"):
      reader.note(.value, "value or values, not both", atMember: "values")
    case .move where !reader.has("to"): reader.note(.required, RowReference.expectation, atMember: "to")
    case .reset where keepValues ?? false && reset?.field != nil:
      reader.note(.value, "left out: a field is reset with its value", atMember: "keepValues")
    case .undo where undo == false: reader.note(.value, "true", atMember: "undo")
    case .redo where redo == false: reader.note(.value, "true", atMember: "redo")
    case .fail where !reader.has("message"): reader.note(.required, "a message for people", atMember: "message")
    default: break
    }
  }

  private var isChangeOfOne: Bool { if case .values? = change { false } else { true } }

  /// The members that accompany a word, each with the words that it belongs to.
  private static let companions: [(name: StaticString, owners: [Verb])] = [
    ("value", [.change, .insert, .toggle]), ("values", [.insert]), ("origin", [.change]), ("composing", [.change]),
    ("commit", [.change]), ("at", [.insert]), ("to", [.move]), ("message", [.fail]), ("keepValues", [.reset]),
  ]

  package static let summary: StaticString =
    "Exactly one of change, focus, blur, insert, remove, move, toggle, fail, show, tap, cancel, setLocale, setContext, reset, undo, redo, advance and answer."

  /// The words for the events.
  package enum Verb: WireName {
    case change, focus, blur, insert, remove, move, toggle, fail, show, tap, cancel, setLocale, setContext, reset
    case undo, redo, advance, answer

    package var wireName: StaticString {
      switch self {
      case .change: "change"
      case .focus: "focus"
      case .blur: "blur"
      case .insert: "insert"
      case .remove: "remove"
      case .move: "move"
      case .toggle: "toggle"
      case .fail: "fail"
      case .show: "show"
      case .tap: "tap"
      case .cancel: "cancel"
      case .setLocale: "setLocale"
      case .setContext: "setContext"
      case .reset: "reset"
      case .undo: "undo"
      case .redo: "redo"
      case .advance: "advance"
      case .answer: "answer"
      }
    }
  }
}

/// The subject of a change: one field, with its value in another member, or several fields with their values.
package enum ChangeSubject: MemberValue, Hashable, Sendable {
  /// The field, or the value inside it, at that address.
  case field(String)
  /// Values by address.
  case values(JSONObject)

  package static var schema: JSONObject { ["type": ["string", "object"]] }
  package static var expectation: String { "an address, or an object of values by address" }

  package static func read(_ node: JSONNode, _ reader: inout MessageReader) -> ChangeSubject? {
    if let address = node.string { return .field(address) }
    if node.isObject, let values = node.value().objectValue { return .values(values) }
    reader.note(.type, expectation)
    return nil
  }

  package func write(into buffer: OutputBuffer) {
    switch self {
    case .field(let address): buffer.write(address)
    case .values(let values): buffer.write(.object(values))
    }
  }
}

/// The subject of a reset: a field, or with `true` the session.
package enum ResetSubject: MemberValue, Hashable, Sendable {
  /// `{"reset": true}`.
  case session
  /// The field at that address.
  case field(String)

  /// The address; nil for the session.
  package var field: String? { if case .field(let address) = self { address } else { nil } }

  package static var schema: JSONObject { ["type": ["boolean", "string"], "not": ["const": false]] }
  package static var expectation: String { "true, or an address" }

  package static func read(_ node: JSONNode, _ reader: inout MessageReader) -> ResetSubject? {
    if node.bool == true { return .session }
    if let address = node.string { return .field(address) }
    reader.note(.value, expectation)
    return nil
  }

  package func write(into buffer: OutputBuffer) {
    switch self {
    case .session: buffer.write(true)
    case .field(let address): buffer.write(address)
    }
  }
}
