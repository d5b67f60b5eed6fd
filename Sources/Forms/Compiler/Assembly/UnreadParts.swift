internal import JSON
internal import SourceTexts

/// The parts of a definition's text that could not be read, and the errors that follow from them: one mistake shall not
/// give ten messages.
struct UnreadParts {
  private let text: ScannedText
  private let file: String?
  /// Whether the text only lacks its end, because the author writes it from top to bottom. Then everything before the
  /// end has its final place.
  private var endsEarly: Bool
  /// The blocks of the definition that may have further parts. A name that leads nowhere may be in one of them.
  let blocks: Set<String>

  private static let allBlocks: Set = [
    "schema", "fields", "rules", "checks", "lookups", "steps", "actions", "outputs", "texts", "functions", "context",
  ]

  init(of text: ScannedText, file: String?) {
    self.text = text
    self.file = file
    endsEarly = text.endsEarly
    blocks =
      !text.hasLosses
      ? []
      : endsEarly ? Self.allBlocks.filter { text.root.child($0)?.isComplete != true } : Self.allBlocks
  }

  /// Whether the unread part may be the only reason for an error about the part that was read.
  func explain(_ diagnostic: Diagnostic) -> Bool {
    guard text.hasLosses else { return false }
    // A value that seems superfluous, absent or too much may not be, once everything is read.
    if diagnostic.severity == .warning, !endsEarly || diagnostic.code == "unusedClock" { return true }
    if diagnostic.code == "more" { return true }
    if let decisive = Self.decisiveBlocks[diagnostic.code], !endsEarly || !blocks.isDisjoint(with: decisive) {
      return true
    }
    guard diagnostic.file == file else { return false }
    let node = text.nearestNode(to: diagnostic.pointer)
    if node.kind == .missing || node.isUnfinished { return true }
    if isNestingUncertain, !endsEarly, Self.judgePositions.contains(diagnostic.code) { return true }
    // The target of a reference may be in the part that is missing.
    if diagnostic.code == "schema", diagnostic.pointer.tokens.last == "$ref" { return true }
    if Self.judgeNeighbors.contains(diagnostic.code), let parent = node.parent,
      !parent.isWhole || parent.parent?.isWhole == false
    {
      return true
    }
    // If an object or a list lacks a value, or has too much, the unread part may explain it.
    return !node.isWhole && (node.kind == .object || node.kind == .array)
  }

  /// By code of errors that depend on other parts of the definition: the blocks with these parts.
  private static let decisiveBlocks: [String: Set<String>] = [
    "cost": ["schema"], "fields": ["schema"], "unknownField": ["schema"], "unknownOption": ["schema"],
    "unknownValue": ["schema"], "unknownStep": ["steps"], "unknownText": ["texts"], "unknownPlaceholder": ["texts"],
    "unknownCode": ["schema", "rules", "checks"],
  ]

  /// Codes of values that are not allowed there.
  private static let judgePositions: Set = ["missingKey", "outcomes", "unknownKey", "wrongType"]

  /// Codes of errors that depend on the values beside.
  private static let judgeNeighbors: Set = ["outcomes", "parameters"]

  /// Looks at all errors of what was read. If a block of the definition is inside of another block, a bracket is
  /// missing before it, and not only at the end.
  mutating func note(_ diagnostics: [Diagnostic]) {
    let isMisplaced = diagnostics.contains { diagnostic in
      ["unknownKey", "unknownField"].contains(diagnostic.code) && diagnostic.pointer.tokens.count > 1
        && Self.allBlocks.contains(diagnostic.pointer.tokens.last ?? "")
    }
    if isMisplaced { endsEarly = false }
  }

  /// Whether a bracket is missing: then the nesting of values is a guess.
  private var isNestingUncertain: Bool { text.problems.contains { $0.code == .unclosed } }
}

extension ScannedText {
  /// Whether its only problem is that brackets are open at its end.
  fileprivate var endsEarly: Bool {
    guard problemCount == 1, let problem = problems.first, problem.code == .unclosed else { return false }
    return source.bytes[problem.range.lowerBound...].allSatisfy { $0 <= 0x20 || ",:".utf8.contains($0) }
  }
}
