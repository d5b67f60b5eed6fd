import Testing
import Texts

@Suite struct `Eight bytes at once` {
  private func first(_ bytes: [UInt8], _ marks: (EightBytes) -> UInt64) -> Int {
    bytes.withUnsafeBufferPointer { EightBytes.first(of: marks(EightBytes(at: $0.baseAddress!))) }
  }

  @Test func `say where the first of some bytes is, whatever stands around it`() {
    for around in [0x20, 0x21, 0x41, 0x7e, 0x7f, 0x80, 0xff] as [UInt8] {
      for byte in UInt8.min...UInt8.max {
        for index in 0..<8 {
          var bytes = [UInt8](repeating: around, count: 8)
          bytes[index] = byte
          func expected(_ isWanted: (UInt8) -> Bool) -> Int { bytes.firstIndex(where: isWanted) ?? 8 }
          #expect(first(bytes, \.controls) == expected { $0 < 0x20 })
          #expect(first(bytes, \.nonASCII) == expected { $0 >= 0x80 })
          #expect(first(bytes, \.escapes) == expected { $0 < 0x20 || $0 == 0x22 || $0 == 0x5c })
          #expect(first(bytes) { $0.marks(of: 0x7f) } == expected { $0 == 0x7f })
        }
      }
    }
  }

  @Test func `say how many digits they begin with`() {
    for around in [0x2f, 0x30, 0x35, 0x39, 0x3a, 0x80, 0xb5, 0xff] as [UInt8] {
      for byte in UInt8.min...UInt8.max {
        for index in 0..<8 {
          var bytes = [UInt8](repeating: around, count: 8)
          bytes[index] = byte
          let expected = bytes.firstIndex { $0 < 0x30 || $0 > 0x39 } ?? 8
          #expect(bytes.withUnsafeBufferPointer { EightBytes(at: $0.baseAddress!).digitCount } == expected)
        }
      }
    }
  }

  @Test(arguments: 1...8) func `make a number of their first digits`(_ count: Int) {
    let largest = Int(String(repeating: "9", count: count)) ?? 0
    let step = max(1, largest / 997)
    for number in Array(stride(from: 0, through: largest, by: step)) + [largest] {
      let digits = String(number)
      let text = String(repeating: "0", count: count - digits.count) + digits
      for behind in [",       ", "}}}}}}}}", "xyzxyzxy"] where count < 8 || behind == "}}}}}}}}" {
        let bytes = Array((text + behind).utf8)
        let read = bytes.withUnsafeBufferPointer { EightBytes(at: $0.baseAddress!).number(ofDigits: count) }
        #expect(read == UInt64(number))
      }
    }
  }
}
