internal import DataLanguages
internal import JSON
internal import SourceTexts

/// A file of data, with its current text. A form judges its values, if the file names one.
final class DataText {
  let language: DataLanguage
  let scanned: ScannedText
  /// The stamp of the text.
  let stamp: Int

  init(_ source: SourceText, _ language: DataLanguage, stamp: Int) {
    self.language = language
    self.stamp = stamp
    scanned = ScannedText(source, language: language)
  }

  /// How a file names its form, and at which bytes.
  enum FormReference: Hashable {
    /// By the name of a form, or the path of a definition.
    case form(String, at: Range<Int>)
    /// By the convention of JSON Schema tools: a URI, which may identify a schema.
    case schema(String, at: Range<Int>)
  }

  /// The form that the file names: by `$form`, by a comment `formd: NAME` at its beginning, or by `$schema`.
  lazy var reference: FormReference? = {
    func text(_ name: String) -> (String, Range<Int>)? {
      guard let node = scanned.root.child(name) else { return nil }
      return node.value.stringValue.map { ($0, node.range) }
    }
    if let (name, range) = text("$form") { return .form(name, at: range) }
    return namedInComment ?? text("$schema").map { .schema($0.0, at: $0.1) }
  }()

  /// The bytes at which the file names its form; its first line if it names none.
  var referenceRange: Range<Int> {
    switch reference {
    case .form(_, let range)?, .schema(_, let range)?: range
    case nil: scanned.source.line(0)
    }
  }

  /// Spells the name of a form as the file writes it at that position: without quotes in a comment.
  func written(formName name: String, at range: Range<Int>) -> String {
    scanned.root.child("$form")?.range == range ? language.written(text: name) : name
  }

  /// At most this many lines at the beginning are searched for a comment that names the form.
  private static let commentLinesMax = 20

  private var namedInComment: FormReference? {
    let source = scanned.source
    let marks = language == .json || language == .jsonc ? ["//", "/*"] : ["#"]
    for line in 0..<min(source.lineCount, Self.commentLinesMax) {
      let bytes = source.bytes[source.line(line)]
      let text = bytes.drop { Self.isBlank($0) }
      guard !text.isEmpty else { continue }
      guard let mark = marks.first(where: { text.starts(with: $0.utf8) }) else {
        // Comments about the file come only before the first line of data.
        if !text.elementsEqual("{".utf8) && !text.elementsEqual("---".utf8) { return nil }
        continue
      }
      let words = text.dropFirst(mark.utf8.count).split(whereSeparator: Self.isBlank)
      if words.count > 1, words[0].elementsEqual("formd:".utf8) {
        return .form(String(decoding: words[1], as: UTF8.self), at: words[1].startIndex..<words[1].endIndex)
      }
    }
    return nil
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
