/// A session was closed, and not by this client's `session/close`.
public struct SessionClosed: Push {
  /// Why a session was closed.
  public enum Reason: WireName, Sendable {
    /// The client called `shutdown`.
    case shutdown
    /// The daemon ends.
    case draining
    /// Another client that has the session has closed it, or an operator has ended it.
    case closed
    /// Its new state could not be stored. A client that attaches again gets the last stored state.
    case store
    /// Another daemon has it now: a client has taken it there.
    case moved
    /// The daemon was cut off for so long that another may have taken it. A client that attaches again gets the last
    /// stored state.
    case lost

    package static let schemaName: StaticString? = "ClosedReason"

    package var wireName: StaticString {
      switch self {
      case .shutdown: "shutdown"
      case .draining: "draining"
      case .closed: "closed"
      case .store: "store"
      case .moved: "moved"
      case .lost: "lost"
      }
    }
  }

  /// The session's number.
  public var session: Int64 = 0
  /// The reason; nil for a reason that only a later daemon knows.
  public var reason: Reason?

  package init() {}

  package init(session: Int64, reason: Reason) {
    self.session = session
    self.reason = reason
  }

  package static let schemaName: StaticString? = "SessionClosed"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("session", &session, "The session.")
    members.required(
      "reason",
      &reason,
      """
      Why: the client called `shutdown`, the daemon ends, another client or an operator has closed the session, it could not be stored (`store`), somebody \
      has taken it at another daemon (`moved`), or this daemon was cut off and has lost it (`lost`).
      """
    )
  }

  package static let push = PushMethod.sessionClosed
  package static let pushTitle = "A session was closed, but not by this client's `session/close`"
  package static var pushExample: Self { Self(session: 1, reason: .shutdown) }
}
