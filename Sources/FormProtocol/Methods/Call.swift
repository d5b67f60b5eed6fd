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

  /// Errors that the method can be answered with, besides those that every method can.
  static var failures: [DocumentedError] { get }

  /// Whether the method is a notification and nothing else, which is never answered.
  static var isNotification: Bool { get }

  /// Params that have a sense, and what they are answered with.
  static var example: (params: Self, answer: Answer) { get }
}

extension Call {
  package static var failures: [DocumentedError] { [] }

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

/// An error that a method can be answered with, as the OpenRPC document lists it.
package struct DocumentedError: Sendable {
  package let code: Int
  package let message: String

  static let unknownSession = DocumentedError(code: FormErrorCode.unknownSession, message: "Unknown session")
  static let unknownForm = DocumentedError(code: FormErrorCode.unknownForm, message: "Unknown form")
  static let unknownField = DocumentedError(code: FormErrorCode.unknownField, message: "Unknown field")
  static let unknownAction = DocumentedError(code: FormErrorCode.unknownAction, message: "Unknown action")
  static let unknownProvider = DocumentedError(code: FormErrorCode.unknownProvider, message: "Unknown provider")
  static let cancelled = DocumentedError(code: RPCErrorCode.requestCancelled, message: "Request cancelled")
  static let draining = DocumentedError(code: FormErrorCode.draining, message: "The daemon is ending")
  static let overloaded = DocumentedError(code: FormErrorCode.overloaded, message: "The daemon is at its limit")
  static let quotaExceeded = DocumentedError(
    code: FormErrorCode.quotaExceeded,
    message: "A limit of this connection is reached"
  )
}
