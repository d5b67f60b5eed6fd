public import JSON

extension Borrowed<Value> {
  /// Calls `body` with the text; nil when the value is none.
  @inlinable @inline(__always)
  public borrowing func withText<Result>(_ body: (borrowing String) -> Result) -> Result? {
    switch content {
    case .string(let text): body(text)
    default: nil
    }
  }

  /// The truth; nil when the value is none.
  @inlinable @inline(__always)
  public borrowing func bool() -> Bool? {
    switch content {
    case .bool(let flag): flag
    default: nil
    }
  }
}
