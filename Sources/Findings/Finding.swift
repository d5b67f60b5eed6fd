package import JSON

/// One thing that was found in a file, for programs and for people.
package struct Finding: Sendable, Hashable {
  /// One line for people, behind the place: what is wrong, or one of its causes.
  package struct Line: Sendable, Hashable {
    /// By how much it is indented: causes stand below what they cause.
    package var depth: Int
    /// Where it is; nil for the file as a whole.
    package var place: TextPlace?
    /// What it says.
    package var text: String

    /// A line of those parts.
    package init(depth: Int = 0, place: TextPlace?, text: String) {
      self.depth = depth
      self.place = place
      self.text = text
    }
  }

  /// What it is, and where.
  package var diagnostic: Diagnostic
  /// Where the keyword stands that does not hold, from the schema's root; nil where no schema speaks.
  package var keywordLocation: String?
  /// The same for people; the first line is about the finding, the others are about what is behind it.
  package var lines: [Line]

  /// What a compiler says, in a compiler's words.
  package init(_ diagnostic: Diagnostic) {
    self.init(diagnostic, lines: [Line(place: diagnostic.place, text: diagnostic.words)])
  }

  /// A finding of those words.
  package init(_ diagnostic: Diagnostic, keywordLocation: String? = nil, lines: [Line]) {
    self.diagnostic = diagnostic
    self.keywordLocation = keywordLocation
    self.lines = lines
  }
}

extension Finding {
  /// What is wrong, for a report that shows the file and the line by itself: the place in the value, the message, what to do, and what is
  /// behind it in lines of their own.
  var statement: String {
    let pointer = diagnostic.pointer.tokens.isEmpty ? "" : "\(diagnostic.pointer): "
    let causes = lines.dropFirst().map { line in
      String(repeating: "  ", count: line.depth) + (line.place.map { "\($0): " } ?? "") + line.text
    }
    return ([pointer + diagnostic.message] + [diagnostic.remedy].compactMap(\.self) + causes).joined(separator: "\n")
  }
}
