internal import Forms
public import JSON

/// One event of a session: a message from a client, a timer, or a finished effect. Fields, steps and actions are
/// numbers: their indices in the session's form.
public enum Input: Sendable {
  /// The user set the whole value of one field, or removed it with nil. This input is the most frequent.
  case set(field: Int, to: JSON?)
  /// Values, or parts of them, were set, all in one turn. A `commit` ends the fields' editing, too.
  /// The engine leaves out changes that cannot be applied.
  case change([FieldChange], origin: Origin = .user, isComposing: Bool = false, commit: Bool = false)
  /// The same, prepared for the session in its current state. No change is left out, unless a timer is due, or time
  /// has passed for formulas, and it can be applied no longer.
  indirect case prepared(PreparedChanges)
  /// A field of the form (0), or of the row of that identity, was entered.
  case focus(field: Int, row: Int = 0)
  /// A field of the form (0), or of the row of that identity, was left.
  case blur(field: Int, row: Int = 0)
  /// The sender of the input (``Engine/apply(_:to:by:at:)``) detaches, and it leaves its fields. With `isLast` no
  /// client has the session any more, and every field is left.
  case detach(isLast: Bool)
  /// Rows are put into a list, before the row at a position, or behind the last row if there are fewer. A nil is a row
  /// without a value. ``Turn/rows`` names them.
  indirect case insert(list: Int, row: Int = 0, at: Int, [JSON?])
  /// The row of that identity is removed from its list.
  case remove(row: Int)
  /// A row gets another position in its list. It is the row's position after the move.
  case move(row: Int, to: Int)
  /// The client's own server found a field's value wrong.
  indirect case fail(field: Int, row: Int = 0, message: String)
  /// An action was asked for.
  case tap(action: Int)
  /// The user gives up the taps of an action that have no event yet.
  case cancel(action: Int)
  /// The user went to a step.
  case show(step: Int)
  /// Texts must be in another language.
  case setLocale(String)
  /// The context is replaced. The form's schema admits it.
  case setContext(JSONObject)
  /// The session goes back to its beginning and its initial values. With `keepValues` the current values become the
  /// initial ones.
  case reset(keepValues: Bool)
  /// A field of the form (0), or of the row of that identity, goes back to its beginning, with all fields inside it.
  case resetField(field: Int, row: Int = 0)
  /// The last edit of a user is taken back, or the one that was taken back last is repeated. Without one, nothing
  /// changes.
  case undo, redo
  /// The changes that throttled and debounced fields hold back take effect. Every check that has not run starts, as for
  /// a tap, and no check waits for its debounce.
  case flush
  /// ``Session/deadline`` has come: the earliest due timer fires. If the deadline is still due afterwards, apply this
  /// input again.
  case timer
  /// An effect ended. The case is indirect, so that the other inputs are small.
  indirect case effect(EffectID, EffectResponse)
}

extension Input {
  /// Whether the input is a tap of an action.
  var isTap: Bool { if case .tap = self { true } else { false } }

  /// Whether the session's form has the fields, actions and steps that the input names. A row that has gone is ignored
  /// later.
  func isAddressed(to session: Session) -> Bool {
    func has(_ field: Int, _ row: Int) -> Bool { session.instance(of: row)?.ownFields.contains(field) ?? true }
    return switch self {
    case .set(let field, _): has(field, 0)
    case .change(let changes, _, _, _): changes.allSatisfy { $0.field == FieldChange.root || has($0.field, $0.row) }
    case .prepared(let prepared): Input.change(prepared.changes).isAddressed(to: session)
    case .focus(let field, let row), .blur(let field, let row), .fail(let field, let row, _),
      .resetField(let field, let row):
      has(field, row)
    case .insert(let list, let row, _, _): has(list, row) && session.instance(of: row)?.isList(list) ?? true
    case .tap(let action), .cancel(let action): session.form.actions.indices.contains(action)
    case .show(let step): session.form.steps.indices.contains(step)
    case .detach, .remove, .move, .setLocale, .setContext, .reset, .undo, .redo, .flush, .timer, .effect: true
    }
  }
}

/// One field's new value.
public struct FieldChange: Sendable {
  /// Replaces a field in a change of a top-level member that is not a field. The member's name begins the path.
  public static let root = -1

  /// The identity of the row that contains the field, or 0 for the form.
  public var row: Int
  /// The field's number in the form, or ``root``.
  public var field: Int
  /// The path inside the field's value. It is empty for the whole value.
  public var path: [String]
  /// The new value, or nil to remove it.
  public var value: JSON?

  public init(row: Int = 0, field: Int, path: [String] = [], value: JSON?) {
    self.row = row
    self.field = field
    self.path = path
    self.value = value
  }
}

extension FieldChange {
  /// How deep a field's value may become. One message may be as deep, and several messages cannot build anything
  /// deeper.
  public static let depthMax = 64

  /// Whether the change would make the value deeper than that.
  var isTooDeep: Bool { path.count + (value?.depth ?? 0) > Self.depthMax }
}

extension JSON {
  /// The depth of nested arrays and objects, or 0 for a scalar. A value from a message is at most as deep as a message
  /// may be.
  fileprivate var depth: Int {
    switch self {
    case .array(let elements): 1 + (elements.lazy.map(\.depth).max() ?? 0)
    case .object(let members): 1 + (members.lazy.map(\.value.depth).max() ?? 0)
    case .null, .bool, .integer, .real, .decimal, .string: 0
    }
  }
}

/// The source of a change. Only a change of the user sets `isEdited`. Changes of the user and of the browser's autofill
/// can be undone.
public enum Origin: String, Sendable, CaseIterable {
  /// The user, the browser's autofill, a value that was kept, or the program itself.
  case user, autofill, restore, program

  /// Whether such a change may change a read-only field. The browser fills in on the user's behalf.
  package var mayChangeReadOnly: Bool { self == .restore || self == .program }
}
