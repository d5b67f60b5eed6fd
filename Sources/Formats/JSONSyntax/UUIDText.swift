/// UUIDs as text: RFC 4122 (RFC 9562), section 4: 32 hexadecimal digits in five groups. Version and variant are free.
enum UUIDText {
  static func isUUID(_ text: Span<UInt8>) -> Bool {
    guard text.count == 36 else { return false }
    for index in 0..<36 {
      switch index {
      case 8, 13, 18, 23: guard text[index] == UInt8(ascii: "-") else { return false }
      default: guard ASCII.isHexDigit(text[index]) else { return false }
      }
    }
    return true
  }
}
