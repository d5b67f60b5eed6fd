import Testing
import Texts

@Suite struct `Texts as code points` {
  @Test func `are the same only byte for byte, short and long, shared or not`() {
    let texts = [
      "", "a", "b", "ab", "é", "e\u{301}", "\u{fffd}", "kim@example.com", "kim.example.com", "kim@example.con",
      "fifteen bytes..", "sixteen bytes ..", "sixteen bytes .,", String(repeating: "long", count: 20), "님님님님님",
      "님님님님님님",
    ]
    for left in texts {
      for right in texts {
        // Copies that share no storage, and that do not record whether they are ASCII.
        let copy = String(decoding: Array(right.utf8), as: UTF8.self)
        var grown = right + String(repeating: "x", count: 40)
        grown.removeLast(40)
        let isSame = Array(left.utf8) == Array(right.utf8)
        #expect(left.hasSameUTF8(as: right) == isSame)
        #expect(left.hasSameUTF8(as: copy) == isSame)
        #expect(left.hasSameUTF8(as: grown) == isSame)
        #expect(grown.hasSameUTF8(as: left) == isSame)
      }
    }
  }

  @Test func `come in the order of their code points, not of their UTF-16`() {
    let inOrder = ["", "a", "aa", "b", "e\u{301}", "z", "é", "\u{fffd}", "\u{1f600}"]
    for (i, left) in inOrder.enumerated() {
      for (j, right) in inOrder.enumerated() {
        #expect(left.precedesInUTF8(right) == (i < j))
        #expect(left.utf8Order(right).signum() == (i - j).signum())
      }
    }
  }

  @Test func `are found as keys by the same code points only`() {
    let composed = UTF8Key(text: "é")
    let keys: Set = [composed, UTF8Key(text: "fifteen bytes and more")]
    #expect(keys.contains(composed))
    #expect(!keys.contains(UTF8Key(text: "e\u{301}")))
    #expect(keys.contains(UTF8Key(text: String(decoding: Array("fifteen bytes and more".utf8), as: UTF8.self))))
  }

  /// Of each length in bytes: ASCII, and with another character at the start or at the end.
  private static let ofEachLength = (0...40).flatMap { length in
    let filling = String(repeating: "abcdefghij", count: 4).prefix(length)
    return [String(filling)] + (length < 2 ? [] : ["é\(filling.dropFirst(2))", "\(filling.dropFirst(2))é"])
  }

  @Test(arguments: ofEachLength) func `of each length differ in each byte`(_ text: String) {
    let bytes = Array(text.utf8)
    for other in Self.variants(of: text) {
      #expect(text.hasSameUTF8(as: other) && other.hasSameUTF8(as: text) && text.utf8Order(other) == 0)
      #expect(UTF8Key(text: text) == UTF8Key(text: other))
      #expect(UTF8Key(text: text).hashValue == UTF8Key(text: other).hashValue)
      #expect(other.codePointCount == text.unicodeScalars.count)
      #expect(other.withCodeUnits { Array($0) } == bytes)
      #expect(other.withCodeUnits(\.isASCII) == bytes.allSatisfy { $0 < 0x80 })
    }
    for index in bytes.indices where bytes[index] < 0x80 {
      var changed = bytes
      changed[index] = UInt8(ascii: "~")
      let other = String(decoding: changed, as: UTF8.self)
      #expect(!text.hasSameUTF8(as: other) && !other.hasSameUTF8(as: text))
      #expect(text.precedesInUTF8(other) && !other.precedesInUTF8(text))
      #expect(UTF8Key(text: text) != UTF8Key(text: other))
    }
    let longer = text + "\0"
    #expect(!text.hasSameUTF8(as: longer) && !longer.hasSameUTF8(as: text) && text.precedesInUTF8(longer))
  }

  /// The same text in other memory: shared, copied, with room behind it, and as a part of a larger one.
  private static func variants(of text: String) -> [String] {
    var grown = text + String(repeating: "x", count: 60)
    grown.removeLast(60)
    let larger = "<" + text + String(repeating: ">", count: 60)
    return [text, String(decoding: Array(text.utf8), as: UTF8.self), grown, String(larger.dropFirst().dropLast(60))]
  }

  @Test(arguments: ["", "a", "é", "e\u{301}", "님님님", "👩‍👩‍👧‍👦", "seven 77", "eight 888", String(repeating: "aé님😀", count: 9)])
  func `are counted by code points`(_ text: String) {
    #expect(text.codePointCount == text.unicodeScalars.count)
  }
}
