/// A value in memory that another owner keeps: it is read in its place, and no reference to the owner is counted.
///
/// The code that makes a reference says why the value stays in its place, unchanged, while the reference is used. So
/// users of a reference need no proof of their own.
@safe @frozen public struct Reference<Content: ~Copyable>: @unchecked Sendable {
  @usableFromInline let pointer: UnsafePointer<Content>

  /// A reference to the value there, which its owner keeps.
  @unsafe @inlinable @inline(__always)
  public init(_ pointer: UnsafePointer<Content>) { unsafe self.pointer = pointer }

  /// The value.
  @inlinable
  public var pointee: Content {
    @inline(__always) _read { yield unsafe pointer.pointee }
  }
}

extension Reference: Equatable where Content: ~Copyable {
  /// Whether both are the same place.
  @inlinable @inline(__always)
  public static func == (left: Reference, right: Reference) -> Bool { unsafe left.pointer == right.pointer }
}

extension Reference {
  /// The same value, to be looked at without copies.
  @inlinable @inline(__always)
  public var borrowed: Reference<Borrowed<Content>> { unsafe Reference<Borrowed<Content>>(pointer.borrowed) }

  /// Calls with a reference to a value, which is valid during the call.
  @inlinable @inline(__always)
  public static func with<Result>(_ value: Content, _ body: (Reference) -> Result) -> Result {
    unsafe withUnsafePointer(to: value) { unsafe body(Reference($0)) }
  }
}
