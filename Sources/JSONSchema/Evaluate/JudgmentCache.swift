internal import JSON

/// The results of shared schemas for the objects and arrays of one instance, so that no schema judges the same value
/// twice.
///
/// Without it, branches of a union that name the same schema below the same members would double the work at each level
/// of the instance. A container is known by the memory address of its elements. This address does not change while the
/// instance is held. Two containers that share their elements are equal, so one result is valid for both. The memory is
/// bounded: a later answer takes the slot of an earlier one. A value whose answer was replaced is judged again.
final class JudgmentCache {
  private struct Slot {
    var address: UInt
    var schema: Int32
    var holds: Bool
  }

  private static let slotsMax = 1 << 15

  private var slots = Array(repeating: Slot(address: 0, schema: -1, holds: false), count: slotsMax)

  /// The result of the schema for the container at that address; nil if it is not known.
  func answer(of schema: Int32, at address: UInt) -> Bool? {
    let slot = slots[Self.position(schema, address)]
    return slot.address == address && slot.schema == schema ? slot.holds : nil
  }

  /// Notes the result of the schema for the container at that address.
  func note(_ holds: Bool, of schema: Int32, at address: UInt) {
    slots[Self.position(schema, address)] = Slot(address: address, schema: schema, holds: holds)
  }

  /// Fibonacci hashing: the upper bits of a product depend on all bits of its factors.
  private static func position(_ schema: Int32, _ address: UInt) -> Int {
    let key = UInt64(address) ^ UInt64(UInt32(bitPattern: schema)) << 40
    return Int((key &* 0x9e37_79b9_7f4a_7c15) >> (64 - 15))
  }
}

extension JSON {
  /// The memory address of the members or elements; nil for a value that has none.
  @inline(__always)
  var containerAddress: UInt? {
    switch self {
    case .array(let elements): elements.withUnsafeBufferPointer { $0.isEmpty ? nil : UInt(bitPattern: $0.baseAddress) }
    case .object(let members): members.withMembers { $0.isEmpty ? nil : UInt(bitPattern: $0.baseAddress) }
    default: nil
    }
  }

  /// Whether it is an array or an object.
  @inline(__always)
  var isContainer: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }
}
