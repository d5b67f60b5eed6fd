/// One of so many new inputs repeats a part of the old one; libFuzzer makes the others.
private let interval: CUnsignedInt = 200

/// Makes an input of another, for libFuzzer, which itself seldom makes long ones. Long inputs show costs that grow
/// faster than the input.
///
/// - Returns: the new input's length.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ room: Int, _ seed: CUnsignedInt) -> Int {
  guard seed % interval == 0, count > 0, count < room else { return mutateByDefault(data, count, room) }
  var numbers = Numbers(state: UInt64(seed))
  let start = Int.random(in: 0..<count, using: &numbers)
  let length = Int.random(in: 1...min(32, count - start), using: &numbers)
  let times = Int.random(in: 1...max(1, (room - count) / length), using: &numbers)
  let added = min(times * length, room - count)
  let end = start + length
  (data + end + added).update(from: data + end, count: count - end)
  for offset in 0..<added { data[end + offset] = data[start + offset % length] }
  return count + added
}

@_silgen_name("LLVMFuzzerMutate")
private func mutateByDefault(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ room: Int) -> Int

/// Numbers that follow from a seed: SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
/// OOPSLA 2014).
private struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
