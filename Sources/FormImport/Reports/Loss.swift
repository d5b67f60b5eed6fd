package import JSON
package import SourceTexts

/// Something of an input that the form does not have, or has in another way.
package struct Loss: Sendable, Hashable {
  /// The kinds of losses.
  package enum Kind: String, CaseIterable, Sendable {
    /// formd cannot do it. The form is valid without it.
    case unsupported
    /// The importer does not know it.
    case unknown
    /// It can mean several things, and the importer chose one.
    case assumed
  }

  /// The loss, for programs.
  package let code: LossCode
  /// The file's name.
  package let file: String
  /// The location in the input's value; the root for HTML.
  package let pointer: JSONPointer
  /// The part of the input's text.
  package let span: TextSpan?
  /// The lost part, and its replacement in the form.
  package let message: String
  /// The action that the author can take.
  package let remedy: String

  /// The kind of the loss.
  package var kind: Kind { code.kind }

  /// The loss as a diagnostic: an error if formd cannot do it, else a warning.
  package var diagnostic: Diagnostic {
    Diagnostic(
      file: file,
      pointer: pointer,
      span: span,
      code: code.rawValue,
      message: message,
      remedy: Remedy(remedy),
      severity: kind == .unsupported ? .error : .warning
    )
  }
}
