/// Why a regular expression cannot be used. The error is about the text of the author, never about its translation.
public struct PatternError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of refusals.
  public enum Reason: Hashable, Sendable {
    /// The text is not a regular expression of the dialect.
    case syntax
    /// The text is valid in the dialect, but this construct is not supported here.
    case unsupported
    /// The text, or its compiled form, exceeds a limit.
    case tooLarge
  }

  /// The kind of refusal.
  public let reason: Reason

  /// The position in the pattern at which the error begins, in Unicode code points from the start.
  public let offset: Int

  /// The error, in words for the author of the pattern: no capital letter, no full stop.
  public let message: String

  /// Makes an error. `offset` counts code points.
  public init(reason: Reason, offset: Int, message: String) {
    self.reason = reason
    self.offset = offset
    self.message = message
  }

  public var description: String { "at character \(offset + 1): \(message)" }

  static func syntax(_ message: String, at offset: Int) -> PatternError {
    PatternError(reason: .syntax, offset: offset, message: message)
  }

  static func unsupported(_ message: String, at offset: Int) -> PatternError {
    PatternError(reason: .unsupported, offset: offset, message: message)
  }

  static func tooLarge(_ message: String, at offset: Int) -> PatternError {
    PatternError(reason: .tooLarge, offset: offset, message: message)
  }
}
