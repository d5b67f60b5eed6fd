internal import JSON
internal import JSONRPC

/// The params of a method, with the whole description of the method.
package protocol Call: Message, Sendable {
  /// The result of the method; ``Nothing`` for `null`, and for a notification.
  associatedtype Answer: MemberValue & Sendable

  /// The method that takes these params.
  static var method: Method { get }

  /// The purpose of the method, in a few words.
  static var title: String { get }

  /// Further facts about the method.
  static var details: String { get }

  /// The specific errors of the method. Not listed are the errors that every method can have. Also not listed are
  /// ``FormErrorCode/draining``, ``FormErrorCode/overloaded`` and ``FormErrorCode/roleNeeded``, which follow from
  /// ``Method/isServedWhileDraining``, ``Method/isForOperators`` and ``Method/role``.
  static var failures: [FormErrorCode] { get }

  /// Whether the method is a notification and nothing else, which is never answered.
  static var isNotification: Bool { get }

  /// Meaningful params, and their answer.
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
