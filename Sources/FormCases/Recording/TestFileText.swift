internal import FormProtocol
internal import JSON
internal import SourceTexts

/// Adds a case to the text of a test file. The existing text keeps its layout.
package enum TestFileText {
  /// The text of a new file with one case.
  ///
  /// - Parameter form: the form's path as the file names it; nil: the form beside the test file.
  package static func new(with testCase: TestCase, of form: String? = nil) -> String {
    var file = TestFile()
    file.form = form
    file.cases = [testCase]
    return file.json.indentedText + "\n"
  }

  /// The text of a file with one more case, or with the case of that name replaced.
  ///
  /// - Returns: nil if the file has a case of that name and `replaces` is false.
  package static func text(
    of bytes: [UInt8],
    _ file: LoadedTestFile,
    with testCase: TestCase,
    replaces: Bool
  ) -> [UInt8]? {
    let cases = JSONPointer(tokens: ["cases"])
    let text = Array(testCase.json.indentedText.split(separator: "\n").joined(separator: "\n    ").utf8)
    let names = file.content.cases.map(\.name)
    if let position = names.firstIndex(of: testCase.name) {
      guard replaces, let range = file.text.node(at: cases.appending(position))?.range else { return nil }
      return bytes[..<range.lowerBound] + text + bytes[range.upperBound...]
    }
    if names.isEmpty {
      guard let range = file.text.node(at: cases)?.range else { return nil }
      return bytes[..<range.lowerBound] + Array("[\n    ".utf8) + text + Array("\n  ]".utf8)
        + bytes[range.upperBound...]
    }
    guard let last = file.text.node(at: cases.appending(names.count - 1))?.range else { return nil }
    return bytes[..<last.upperBound] + Array(",\n    ".utf8) + text + bytes[last.upperBound...]
  }
}
