internal import JSON
internal import SourceTexts

/// The parts of a definition's text that could not be read, and the errors that follow from them: one mistake shall not
/// give ten messages.
struct UnreadParts {
  private let text: ScannedText
  private let file: String?

  /// The unread parts of that text.
  init(of text: ScannedText, file: String?) {
    self.text = text
    self.file = file
  }

  /// Whether the unread part may be the only reason for an error about the part that was read.
  func explain(_ diagnostic: Diagnostic) -> Bool {
    guard text.hasLosses else { return false }
    // A value that seems superfluous, absent or too much may not be, once everything is read.
    if diagnostic.severity == .warning || Self.judgesTheWhole.contains(diagnostic.code) { return true }
    guard diagnostic.file == file else { return false }
    let node = text.nearestNode(to: diagnostic.pointer)
    if node.kind == .missing || node.isUnfinished { return true }
    if isMisplaced, Self.judgePositions.contains(diagnostic.code) { return true }
    // The target of a reference may be in the part that is missing.
    if diagnostic.code == "schema", diagnostic.pointer.tokens.last == "$ref" { return true }
    // If an object or a list lacks a value, or has too much, the unread part may explain it.
    return !node.isWhole && (node.kind == .object || node.kind == .array)
  }

  /// Codes of errors that depend on other parts of the definition, which may be missing.
  private static let judgesTheWhole: Set = [
    "cost", "fields", "more", "unknownField", "unknownOption", "unknownStep", "unknownText",
  ]

  /// Codes of values that are not allowed there.
  private static let judgePositions: Set = ["missingKey", "outcomes", "unknownKey", "wrongType"]

  /// Whether a bracket is missing: then the nesting of values is a guess.
  private var isMisplaced: Bool { text.problems.contains { $0.code == .unclosed } }
}
