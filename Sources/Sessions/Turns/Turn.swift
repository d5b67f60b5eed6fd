public import JSON
internal import Texts

/// What one input caused, as a whole.
public struct Turn: Sendable {
  /// The number of turns so far that changed the document or made an event.
  public var revision = 0
  /// Whether the revision went up.
  public var hasUpdate = false
  /// What actions came to.
  public var events: [Event] = []
  /// Effects to be started, in order.
  public var starts: [Effect] = []
  /// Effects whose answers are no longer wanted.
  public var cancels: [EffectID] = []
  /// What became of the tap, when the input was one.
  public var tap: TapResult?
  /// Run-time errors of formulas, for the log.
  public var faults: [Fault] = []
}

/// One cell of the document, and what it held before the turn (or before the first of several turns that are sent as one).
public struct DocumentChange: Sendable {
  /// The cell's address in the form's document.
  public var cell: Int
  /// What it held.
  public var old: DocumentValue

  /// A change of that cell.
  public init(cell: Int, old: DocumentValue) {
    self.cell = cell
    self.old = old
  }
}

/// What a cell of the document holds.
public enum DocumentValue: Sendable, Equatable {
  /// No member stands in the document.
  case absent
  case bool(Bool)
  case integer(Int)
  case text(String)
  case json(JSON)
  case errors(ErrorList)

  /// A value, or its absence.
  @inline(__always)
  init(_ json: consuming JSON?) {
    if let json { self = .json(json) } else { self = .absent }
  }

  public static func == (left: DocumentValue, right: DocumentValue) -> Bool {
    switch (left, right) {
    case (.absent, .absent): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.text(let a), .text(let b)): a.hasSameUTF8(as: b)
    case (.json(let a), .json(let b)): a == b
    case (.errors(let a), .errors(let b)): a == b
    default: false
    }
  }
}

/// What became of a tap when it came in.
public struct TapResult: Sendable {
  /// What became of it.
  public enum Outcome: String, Sendable {
    /// A run began (and has even ended, when the action has nothing to wait for).
    case started
    /// It waits: for checks, for its turn, or for the end of a throttle or debounce.
    case held
    /// The form said no; the blockers say why.
    case rejected
    /// A run is under way or the throttle is closed.
    case dropped
  }

  /// What became of it.
  public var outcome: Outcome
  /// The run that it started.
  public var run: Int?
  /// Why it was rejected.
  public var blockers: [Blocker] = []
  /// Names the tap: exactly one event will carry the same one, in this turn or a later one.
  public var token: UInt64
}

/// One reason why an action may not run.
public struct Blocker: Sendable, Hashable {
  /// The field's name; nil for the form as a whole.
  public var field: String?
  /// The error's code; `pending` while a check runs, `disabled` when the action's formula alone says no.
  public var code: String

  /// A reason of those parts.
  public init(field: String?, code: String) {
    self.field = field
    self.code = code
  }
}

/// A one-shot fact: what an action came to.
public struct Event: Sendable {
  /// What it came to.
  public enum Kind: String, Sendable {
    case succeeded, failed, rejected, dropped, superseded
  }

  /// The number of the event in its session, from 1.
  public var sequence: Int
  /// The action's name.
  public var action: String
  /// The run, if one was started.
  public var run: Int?
  /// What it came to.
  public var kind: Kind
  /// Of a success.
  public var result: JSON?
  /// Of a failure.
  public var error: JSON?
  /// The outcome's text.
  public var message: String?
  /// Of a rejection.
  public var blockers: [Blocker] = []
  /// The tap that this event answers.
  public var token: UInt64
}

/// A run-time error in a formula: a value like any other, told to the log.
public struct Fault: Sendable, Hashable {
  /// The formula's place in the definition, as a JSON Pointer.
  public var formula: String
  /// What went wrong; never a field's value.
  public var message: String
}
