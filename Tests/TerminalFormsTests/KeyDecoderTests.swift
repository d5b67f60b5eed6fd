internal import Testing

@testable internal import TerminalForms

struct KeyDecoderTests {
  @Test(
    arguments: [
      ("kim", [.text("kim")]), ("a\rb", [.text("a"), .enter, .text("b")]), ("\u{1B}[A\u{1B}[B", [.up, .down]),
      ("\u{1B}OC\u{1B}OD", [.right, .left]), ("\u{1B}[Z", [.back]), ("\u{1B}[3~", [.delete]),
      ("\u{1B}[1~\u{1B}[4~\u{1B}[H\u{1B}[F", [.home, .end, .home, .end]), ("\u{1B}[1;5D", [.left]),
      ("\u{7F}\u{08}", [.erase, .erase]), ("\u{04}", [.endOfInput]), ("\u{15}\u{17}", [.eraseAll, .eraseWord]),
      ("닉네임", [.text("닉네임")]), ("\u{1B}[200~a\r\nb\rc\u{1B}[201~x", [.text("a\nb\ncx")]),
      ("\u{1B}[200~\u{1B}[A\u{1B}[201~", [.text("\u{1B}[A")]), ("\u{1B}\u{1B}[A", [.back, .up]),
      ("\u{1B}[99~\u{1B}x\u{00}a", [.text("a")]), ("\u{9B}", []),
    ] as [(String, [Key])]
  )
  func `bytes are keys, however they are split`(typed: String, expected: [Key]) {
    let bytes = Array(typed.utf8)
    var whole = KeyDecoder()
    #expect(whole.keys(bytes) == expected)
    #expect(!whole.isWaiting)
    for split in bytes.indices {
      var decoder = KeyDecoder()
      let keys = decoder.keys(bytes[..<split]) + decoder.keys(bytes[split...])
      #expect(joined(keys) == joined(expected), "split at \(split)")
    }
  }

  @Test func `an Escape alone is a key when nothing follows it`() {
    var decoder = KeyDecoder()
    #expect(decoder.keys([0x1b]) == [])
    #expect(decoder.isWaiting)
    #expect(decoder.timeIsUp() == [.back])
    #expect(!decoder.isWaiting)
    #expect(decoder.keys(Array("[A".utf8)) == [.text("[A")])
  }

  @Test func `what is cut or no text is dropped`() {
    var decoder = KeyDecoder()
    #expect(decoder.keys([0x1b, 0x5b, 0x31]) == [])
    #expect(decoder.timeIsUp() == [])
    #expect(decoder.keys([0xff, 0xc0, 0x61, 0xed, 0xa0, 0x80, 0x62]) == [.text("ab")])
  }

  /// Characters whose bytes arrive separately are read like characters that arrive at once.
  private func joined(_ keys: [Key]) -> [Key] {
    keys.reduce(into: []) { all, key in
      if case .text(let text) = key, case .text(let before)? = all.last {
        all[all.count - 1] = .text(before + text)
      } else {
        all.append(key)
      }
    }
  }
}
