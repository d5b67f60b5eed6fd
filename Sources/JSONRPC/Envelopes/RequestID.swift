package import JSON
internal import Texts

/// The `id` of a request: a string or an integer.
package enum RequestID: Hashable, Sendable {
  /// A whole number of 64 bits with sign.
  case integer(Int64)
  /// A text.
  case string(String)

  /// The daemon keeps an id until the answer is written, so a longer text is not accepted as an id.
  package static let bytesMax = 1_024

  /// Reads an id; nil for a value that is not an id (null, a fraction, a Boolean, a structure, a long text).
  package init?(_ node: JSONNode) {
    if let number = node.integer {
      self = .integer(number)
    } else if let text = node.string, text.utf8.count <= Self.bytesMax {
      self = .string(text)
    } else {
      return nil
    }
  }

  package static func == (left: RequestID, right: RequestID) -> Bool {
    switch (left, right) {
    case (.integer(let a), .integer(let b)): a == b
    case (.string(let a), .string(let b)): a.hasSameUTF8(as: b)
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .integer(let number): hasher.combine(number)
    case .string(let text): text.hashUTF8(into: &hasher)
    }
  }
}

extension OutputBuffer {
  /// Writes the id, `null` for none.
  package func write(_ id: RequestID?) {
    switch id {
    case .integer(let number): write(number)
    case .string(let text): write(text)
    case nil: append("null")
    }
  }
}
