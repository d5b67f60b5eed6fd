internal import JSON
internal import JSONRPC

/// The params of a method, with the whole description of the method.
package protocol Call: Message, Sendable {
  /// The result of the method; ``Nothing`` for `null`, and for a notification.
  associatedtype Answer: MemberValue & Sendable

  /// The method that takes these params.
  static var method: Method { get }

  /// The name of the method on the wire.
  static var name: StaticString { get }

  /// The role that a user needs to call the method; nil: every connected client may call it.
  static var role: Role? { get }

  /// Whether the method feeds a session with an input. ``PushMethod/serverRejected`` reports a refused notification of
  /// such a method. A refused notification of any other method is only counted.
  static var feedsSession: Bool { get }

  /// Whether a call without a session is about the only session of its client.
  static var meansOnlySession: Bool { get }

  /// Whether a browser may call the method once it has its session (protocol/web.md).
  static var isForBrowsers: Bool { get }

  /// Whether the method is still served while the daemon is ending.
  static var isServedWhileDraining: Bool { get }

  /// Whether a second execution has no effect beyond the first, so that a client may repeat a call whose outcome is
  /// unknown.
  static var isIdempotent: Bool { get }

  /// The purpose of the method, in a few words.
  static var title: String { get }

  /// Further facts about the method.
  static var details: String { get }

  /// The specific errors of the method. Not listed are the errors that every method can have. Also not listed are
  /// ``FormErrorCode/draining``, ``FormErrorCode/overloaded``, ``FormErrorCode/roleNeeded`` and
  /// ``FormErrorCode/requestCancelled``, which follow from ``isServedWhileDraining``, ``Method/isForOperators``,
  /// ``role`` and ``meansOnlySession``.
  static var failures: [FormErrorCode] { get }

  /// Whether the method is a notification and nothing else, which is never answered.
  static var isNotification: Bool { get }

  /// Meaningful params, and their answer.
  static var example: (params: Self, answer: Answer) { get }
}

extension Call {
  package static var feedsSession: Bool { false }

  package static var meansOnlySession: Bool { feedsSession }

  package static var isForBrowsers: Bool { false }

  package static var isServedWhileDraining: Bool { false }

  package static var isIdempotent: Bool { false }

  package static var failures: [FormErrorCode] { [] }

  package static var isNotification: Bool { false }
}

extension Call {
  /// The call as a line of JSON, for people who write to the daemon by hand.
  package func requestText(id: Int64) -> String {
    let buffer = OutputBuffer()
    buffer.beginRequest(.integer(id), Self.name)
    write(into: buffer)
    buffer.endEnvelope()
    return buffer.text
  }
}
