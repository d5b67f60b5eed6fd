public import Texts

/// A value in memory that another owner keeps: it is read in place, without a copy, so that no reference is counted.
///
/// Swift copies a value that is read through a pointer, and a copy of an enum with a payload counts the payload's
/// reference up and down. In a turn of a quarter of a microsecond that is most of the time. A type that cannot be
/// copied is only borrowed.
///
/// A struct with one stored property has that property's layout, so a pointer to a `Content` is a pointer to one of
/// these.
@frozen public struct Borrowed<Content>: ~Copyable {
  /// The value.
  public let content: Content
}

extension UnsafePointer {
  /// The same memory, to be looked at without copies.
  @inlinable @inline(__always)
  public var borrowed: UnsafePointer<Borrowed<Pointee>> {
    UnsafeRawPointer(self).assumingMemoryBound(to: Borrowed<Pointee>.self)
  }
}

extension UnsafeMutablePointer {
  /// The same memory, to be looked at without copies.
  @inlinable @inline(__always)
  public var borrowed: UnsafePointer<Borrowed<Pointee>> {
    UnsafeRawPointer(self).assumingMemoryBound(to: Borrowed<Pointee>.self)
  }
}

extension Borrowed<JSON?> {
  /// Whether the value is absent.
  @inlinable @inline(__always)
  public borrowing func isNil() -> Bool {
    switch content {
    case nil: true
    default: false
    }
  }

  /// Calls `body` with the text; nil when the value is none.
  @inlinable @inline(__always)
  public borrowing func withText<Result>(_ body: (borrowing String) -> Result) -> Result? {
    switch content {
    case .string(let text)?: body(text)
    default: nil
    }
  }

  /// Compares the value with a text that replaces it: whether the text is the same, and by how many bytes it is larger.
  /// Nil if the value is not a text.
  @inlinable @inline(__always)
  public borrowing func change(to new: borrowing String) -> (isSame: Bool, growth: Int)? {
    switch content {
    case .string(let text)?: (text.hasSameUTF8(as: new), new.utf8.count &- text.utf8.count)
    default: nil
    }
  }
}
