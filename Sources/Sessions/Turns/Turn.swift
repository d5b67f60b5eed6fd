public import JSON
internal import Texts

/// What one input caused, as a whole. The caller carries it out: it writes the update, and starts and cancels effects.
///
/// The cells that the input changed stay in the engine: ``Engine/writePatch(of:in:into:)`` and ``Engine/changes(of:)`` give them
/// until the engine's next input.
public struct Turn {
  /// The number of turns so far that changed the session's document or made an event.
  public let revision: Int
  /// Whether there is something to tell: a cell that the session watches has changed, a value has moved by itself, or there is an
  /// event.
  public let hasUpdate: Bool
  /// Which of the engine's turns it is.
  let number: Int
  /// Nil for most turns, so that handing one on counts no references.
  @usableFromInline let details: Details?

  /// Whether the turn has anything but changed cells: events, told values, effects, the result of a tap, or faults.
  @inlinable public var hasDetails: Bool { details != nil }
  /// How taps and runs of actions ended, in order.
  @inlinable public var events: [Event] { details?.events ?? [] }
  /// Places whose values have moved by themselves, in order; ``Session/told(_:)`` says what they hold now.
  @inlinable public var told: [ToldPlace] { details?.told ?? [] }
  /// Places that inputs of clients have given other values, with who sent them; only where the caller has named the sender
  /// (``Engine/sender``). What is inside of a place that is here may be here, too.
  package var given: [GivenPlace] { details?.given ?? [] }
  /// The identities of the rows that the input has put in, in order.
  @inlinable public var rows: [Int] { details?.rows ?? [] }
  /// Effects to be started, in order.
  @inlinable public var starts: [Effect] { details?.starts ?? [] }
  /// Effects whose answers are no longer wanted.
  @inlinable public var cancels: [EffectID] { details?.cancels ?? [] }
  /// Effects whose time was over before their answer came, in order. They are among ``cancels``, too.
  @inlinable public var timeouts: [EffectID] { details?.timeouts ?? [] }
  /// The answer to the tap, when the input was one.
  @inlinable public var tap: TapResult? { details?.tap }
  /// Taps that a throttle or debounce swallowed, by their tokens: this turn's own, or an earlier one that was held. They come to
  /// no event.
  @inlinable public var swallowedTaps: [UInt64] { details?.swallowedTaps ?? [] }
  /// Run-time errors of formulas, for the log.
  @inlinable public var faults: [Fault] { details?.faults ?? [] }

  /// What a turn has besides changed cells. The engine writes it while the turn is under way, and not after.
  @usableFromInline final class Details {
    @usableFromInline var events: [Event] = []
    /// None twice.
    @usableFromInline var told: [ToldPlace] = []
    /// The same, to be looked up.
    var isTold: Set<ToldPlace> = []
    var given: [GivenPlace] = []
    @usableFromInline var rows: [Int] = []
    @usableFromInline var starts: [Effect] = []
    @usableFromInline var cancels: [EffectID] = []
    @usableFromInline var timeouts: [EffectID] = []
    @usableFromInline var tap: TapResult?
    @usableFromInline var swallowedTaps: [UInt64] = []
    @usableFromInline var faults: [Fault] = []

    /// Whether clients are told something of it.
    var isToBeTold: Bool { !events.isEmpty || !told.isEmpty || !given.isEmpty }
  }
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
  /// A truth.
  case bool(Bool)
  /// A whole number: how often an action was started.
  case integer(Int)
  /// A text: a message.
  case text(String)
  /// What a list's rows held, as far as they have changed.
  case rows(ListBefore)
  /// The messages that fields in rows showed, likewise.
  case messages(MessagesBefore)
  /// Any other value: a result or an output.
  case json(JSON)
  /// A list of errors.
  case errors(ErrorList)

  /// A value, or its absence.
  @inline(__always)
  init(_ json: consuming JSON?) {
    if let json { self = .json(json) } else { self = .absent }
  }

  /// The same, with what is kept of rows as a value of its own.
  var copy: DocumentValue {
    switch self {
    case .rows(let before): .rows(before.copy)
    case .messages(let before): .messages(before.copy)
    case .absent, .bool, .integer, .text, .json, .errors: self
    }
  }

  /// Bytes of memory, as ``JSON/JSON/approximateBytes`` measures them.
  package var approximateBytes: Int {
    switch self {
    case .absent, .bool, .integer, .errors: 0
    case .text(let text): text.utf8.count
    case .json(let json): json.approximateBytes
    case .rows(let before): before.approximateBytes
    case .messages(let before): before.approximateBytes
    }
  }

  /// What a cell held before two changes, one after the other. Both are used up: what is kept of rows becomes a part of the result.
  ///
  /// - Parameter later: what it held before the later one.
  package func beforeBoth(later: DocumentValue) -> DocumentValue {
    switch (self, later) {
    case (.rows(let earlier), .rows(let later)):
      later.merge(earlier: earlier)
      return .rows(later)
    case (.messages(let earlier), .messages(let later)):
      later.merge(earlier: earlier)
      return .messages(later)
    // The same errors have other texts since: they are told in any case.
    case (.errors, .absent): return .absent
    default: return self
    }
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
    /// A run began. It has also ended when the action asks nobody.
    case started
    /// The tap waits: for checks, for its turn, or for the end of a throttle or debounce.
    case held
    /// The action is not enabled; the blockers say why.
    case rejected
    /// A run is under way, or a throttle lets no tap through.
    case dropped
  }

  /// What became of it.
  public var outcome: Outcome
  /// The run that it started.
  public var run: Int?
  /// Why it was rejected.
  public var blockers: [Blocker] = []
  /// Names the tap: exactly one event will carry the same one, in this turn or a later one, unless a turn's
  /// ``Turn/swallowedTaps`` has it.
  public var token: UInt64
}

/// One reason why an action may not run.
public struct Blocker: Sendable, Hashable {
  /// The field's address; nil for the form as a whole.
  public var field: String?
  /// The error's code; `pending` while a check runs, `disabled` when the action's formula alone says no.
  public var code: String

  /// A reason of those parts.
  public init(field: String?, code: String) {
    self.field = field
    self.code = code
  }
}

/// How a tap, or the run that it started, ended. Each tap has exactly one event, or was swallowed by a throttle or debounce.
public struct Event: Sendable {
  /// How it ended.
  public enum Kind: String, Sendable {
    /// The action was done, its run failed, the form said no, the tap was ignored, or a later tap or a reset took the place of the run.
    case succeeded, failed, rejected, dropped, superseded
  }

  /// The number of the event in its session, from 1.
  public var sequence: Int
  /// The action's name.
  public var action: String
  /// The run, if one was started.
  public var run: Int?
  /// How it ended.
  public var kind: Kind
  /// The result of a success.
  public var result: JSON?
  /// The error of a failure.
  public var error: JSON?
  /// The outcome's text.
  public var message: String?
  /// Why the tap was rejected.
  public var blockers: [Blocker] = []
  /// The tap that this event answers.
  public var token: UInt64
}

/// A run-time error in a formula, which is a value like any other, or a schema that could not be judged within the turn's budget: told to
/// the log.
public struct Fault: Sendable, Hashable {
  /// The place of the formula, or of the schema's keyword, in the definition, as a JSON Pointer.
  public var formula: String
  /// What the formula is called: `outputs.total`, `rules['email.shape'].check`.
  public var cell: String
  /// What went wrong; never a field's value.
  public var message: String
}
