package import JSON
package import SourceTexts

/// One finding in a file, for programs and for people.
package struct Finding: Sendable, Hashable {
  /// One line for people, behind the position: the finding, or one of its causes.
  package struct Line: Sendable, Hashable {
    /// The indentation: causes are below their effects.
    package var depth: Int
    /// The position; nil for the file as a whole.
    package var position: LineColumn?
    /// The text of the line.
    package var text: String

    /// Creates a line.
    package init(depth: Int = 0, position: LineColumn?, text: String) {
      self.depth = depth
      self.position = position
      self.text = text
    }
  }

  /// The finding as a diagnostic.
  package var diagnostic: Diagnostic
  /// The location of the failed keyword, from the schema's root; nil if the finding is not from a schema.
  package var keywordLocation: String?
  /// What happened to the part of the file: `unsupported`, `unknown`, `assumed`; nil if the finding is not from an
  /// import.
  package var lossKind: String?
  /// The finding for people. The first line is the finding, and the other lines are its causes.
  package var lines: [Line]

  /// A finding with the diagnostic's own message.
  package init(_ diagnostic: Diagnostic) {
    self.init(diagnostic, lines: [Line(position: diagnostic.position, text: diagnostic.words)])
  }

  package init(_ diagnostic: Diagnostic, keywordLocation: String? = nil, lossKind: String? = nil, lines: [Line]) {
    self.diagnostic = diagnostic
    self.keywordLocation = keywordLocation
    self.lossKind = lossKind
    self.lines = lines
  }
}

extension Finding {
  /// The text for a report that shows the file and the line itself: the location in the value, the message, the hint,
  /// and then the causes on their own lines.
  var statement: String {
    let pointer = diagnostic.pointer.tokens.isEmpty ? "" : "\(diagnostic.pointer): "
    let causes = lines.dropFirst().map { line in
      String(repeating: "  ", count: line.depth) + (line.position.map { "\($0): " } ?? "") + line.text
    }
    return ([pointer + diagnostic.message] + [diagnostic.remedy].compactMap(\.self) + causes).joined(separator: "\n")
  }
}
