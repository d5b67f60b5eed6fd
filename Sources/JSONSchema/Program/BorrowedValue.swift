internal import JSON

/// A value of an instance. Evaluation passes it on and reads it in place, without a copy: otherwise it would spend most
/// of its time on counting references.
typealias BorrowedValue = Borrowed<JSON>

/// A member of an object, laid out as ``JSON/JSONObject/Member``.
struct BorrowedMember: ~Copyable {
  let name: String
  let value: BorrowedValue
}

extension JSON {
  /// Calls `body` with this value, uncounted.
  @inline(__always)
  func withBorrowed<Result>(_ body: (borrowing BorrowedValue) -> Result) -> Result {
    withUnsafePointer(to: self) { body($0.borrowed.pointee) }
  }
}

extension JSONObject {
  /// Calls `body` with the members, uncounted.
  @inline(__always)
  func withBorrowedMembers<Result>(_ body: (UnsafePointer<BorrowedMember>, Int) -> Result) -> Result {
    withMembers { members in
      guard let base = members.baseAddress else { return body(UnsafePointer(bitPattern: 16)!, 0) }
      // Both types have the same stored properties in the same order.
      assert(MemoryLayout<BorrowedMember>.stride == MemoryLayout<Member>.stride)
      return body(UnsafeRawPointer(base).assumingMemoryBound(to: BorrowedMember.self), members.count)
    }
  }
}

extension [JSON] {
  /// Calls `body` with the elements, uncounted.
  @inline(__always)
  func withBorrowedElements<Result>(_ body: (UnsafePointer<BorrowedValue>, Int) -> Result) -> Result {
    withUnsafeBufferPointer { elements in
      guard let base = elements.baseAddress else { return body(UnsafePointer(bitPattern: 16)!, 0) }
      assert(MemoryLayout<BorrowedValue>.stride == MemoryLayout<JSON>.stride)
      return body(UnsafeRawPointer(base).assumingMemoryBound(to: BorrowedValue.self), elements.count)
    }
  }
}
