internal import JSON
internal import SourceTexts

/// A finding at a position of a document.
struct Finding: Hashable, Sendable {
  /// A replacement that fixes a finding.
  struct Fix: Hashable, Sendable {
    /// The bytes that are replaced.
    var range: Range<Int>
    /// The replacement.
    var text: String
    /// A description of the fix, for people.
    var title: String

    /// A fix that writes a text.
    ///
    /// - Parameter source: the document, if the fix may remove a part of it.
    init(range: Range<Int>, text: String, replacing source: SourceText? = nil) {
      self.range = range
      self.text = text
      let removed =
        source.map { String(decoding: $0.bytes[range.clamped(to: 0..<$0.bytes.count)], as: UTF8.self) } ?? ""
      let excerpt = removed.prefix { !$0.isNewline }.prefix(40)
      title = !text.isEmpty ? "write \(text)" : excerpt.isEmpty ? "remove this" : "remove \(excerpt)"
    }
  }

  /// Another part of the document that belongs to the problem.
  struct Related: Hashable, Sendable {
    var range: Range<Int>
    /// The reason why it belongs to the problem.
    var message: String
  }

  /// The bytes that the finding is about.
  var range: Range<Int>
  var severity: WireDiagnostic.Severity
  var code: String
  /// The problem; the lines below it say what to do about it.
  var message: String
  /// The fix, if a program can make it.
  var fix: Fix?
  /// Further parts of the document that belong to the problem.
  var related: [Related] = []

  /// The finding in the editors' form.
  ///
  /// - Parameter uri: the document, if the editor can show related parts of it.
  func wire(in text: SourceText, _ encoding: PositionEncoding, relatingTo uri: String?) -> WireDiagnostic {
    var diagnostic = WireDiagnostic()
    if let uri {
      diagnostic.related = related.map { related in
        RelatedInformation(
          location: Location(uri: uri, range: text.range(related.range, in: encoding)),
          message: related.message
        )
      }
    }
    diagnostic.range = text.range(range, in: encoding)
    diagnostic.severity = severity
    diagnostic.code = code
    diagnostic.message = message
    return diagnostic
  }
}
