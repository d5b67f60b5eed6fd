/// Random numbers that follow from a seed, so that a run that fails can be repeated: SplitMix64 (Steele, Lea, Flood:
/// Fast splittable pseudorandom number generators, OOPSLA 2014).
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to but without `bound`.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// True so many times out of a hundred.
  package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  /// One of the choices.
  package mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }
}
