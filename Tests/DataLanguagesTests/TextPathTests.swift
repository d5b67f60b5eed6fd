import DataLanguages
import JSON
internal import SourceTexts
import Testing

@Suite struct `An offset in lines` {
  /// A bar marks the cursor.
  @Test(
    arguments: [
      ("a|b: 1\n", "/ab", .name), ("ab: |\n", "/ab", .newValue), ("ab:\n  |\n", "/ab", .newValue),
      ("ab:\n|\n", "", .newName),
      ("ab: x|y\n", "/ab", .value), ("ab: 1\n|", "", .newName), ("ab:\n  c: 1\n  |\n", "/ab", .newName),
      ("ab:\n  c: 1\n|\nd: 2", "", .newName), ("ab:\n  - 1\n  - |\n", "/ab/1", .newValue),
      ("ab: 1 # w|hy\n", "", .comment),
      ("ab: {c: 1, |}\n", "/ab", .newName), ("ab: [1, |]\n", "/ab/1", .newValue), ("|", "", .newValue),
      ("ab: \"x|\"\n", "/ab", .value), ("ab:\n  c: |\n", "/ab/c", .newValue),
    ] as [(String, String, TextPath.Spot)]
  )
  func `of YAML is in a name, a value, or where one goes`(_ text: String, _ pointer: String, _ spot: TextPath.Spot)
    throws
  {
    try check(text, .yaml, pointer, spot)
  }

  @Test(
    arguments: [
      ("A|B=1\n", "/AB", .name), ("AB=|\n", "/AB", .newValue), ("AB=1|\n", "/AB", .value), ("AB=1\n|", "", .newName),
      ("# x|\nAB=1\n", "", .comment), ("|\nAB=1\n", "", .newName),
    ] as [(String, String, TextPath.Spot)]
  )
  func `of an environment, too`(_ text: String, _ pointer: String, _ spot: TextPath.Spot) throws {
    try check(text, .env, pointer, spot)
  }

  private func check(_ text: String, _ language: DataLanguage, _ pointer: String, _ spot: TextPath.Spot) throws {
    let bar = try #require(text.utf8.firstIndex(of: UInt8(ascii: "|")))
    let scanned = ScannedText(SourceText(text.replacing("|", with: "")), language: language)
    let path = scanned.path(atOffset: text.utf8.distance(from: text.startIndex, to: bar))
    #expect(path.pointer.description == pointer && path.spot == spot)
  }
}
