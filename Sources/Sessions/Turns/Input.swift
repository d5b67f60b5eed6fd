public import JSON

/// One thing that happens to a session: what a client sends, a timer, or a finished effect. Fields, steps and actions are positions
/// in the session's form.
public enum Input: Sendable {
  /// The user set the whole value of one field, or with nil took it away: the input that comes most often.
  case set(field: Int, to: JSON?)
  /// Values, or parts of them, were set; one turn, however many. A `commit` ends the fields' editing, too.
  case change([FieldChange], origin: Origin = .user, isComposing: Bool = false, commit: Bool = false)
  /// A field was entered: of the form (0), or of the row of that identity.
  case focus(field: Int, row: Int = 0)
  /// A field was left, likewise.
  case blur(field: Int, row: Int = 0)
  /// Who sends the input (``Engine/sender``) has the session no more: as if he left every field that he is in. With `isLast` nobody has it any
  /// more, and every field is left.
  case leave(isLast: Bool)
  /// Rows are put into a list, before the one at a position; behind the last where there are fewer. A nil is a row without a value. ``Turn/rows``
  /// names them.
  indirect case insert(list: Int, row: Int = 0, at: Int, [JSON?])
  /// A row is taken away.
  case remove(row: Int)
  /// A row gets another position in its list: the one that it has then.
  case move(row: Int, to: Int)
  /// Somebody else found a field's value wrong: the client's own server.
  indirect case fail(field: Int, row: Int = 0, message: String)
  /// An action was asked for.
  case tap(action: Int)
  /// The user went to a step.
  case show(step: Int)
  /// Texts are to be in another language.
  case setLocale(String)
  /// The session goes back to its beginning and its initial values. With `keepValues` the current values become the initial ones.
  case reset(keepValues: Bool)
  /// The changes that throttled and debounced fields hold back take effect, and every check that has not run is asked, as by a tap.
  case flush
  /// ``Session/deadline`` has come: the earliest due timer fires. When the deadline is still due afterwards, apply it again.
  case timer
  /// An effect ended. Indirect, so that the other inputs are small.
  indirect case effect(EffectID, EffectResponse)
}

extension Input {
  /// Whether somebody has asked for an action.
  var isTap: Bool { if case .tap = self { true } else { false } }
}

/// One field's new value.
public struct FieldChange: Sendable {
  /// Stands for a field where a top-level member is meant that is none; its name begins the path.
  public static let root = -1

  /// The identity of the row that the field is in; 0 for the form.
  public var row: Int
  /// The field, or ``root``.
  public var field: Int
  /// Where inside the field's value; empty for the whole of it.
  public var path: [String]
  /// The new value; nil takes it away.
  public var value: JSON?

  /// A change of those parts.
  public init(row: Int = 0, field: Int, path: [String] = [], value: JSON?) {
    self.row = row
    self.field = field
    self.path = path
    self.value = value
  }
}

extension FieldChange {
  /// How deep a field's value may become. One message may be as deep, and several messages cannot build anything deeper.
  public static let depthMax = 64

  /// Whether the change would put something deeper than that.
  var isTooDeep: Bool { path.count + (value?.depth ?? 0) > Self.depthMax }
}

extension JSON {
  /// Arrays and objects inside each other: 0 for a scalar. What came in a message is at most as deep as a message may be.
  fileprivate var depth: Int {
    switch self {
    case .array(let elements): 1 + (elements.lazy.map(\.depth).max() ?? 0)
    case .object(let members): 1 + (members.lazy.map(\.value.depth).max() ?? 0)
    case .null, .bool, .integer, .real, .decimal, .string: 0
    }
  }
}

/// Who changed a value. Only the user edits; the others set it without the field counting as edited.
public enum Origin: String, Sendable, CaseIterable {
  /// The user, the browser's autofill, a value that was kept, or the program itself.
  case user, autofill, restore, program
}
