import Testing
import Texts

struct RandomHexTests {
  @Test(arguments: [(0, "0000000000000000"), (0xab, "00000000000000ab"), (UInt64.max, "ffffffffffffffff")])
  func `a number has all of its digits`(_ number: UInt64, _ digits: String) {
    #expect(number.hexDigits == digits)
  }

  @Test(arguments: [0, 64, 128, 256])
  func `random bits are as many as are wanted, and others each time`(_ bits: Int) {
    let texts = (0..<100).map { _ in String.randomHex(bits: bits) }
    #expect(texts.allSatisfy { $0.count == bits / 4 && $0.allSatisfy { "0123456789abcdef".contains($0) } })
    #expect(Set(texts).count == (bits == 0 ? 1 : 100))
  }
}
