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

  /// How a file says which form it is for.
  enum FormReference: Hashable {
    /// By the name of a form, or the path of a definition.
    case form(String)
    /// As tools of JSON Schema do: by a URI that may be that of a schema.
    case schema(String)
  }

  /// Members of the top that are about the file, and no values.
  static let ownMembers = ["$form", "$schema"]

  /// The form that the file names: by `$form`, by a comment `formd: NAME` at its beginning, or by `$schema`.
  lazy var reference: FormReference? = {
    if let name = scanned.root.child("$form")?.value.stringValue { return .form(name) }
    if let name = namedInComment { return .form(name) }
    return scanned.root.child("$schema")?.value.stringValue.map(FormReference.schema)
  }()

  /// Where the file names its form; its first line where a comment does.
  var referenceRange: Range<Int> {
    Self.ownMembers.lazy.compactMap { self.scanned.root.child($0)?.range }.first ?? scanned.source.line(0)
  }

  /// So many lines at the beginning may be comments that name the form.
  private static let commentLinesMax = 20

  private var namedInComment: String? {
    let source = scanned.source
    for line in 0..<min(source.lineCount, Self.commentLinesMax) {
      let text = String(decoding: source.bytes[source.line(line)], as: UTF8.self)
      guard let start = text.firstIndex(where: { $0 != " " && $0 != "\t" }) else { continue }
      let marks = language == .json || language == .jsonc ? ["//", "/*"] : ["#"]
      guard let mark = marks.first(where: { text[start...].hasPrefix($0) }) else {
        // Behind the first line of data there are no comments about the file.
        if text[start...] != "{" && text[start...] != "---" { return nil }
        continue
      }
      let words = text[text.index(start, offsetBy: mark.count)...].split(whereSeparator: { $0 == " " || $0 == "\t" })
      if words.count > 1, words[0] == "formd:" { return String(words[1]) }
    }
    return nil
  }
}
