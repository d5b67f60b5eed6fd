import DataLanguages
import JSON
internal import SourceTexts
import Testing

@Suite struct `A language of data` {
  @Test(arguments: [
    ("plain", "plain", "plain"), ("with words", "with words", #""with words""#), ("null", #""null""#, "null"),
    ("Yes", #""Yes""#, "Yes"), ("a: b", #""a: b""#, #""a: b""#), ("a #b", #""a #b""#, #""a #b""#),
    ("a, b", #""a, b""#, #""a, b""#), ("1", #""1""#, #""1""#), ("", #""""#, #""""#), ("a/b.c-1", "a/b.c-1", "a/b.c-1"),
    ("é", "é", "é"), ("-", #""-""#, #""-""#), ("a$b", "a$b", #""a$b""#), (" a", #"" a""#, #"" a""#),
  ])
  func `writes quotes where they are needed`(_ text: String, _ yaml: String, _ env: String) {
    #expect(DataLanguage.yaml.written(text: text) == yaml)
    #expect(DataLanguage.env.written(text: text) == env)
    #expect(DataLanguage.env.written(name: text) == text)
    #expect(DataLanguage.json.written(text: text) == JSON.string(text).description)
  }

  @Test(arguments: DataLanguage.allCases, [[0xff, 0xfe, 0x7b, 0], [0xfe, 0xff, 0, 0x7b]] as [[UInt8]])
  func `is read as UTF-8, and what is UTF-16 is told once`(_ language: DataLanguage, _ bytes: [UInt8]) {
    let text = ScannedText(SourceText(bytes), language: language)
    #expect(text.problems.map(\.message) == ["this text is UTF-16; save it as UTF-8"])
    #expect(text.problems.map(\.code) == [.utf8])
  }
}
