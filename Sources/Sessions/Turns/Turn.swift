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
