internal import Texts

/// A literal in the source of an expression.
public enum Literal: Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// `1`, `-0x2a`
  case int(Int64)
  /// `1u`
  case uint(UInt64)
  /// `1.5`, `1e3`
  case double(Double)
  /// `'a'`, with its escapes undone.
  case string(String)
  /// `b'a'`, with its escapes undone.
  case bytes([UInt8])
}

extension Literal: Equatable {
  /// Equality of the written values: doubles by their bits, strings by their code points.
  ///
  /// Swift's string equality is canonical equivalence, which the language does not know.
  public static func == (left: Literal, right: Literal) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.uint(let a), .uint(let b)): a == b
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.string(let a), .string(let b)): a.hasSameUTF8(as: b)
    case (.bytes(let a), .bytes(let b)): a == b
    default: false
    }
  }
}
