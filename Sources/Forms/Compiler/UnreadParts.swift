internal import JSON

/// What of a definition's text could not be read, and which complaints follow from that: one slip shall not bring ten messages.
struct UnreadParts {
  private let text: ScannedText
  private let file: String?

  /// What is missing of that text.
  init(of text: ScannedText, file: String?) {
    self.text = text
    self.file = file
  }

  /// Whether a complaint about the part that was read may only be due to what was not.
  func explain(_ diagnostic: Diagnostic) -> Bool {
    guard text.hasLosses else { return false }
    // What seems to be superfluous, absent or too much may not be, once all is there.
    if diagnostic.severity == .warning || Self.judgesTheWhole.contains(diagnostic.code) { return true }
    guard diagnostic.file == file else { return false }
    let node = text.nearestNode(to: diagnostic.pointer)
    if node.kind == .missing || node.isUnfinished { return true }
    if isMisplaced, Self.judgesPlaces.contains(diagnostic.code) { return true }
    // What a reference leads to may stand in the part that is missing.
    if diagnostic.code == "schema", diagnostic.pointer.tokens.last == "$ref" { return true }
    // What an object or a list lacks, or has too much of, may be what was not read of it.
    return !node.isWhole && (node.kind == .object || node.kind == .array)
  }

  /// Codes of what depends on other parts of the definition, which may be those that are missing.
  private static let judgesTheWhole: Set = [
    "cost", "fields", "more", "unknownField", "unknownOption", "unknownStep", "unknownText",
  ]

  /// Codes of what stands in the wrong place.
  private static let judgesPlaces: Set = ["missingKey", "outcomes", "unknownKey", "wrongType"]

  /// Whether a bracket is missing: then what belongs to what is a guess.
  private var isMisplaced: Bool { text.faults.contains { $0.code == .unclosed } }
}
