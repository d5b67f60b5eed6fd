internal import JSON

/// What is wrong at a place of a document.
struct Finding: Hashable, Sendable {
  /// What to write instead.
  struct Fix: Hashable, Sendable {
    /// The bytes that go.
    var range: Range<Int>
    /// What comes in their place.
    var text: String
    /// What that does, for people.
    var title: String
  }

  /// The bytes that it is about.
  var range: Range<Int>
  var severity: WireDiagnostic.Severity
  var code: String
  /// What is wrong, and in the lines below what to do about it.
  var message: String
  /// What to write instead, where a program knows.
  var fix: Fix?

  /// As editors take it.
  func wire(in text: SourceText, _ encoding: PositionEncoding) -> WireDiagnostic {
    var diagnostic = WireDiagnostic()
    diagnostic.range = text.range(range, in: encoding)
    diagnostic.severity = severity
    diagnostic.code = code
    diagnostic.message = message
    return diagnostic
  }
}
