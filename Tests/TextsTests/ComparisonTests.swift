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

  @Test(arguments: ["", "a", "é", "e\u{301}", "님님님", "👩‍👩‍👧‍👦", "seven 77", "eight 888", String(repeating: "aé님😀", count: 9)])
  func `are counted by code points`(_ text: String) {
    #expect(text.codePointCount == text.unicodeScalars.count)
  }
}

@Suite struct `The layout of small strings` {
  /// On a toolchain where this fails, comparing texts still works, but takes longer.
  @Test func `is the one that comparing knows`() {
    let layout = SmallTextLayout.current
    #expect(layout.isSmall(TextWords(of: "short")))
    #expect(layout.isSmall(TextWords(of: "kürz")))
    #expect(!layout.isSmall(TextWords(of: "sixteen bytes ..")))
    #expect(layout.areSame(TextWords(of: "short"), TextWords(of: "short")) == true)
    #expect(layout.areSame(TextWords(of: "short"), TextWords(of: "shirt")) == false)
    #expect(layout.areSame(TextWords(of: "short"), TextWords(of: "sixteen bytes ..")) == nil)
  }

  @Test func `says of no large string that it is small`() {
    var reserved = "short"
    reserved.reserveCapacity(100)
    let longest = String(repeating: "é", count: 10_000)
    for text in [
      "sixteen bytes ..", "sechzehn Bytes ü", String(decoding: Array("made of bytes, in memory".utf8), as: UTF8.self),
      longest, String(longest.dropFirst(3)), reserved + " and what comes behind",
    ] {
      #expect(!SmallTextLayout.current.isSmall(TextWords(of: text)))
      #expect(SmallText(text) == nil)
    }
  }

  @Test func `holds a small text as its bytes`() throws {
    for text in [
      "", "a", "1234567", "12345678", "123456789", "kim@example.com", "kürz", "님님님님님", "\u{1}", "tab\t, \"quote\"",
    ] {
      let small = try #require(SmallText(text))
      let bytes = Array(text.utf8)
      #expect((0..<small.count).map { small[$0] } == bytes)
      #expect(small.isASCII == bytes.allSatisfy { $0 < 0x80 })
      #expect(
        (small.escapes == 0) == bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
      )
      for byte in UInt8(1)...255 { #expect(small.contains(byte) == bytes.contains(byte)) }
    }
    #expect(SmallText("sixteen bytes ..") == nil)
  }

  @Test func `is made of ASCII as the standard library makes it`() {
    let longest = "fifteen bytes..and many more"
    for count in 0...longest.utf8.count {
      let text = String(longest.prefix(count))
      let made = Array(text.utf8).withUnsafeBufferPointer { String(ascii: $0) }
      #expect(made == text && made.utf8.count == count && made.hasSameUTF8(as: text) && made + "é" == text + "é")
      if count <= 15 {
        #expect(TextWords(of: made) == TextWords(of: String(decoding: Array(text.utf8), as: UTF8.self)))
      }
    }
  }
}
