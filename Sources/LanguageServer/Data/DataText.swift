internal import DataTexts
internal import JSON

/// A file of data as its text stands: values that a form judges, if the file names one.
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

  /// How a file says which form it is for, and where.
  enum FormReference: Hashable {
    /// By the name of a form, or the path of a definition.
    case form(String, at: Range<Int>)
    /// As tools of JSON Schema do: by a URI that may be that of a schema.
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

  /// Where the file names its form; its first line where it does not.
  var referenceRange: Range<Int> {
    switch reference {
    case .form(_, let range)?, .schema(_, let range)?: range
    case nil: scanned.source.line(0)
    }
  }

  /// The name of a form as it is written at the place where the file names one: in a comment as it is.
  func written(formName name: String, at range: Range<Int>) -> String {
    scanned.root.child("$form")?.range == range ? language.written(text: name) : name
  }

  /// So many lines at the beginning may be comments that name the form.
  private static let commentLinesMax = 20

  private var namedInComment: FormReference? {
    let source = scanned.source
    let marks = language == .json || language == .jsonc ? ["//", "/*"] : ["#"]
    for line in 0..<min(source.lineCount, Self.commentLinesMax) {
      let bytes = source.bytes[source.line(line)]
      let text = bytes.drop { Self.isBlank($0) }
      guard !text.isEmpty else { continue }
      guard let mark = marks.first(where: { text.starts(with: $0.utf8) }) else {
        // Behind the first line of data there are no comments about the file.
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
