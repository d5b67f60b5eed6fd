internal import JSON
internal import JSONRPC

/// The params of a method, with everything there is to say about the method.
package protocol Call: Message, Sendable {
  /// What the method answers with; ``Nothing`` for `null`, and for a notification.
  associatedtype Answer: MemberValue & Sendable

  /// The method that takes these params.
  static var method: Method { get }

  /// What the method is for, in a few words.
  static var title: String { get }

  /// What there is to know besides.
  static var details: String { get }

  /// Errors that the method can be answered with, besides those that every method can, and besides ``FormErrorCode/draining`` and
  /// ``FormErrorCode/overloaded``, which follow from ``Method/isServedWhileDraining`` and ``Method/isForOperators``.
  static var failures: [FormErrorCode] { get }

  /// Whether the method is a notification and nothing else, which is never answered.
  static var isNotification: Bool { get }

  /// Params that have a sense, and what they are answered with.
  static var example: (params: Self, answer: Answer) { get }
}

extension Call {
  package static var failures: [FormErrorCode] { [] }

  package static var isNotification: Bool { false }
}

extension Call {
  /// The call as a line of JSON, for people who write to the daemon by hand.
  package func requestText(id: Int64) -> String {
    let buffer = OutputBuffer()
    buffer.beginRequest(.integer(id), Self.method.wireName)
    write(into: buffer)
    buffer.endEnvelope()
    return buffer.text
  }
}
