/// The state of a connection: it decides what follows from each event. It is the logic of a connection's life, and
/// nothing else. Events go in as calls, and each call returns an action; ``ClientConnection`` carries it out.
///
/// ```
///             sliceCame                    becameWritable
///           ┌─────────────┐        ┌──────────────────────────────┐
///           ▼             │        ▼     wrote(not writable)      │
///  ───▶ flowing ──────▶ waiting    flowing, waiting ──────────▶ blocked
///           │  othersGoFirst
///           │ done: nothing unanswered, no more input
///           ▼
///        closing ──▶ gone      (gone: from every state; flowing, waiting, blocked: first input open, then finishing;
///                               drainDeadlinePassed: from waiting and blocked to flowing, finishing)
/// ```
struct ConnectionState {
  /// Whether more input is read.
  enum Reading {
    /// Bytes are read and handled.
    case open
    /// Nothing more is read: after `exit`, an error of the framing or the end of the input. Requests that wait are
    /// still answered.
    case finishing
  }

  enum Phase: Equatable {
    /// All is well. Then `waiting`, `blocked`, `closing` or `gone`; `flowing(.finishing)` after `flowing(.open)`.
    case flowing(Reading)
    /// Other connections go first: nothing is handled until the slice comes. Then `flowing` with the same input,
    /// `waiting(.finishing)` after `waiting(.open)`, `blocked` or `gone`.
    case waiting(Reading)
    /// More of the output waits to be sent than the soft limit allows: nothing is handled, updates are held back. Then
    /// `flowing` with the same input, `blocked(.finishing)` after `blocked(.open)`, or `gone`.
    case blocked(Reading)
    /// All output is written; the transport ends when it has sent everything. Then `gone`.
    case closing
    /// The transport is gone. Nothing follows.
    case gone
  }

  /// The action to carry out.
  enum Action: Equatable {
    /// The event has no consequence.
    case none
    /// Read nothing more from the transport until the slice comes, and ask for one.
    case waitForSlice
    /// Handle unread bytes, then read on.
    case goOn
    /// Read nothing from the transport until it drains, and check after ``Limit/stallMs`` whether the client has
    /// drained anything.
    case pauseReading
    /// Write the held-back updates; then, while the phase is still `flowing`, handle unread bytes and read on.
    case releaseUpdates
    /// Notify the client that its sessions end if the daemon is ending, close the transport when all is sent, and check
    /// whether the client drains it.
    case close(endsSessions: Bool)
    /// Look again after ``Limit/stallMs``.
    case watchOn
    /// End the transport at once.
    case abort
    /// Give up all that the connection has.
    case tearDown
  }

  /// What happens to the updates of sessions now.
  enum UpdateTreatment: Equatable {
    /// It is written at once.
    case written
    /// It becomes a part of a later update: the client reads too slowly.
    case heldBack
    /// It is not sent: all output is written.
    case dropped
  }

  /// Which methods are served.
  enum Service: Equatable {
    /// All that the client's roles and its seat allow.
    case all
    /// The daemon is ending: only the methods that still make sense.
    case whileDraining
    /// The client has called ``Method/shutdown``: only ``Method/exit``.
    case exit
  }

  private(set) var phase = Phase.flowing(.open)
  /// Whether another thread works on a message of the client (parses a long text, compiles a definition). Nothing is
  /// handled until that is done, so that requests keep their order. This may be so in every phase.
  private var isOffloaded = false
  /// Whether the client has announced its end.
  private var isShutDown = false
  /// Whether the daemon is ending; the connection then ends as soon as it has all its answers.
  private var isDraining: Bool

  /// A fresh connection. It may have been accepted just before the daemon began to end, and be made after that.
  init(isDraining: Bool = false) {
    self.isDraining = isDraining
  }

  /// Whether the next message may be handled. While the connection is finishing this is the rest of a batch, if
  /// anything.
  var handlesMessages: Bool { if case .flowing = phase { !isOffloaded } else { false } }

  /// Whether more input is read, now or later.
  var readsInput: Bool {
    switch phase {
    case .flowing(let reading), .waiting(let reading), .blocked(let reading): reading == .open
    case .closing, .gone: false
    }
  }

  /// Whether the connection reads on, and does not end by having all its answers.
  var staysOpen: Bool { phase == .flowing(.open) && !isDraining }

  var isGone: Bool { phase == .gone }

  /// Whether the connection waits for its slice.
  var isWaiting: Bool { if case .waiting = phase { true } else { false } }

  /// Which methods are served now.
  var service: Service { isShutDown ? .exit : isDraining ? .whileDraining : .all }

  /// The treatment of updates now.
  var updateTreatment: UpdateTreatment {
    switch phase {
    case .flowing, .waiting: .written
    case .blocked: .heldBack
    case .closing, .gone: .dropped
    }
  }

  /// Output was handed to the transport. `isWritable`: whether it can take more below the soft limit.
  mutating func wrote(isWritable: Bool) -> Action {
    guard !isWritable else { return .none }
    switch phase {
    case .flowing(let reading), .waiting(let reading): phase = .blocked(reading)
    case .blocked, .closing, .gone: return .none
    }
    return .pauseReading
  }

  /// There is unread input, and other connections go first.
  mutating func othersGoFirst() -> Action {
    guard case .flowing(let reading) = phase else { return .none }
    phase = .waiting(reading)
    return .waitForSlice
  }

  /// The connection's slice has come.
  mutating func sliceCame() -> Action {
    guard case .waiting(let reading) = phase else { return .none }
    phase = .flowing(reading)
    return .goOn
  }

  /// The client has taken enough of its output.
  mutating func becameWritable() -> Action {
    guard case .blocked(let reading) = phase else { return .none }
    phase = .flowing(reading)
    return .releaseUpdates
  }

  /// Another thread works on the message under way.
  mutating func workOffloaded() {
    isOffloaded = true
  }

  /// The other thread is done, or its work was given up.
  mutating func offloadedWorkEnded() -> Action {
    isOffloaded = false
    return handlesMessages ? .goOn : .none
  }

  /// Nothing more is to be read.
  mutating func readingEnded() {
    switch phase {
    case .flowing: phase = .flowing(.finishing)
    case .waiting: phase = .waiting(.finishing)
    case .blocked: phase = .blocked(.finishing)
    case .closing, .gone: break
    }
  }

  /// The client has announced its end.
  mutating func shutDown() {
    isShutDown = true
  }

  /// The daemon is ending.
  mutating func drainBegan() {
    isDraining = true
  }

  /// The daemon has waited long enough; requests that waited were refused, and nothing more is handled. The connection
  /// does not wait for a slow reader any more.
  mutating func drainDeadlinePassed() {
    switch phase {
    case .flowing, .waiting, .blocked: phase = .flowing(.finishing)
    case .closing, .gone: break
    }
  }

  /// All work is done for now, and so many requests have no answer yet.
  mutating func done(unanswered: Int) -> Action {
    guard unanswered == 0, !isOffloaded, case .flowing(let reading) = phase, reading == .finishing || isDraining else {
      return .none
    }
    phase = .closing
    return .close(endsSessions: isDraining)
  }

  /// The client had its time to drain some output.
  mutating func stallTimerFired(hasDrained: Bool) -> Action {
    switch phase {
    case .blocked, .closing: hasDrained ? .watchOn : .abort
    case .flowing, .waiting, .gone: .none
    }
  }

  mutating func transportClosed() -> Action {
    guard phase != .gone else { return .none }
    phase = .gone
    return .tearDown
  }
}
