internal import JSON

/// The results of shared schemas for the objects and arrays of one instance, so that no schema judges the same value
/// twice.
///
/// Without it, branches of a union that name the same schema below the same members would double the work at each level
/// of the instance. A container is known by the memory address of its elements. This address does not change while the
/// instance is held. Two places that share their elements are equal, so one result is valid for both. The memory is
/// bounded: a later answer takes the slot of an earlier one. A value whose answer was replaced is judged again.
final class JudgedPlaces {
  private struct Slot {
    var place: UInt
    var schema: Int32
    var holds: Bool
  }

  private static let slotsMax = 1 << 15

  private var slots = Array(repeating: Slot(place: 0, schema: -1, holds: false), count: slotsMax)

  /// The result of the schema for the container at that place; nil if it is not known.
  func answer(of schema: Int32, at place: UInt) -> Bool? {
    let slot = slots[Self.position(schema, place)]
    return slot.place == place && slot.schema == schema ? slot.holds : nil
  }

  /// Notes the result of the schema for the container at that place.
  func note(_ holds: Bool, of schema: Int32, at place: UInt) {
    slots[Self.position(schema, place)] = Slot(place: place, schema: schema, holds: holds)
  }

  /// Fibonacci hashing: the upper bits of a product depend on all bits of its factors.
  private static func position(_ schema: Int32, _ place: UInt) -> Int {
    let key = UInt64(place) ^ UInt64(UInt32(bitPattern: schema)) << 40
    return Int((key &* 0x9e37_79b9_7f4a_7c15) >> (64 - 15))
  }
}

extension JSON {
  /// The memory address of the members or elements; nil for a value that has none.
  @inline(__always)
  var containerPlace: UInt? {
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
