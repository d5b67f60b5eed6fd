public import JSON
internal import Texts

/// The results of one input, as a whole. The caller carries it out: it writes the update, and starts and cancels
/// effects.
///
/// The cells that the input changed stay in the engine. ``Engine/writePatch(of:in:into:)`` and ``Engine/changes(of:)``
/// give them until the engine's next input.
public struct Turn {
  /// The number of turns so far that changed the session's document, made an event, or have values to tell
  /// (``told``, ``given``).
  public let revision: Int
  /// Whether a client must get an update: a cell that the session watches has changed, there is an event, or there are
  /// values to tell.
  public let hasUpdate: Bool
  /// The number of the turn in its engine.
  let number: Int
  /// Nil for most turns, so that handing one on counts no references.
  @usableFromInline let details: Details?

  /// Whether the turn has more than changed cells: events, told values, effects, the result of a tap, or faults.
  @inlinable public var hasDetails: Bool { details != nil }
  /// How taps and runs of actions ended, in order.
  @inlinable public var events: [Event] { details?.events ?? [] }
  /// Values that clients must get because they cannot know them, in order. Most have changed by themselves. Others are
  /// not what an input gave. ``Session/told(_:)`` returns their current values.
  @inlinable public var told: [ValueID] { details?.told ?? [] }
  /// Values that inputs of clients have changed, with their senders. It is empty unless the caller has named the sender
  /// (``Engine/apply(_:to:by:at:)``). It may contain a value and also a value inside it.
  package var given: [GivenValue] { details?.given ?? [] }
  /// The identities of the rows that the input has put in, in order.
  @inlinable public var rows: [Int] { details?.rows ?? [] }
  /// Effects to be started, in order.
  @inlinable public var starts: [Effect] { details?.starts ?? [] }
  /// Effects whose answers are no longer wanted.
  @inlinable public var cancels: [EffectID] { details?.cancels ?? [] }
  /// Effects that timed out before their answer came, in order. They are among ``cancels``, too.
  @inlinable public var timeouts: [EffectID] { details?.timeouts ?? [] }
  /// The answer to the tap, when the input was one.
  @inlinable public var tap: TapResult? { details?.tap }
  /// Taps that a throttle or debounce swallowed, by their tokens: this turn's own tap, or an earlier one that was held.
  /// They get no event.
  @inlinable public var swallowedTaps: [UInt64] { details?.swallowedTaps ?? [] }
  /// Run-time errors of formulas: for the log.
  @inlinable public var faults: [Fault] { details?.faults ?? [] }

  /// The results of a turn other than changed cells. The engine writes it only during the turn.
  @usableFromInline final class Details {
    @usableFromInline var events: [Event] = []
    /// Without duplicates.
    @usableFromInline var told: [ValueID] = []
    /// The elements of `told`, for look-ups.
    var toldSet: Set<ValueID> = []
    var given: [GivenValue] = []
    @usableFromInline var rows: [Int] = []
    @usableFromInline var starts: [Effect] = []
    @usableFromInline var cancels: [EffectID] = []
    @usableFromInline var timeouts: [EffectID] = []
    @usableFromInline var tap: TapResult?
    @usableFromInline var swallowedTaps: [UInt64] = []
    @usableFromInline var faults: [Fault] = []

    /// Whether clients get any part of it.
    var isToBeTold: Bool { !events.isEmpty || !told.isEmpty || !given.isEmpty }
  }
}

/// One cell of the document, and its content before the turn (or before the first of several turns that are sent as
/// one).
public struct DocumentChange: Sendable {
  /// The cell's number in the form's document.
  public var cell: Int
  /// The content before the change.
  public var old: DocumentValue

  public init(cell: Int, old: DocumentValue) {
    self.cell = cell
    self.old = old
  }
}

/// The content of a cell of the document.
public enum DocumentValue: Sendable, Equatable {
  /// The document does not have the member.
  case absent
  /// A property that is true or false.
  case bool(Bool)
  /// A whole number: how often an action was started.
  case integer(Int)
  /// A text: a message.
  case text(String)
  /// The old content of a list's rows, as far as they have changed.
  indirect case rows(ListBefore)
  /// The old messages of fields in rows, as far as they have changed.
  indirect case messages(MessagesBefore)
  /// Any other value: a result or an output.
  case json(JSON)
  /// The errors of a field or of the form.
  case errors(ErrorList)

  /// A value, or its absence.
  @inline(__always)
  init(_ json: consuming JSON?) {
    if let json { self = .json(json) } else { self = .absent }
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

  /// The content of a cell before two successive changes.
  ///
  /// - Parameter later: the content before the later change.
  package func beforeBoth(later: DocumentValue) -> DocumentValue {
    switch (self, later) {
    case (.rows(let earlier), .rows(var later)):
      later.merge(earlier: earlier)
      return .rows(later)
    case (.messages(let earlier), .messages(var later)):
      later.merge(earlier: earlier)
      return .messages(later)
    // The same errors have other texts since then, so they are sent in any case.
    case (.errors, .absent): return .absent
    default: return self
    }
  }

  /// The session's language has changed since the client got the content. Equal errors have other texts now, so they
  /// are sent in any case.
  package mutating func languageChanged() {
    switch self {
    case .errors(let errors) where !errors.isEmpty: self = .absent
    case .rows(var before):
      before.languageChanged()
      self = .rows(before)
    default: break
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

/// What a tap has led to when its turn ends. Its event may come later.
public struct TapResult: Sendable {
  /// How the tap was handled when it came in.
  public enum Outcome: String, Sendable {
    /// A run began. It has also ended if the action sends no request.
    case started
    /// The tap waits: for checks, for other runs, or for the end of a throttle or debounce.
    case held
    /// The action is not enabled. The blockers are the reasons.
    case rejected
    /// A run is under way, or a throttle lets no tap through.
    case dropped
  }

  /// How the tap was handled when it came in.
  public var outcome: Outcome
  /// The number of the run that it started; nil if it started none.
  public var run: Int?
  /// The reasons for a rejection.
  public var blockers: [Blocker] = []
  /// Names the tap. Exactly one event will have this token, in this turn or a later one, unless a turn's
  /// ``Turn/swallowedTaps`` has it.
  public var token: UInt64
}

/// One reason why an action may not run.
public struct Blocker: Sendable, Hashable {
  /// The field's address, or nil for the form as a whole.
  public var field: String?
  /// The error's code. It is `pending` while a check runs, and `disabled` when only the action's formula disables it.
  public var code: String

  public init(field: String?, code: String) {
    self.field = field
    self.code = code
  }
}

/// How a tap, or the run that it started, ended. Each tap has exactly one event, or was swallowed by a throttle or
/// debounce.
public struct Event: Sendable {
  /// The ways in which a tap or its run ends.
  public enum Kind: String, Sendable {
    /// The action succeeded, its run failed, the form rejected the tap, the tap was ignored, or a later tap or a reset
    /// replaced the run, or the user gave it up.
    case succeeded, failed, rejected, dropped, superseded, cancelled
  }

  /// The number of the event in its session, from 1.
  public var sequence: Int
  /// The action's name.
  public var action: String
  /// The run, if one was started.
  public var run: Int?
  /// The way in which the tap or its run ended.
  public var kind: Kind
  /// Of a success: the value that its outcome or its answer gives, if any.
  public var result: JSON?
  /// Of a failure: the reason, such as `status`, or the value that its outcome gives.
  public var error: JSON?
  /// The outcome's text.
  public var message: String?
  /// The reasons for a rejection.
  public var blockers: [Blocker] = []
  /// The tap that this event answers.
  public var token: UInt64
}

/// A run-time error in a formula, which is a value like any other, or a schema that could not be judged within the
/// turn's budget. It goes to the log.
public struct Fault: Sendable, Hashable {
  /// The location of the formula, or of the schema's keyword, in the definition, as a JSON Pointer.
  public var pointer: String
  /// The name of the formula, as messages have it: `outputs.total`, `rules['email.shape'].check`.
  public var name: String
  /// The error as a text. It never contains a field's value.
  public var message: String
}
