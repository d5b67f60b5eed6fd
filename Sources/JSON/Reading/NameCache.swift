internal import Texts

#if canImport(Glibc)
  internal import Glibc
#endif

/// Names that were read last. The objects of a list have the same ones, so that a name is made once and shared.
struct NameCache: ~Copyable {
  private struct Slot {
    /// The bytes from which the name was read.
    var bytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    var name = ""
  }

  private static let slotCount = 256
  /// A longer name is hardly a name.
  private static let bytesMax = 64

  private var slots = [Slot](repeating: Slot(), count: slotCount)

  /// The name of those bytes, which must stay in memory; nil if they are not UTF-8.
  @inline(__always)
  mutating func name(_ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) -> String? {
    guard let base = bytes.baseAddress, !bytes.isEmpty, bytes.count <= Self.bytesMax else {
      return String(validating: bytes, as: UTF8.self)
    }
    // Names mostly differ at their ends.
    let hash =
      Int(base[0]) &+ Int(base[bytes.count - 1]) &* 31 &+ Int(base[bytes.count / 2]) &* 131 &+ bytes.count &* 17
    let slot = hash & (Self.slotCount - 1)
    if slots[slot].bytes.hasSameBytes(as: bytes) { return slots[slot].name }
    guard let name = isASCII ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self) else {
      return nil
    }
    slots[slot] = Slot(bytes: bytes, name: name)
    return name
  }
}
