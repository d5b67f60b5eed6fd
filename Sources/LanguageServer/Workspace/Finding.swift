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
  }

  /// The bytes that the finding is about.
  var range: Range<Int>
  var severity: WireDiagnostic.Severity
  var code: String
  /// The problem; the lines below it say what to do about it.
  var message: String
  /// The fix, if a program can make it.
  var fix: Fix?

  /// The finding in the editors' form.
  func wire(in text: SourceText, _ encoding: PositionEncoding) -> WireDiagnostic {
    var diagnostic = WireDiagnostic()
    diagnostic.range = text.range(range, in: encoding)
    diagnostic.severity = severity
    diagnostic.code = code
    diagnostic.message = message
    return diagnostic
  }
}
