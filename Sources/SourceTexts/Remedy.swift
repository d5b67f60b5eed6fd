internal import JSON

/// The remedy for a problem: in words, and as a replacement if that alone corrects the problem.
public struct Remedy: Sendable, Hashable {
  /// The replacement to write, or the action to take, for people.
  public var text: String
  /// The text to write in place of the stretch of text that the problem is about; nil if only the author knows.
  public var replacement: String?

  /// A remedy in those words.
  public init(_ text: String, replacement: String? = nil) {
    self.text = text
    self.replacement = replacement
  }

  /// The name that was meant by one that does not exist, both of them JSON strings.
  public static func meant(_ name: String) -> Remedy {
    Remedy("did you mean \"\(name)\"?", replacement: JSON.string(name).description)
  }
}

extension Remedy {
  /// A remedy that replaces a part of a JSON string.
  ///
  /// - Parameter part: the replacement, without escapes.
  package static func within(_ text: String, part: String?) -> Remedy {
    Remedy(text, replacement: part.map { String(JSON.string($0).description.dropFirst().dropLast()) })
  }
}

extension Remedy: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self.init(text) }
}
