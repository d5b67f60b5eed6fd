package import DataLanguages
package import JSON
package import SourceTexts

/// One text of a file: the file itself, a line of JSON Lines, or a document of YAML.
package struct FileText: Sendable {
  /// The bytes of the text.
  package let bytes: ArraySlice<UInt8>
  /// The language of the text.
  package let language: DataLanguage
  /// The number of lines in the file before the text, which begins at the start of a line.
  package let lines: Int

  /// The texts of a file, in order.
  ///
  /// Empty lines of JSON Lines, and empty documents of YAML, are skipped. A file without other content is one text.
  package static func texts(of bytes: [UInt8], _ language: FileLanguage) -> [FileText] {
    switch language {
    case .json, .jsonc, .env: [FileText(bytes: bytes[...], language: language.ofTexts, lines: 0)]
    case .jsonl:
      parts(of: bytes, language) { _ in
        true
      } ends: { _ in
        false
      } isEmpty: {
        $0.allSatisfy { $0 <= 0x20 }
      }
    case .yaml: parts(of: bytes, language, begins: isDocumentMark, ends: isDocumentEnd, isEmpty: isEmptyDocument)
    }
  }

  /// Cuts a file at the lines that begin a part. Lines without content between the end of a part and the next beginning
  /// belong to the next part.
  private static func parts(
    of bytes: [UInt8],
    _ language: FileLanguage,
    begins: (ArraySlice<UInt8>) -> Bool,
    ends: (ArraySlice<UInt8>) -> Bool,
    isEmpty: (ArraySlice<UInt8>) -> Bool
  ) -> [FileText] {
    var parts: [FileText] = []
    var start = 0
    var startLine = 0
    /// Whether the part begins with a mark; the first part may begin without one.
    var hasMark = false
    /// The position after the line that ended the part.
    var partEnd: (position: Int, line: Int)?
    var line = 0
    var position = 0
    func cut(at end: Int) {
      let part = bytes[start..<end]
      if !isEmpty(part) { parts.append(FileText(bytes: part, language: language.ofTexts, lines: startLine)) }
    }
    while position < bytes.count {
      let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
      if begins(bytes[position..<end]) {
        var next = (position: position, line: line)
        if let partEnd, isEmpty(bytes[partEnd.position..<position]) { next = partEnd }
        // Directives and comments before the first mark belong to the document after it.
        if hasMark || !isEmpty(bytes[start..<next.position]) {
          cut(at: next.position)
          start = next.position
          startLine = next.line
        }
        hasMark = true
        partEnd = nil
      } else if ends(bytes[position..<end]) {
        partEnd = (end, line + 1)
      }
      position = end
      line += 1
    }
    cut(at: bytes.count)
    return parts.isEmpty ? [FileText(bytes: bytes[...], language: language.ofTexts, lines: 0)] : parts
  }

  /// Whether a line is `---`, which begins a document anywhere (YAML 1.2.2, section 9.1.3, `c-forbidden`).
  private static func isDocumentMark(_ line: ArraySlice<UInt8>) -> Bool { isMark("---", line) }

  /// Whether a line is `...`, which ends a document.
  private static func isDocumentEnd(_ line: ArraySlice<UInt8>) -> Bool { isMark("...", line) }

  private static func isMark(_ mark: String, _ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: mark.utf8) && (line.count == 3 || line[line.startIndex + 3] <= 0x20)
  }

  /// Whether the text has only comments, directives and document marks.
  private static func isEmptyDocument(_ text: ArraySlice<UInt8>) -> Bool {
    // A document has no directives in its content.
    var mayHaveDirectives = true
    return text.split(separator: UInt8(ascii: "\n")).allSatisfy { line in
      guard let first = line.first(where: { $0 > 0x20 }) else { return true }
      if first == UInt8(ascii: "#") || mayHaveDirectives && line.first == UInt8(ascii: "%") { return true }
      guard isDocumentMark(line) || isDocumentEnd(line) else { return false }
      mayHaveDirectives = isDocumentEnd(line)
      let words = line.split { $0 <= 0x20 }
      return words.count == 1 || words[1].first == UInt8(ascii: "#")
    }
  }
}

extension FileText {
  /// The result of reading a text.
  package enum Reading: Sendable {
    /// A value.
    case value(JSON)
    /// The problems of a text that is not valid in its language.
    case problems([Diagnostic])
  }

  /// The text as its language reads it. The positions are positions in the text, and not in the file.
  ///
  /// - Parameter numbers: the handling of YAML numbers that fit neither 64 bits nor a double.
  package func scanned(numbers: JSONNumbers = .binary) -> ScannedText {
    ScannedText(SourceText(Array(bytes)), language: language, numbers: numbers)
  }

  /// Reads the text. Numbers are exact, of any length.
  ///
  /// - Parameters:
  ///   - file: the file's name in diagnostics.
  ///   - hidesInput: whether diagnostics must not quote the input, since it may be a secret.
  package func read(file: String, hidesInput: Bool = false) -> Reading {
    if language == .json || language == .jsonc {
      let value = bytes.withUnsafeBufferPointer { try? JSON(parsing: $0, numbers: .exact) }
      if let value { return .value(value) }
    }
    let text = scanned(numbers: .exact)
    guard text.problemCount > 0 else { return .value(text.value) }
    var problems = text.problems
    // Long numbers are not problems of JSON here. If the list would be empty, they stay, because the text is invalid.
    if language == .json { problems.removeAll { $0.code == .integerRange || $0.code == .realRange } }
    if problems.isEmpty { problems = text.problems }
    if hidesInput { problems = problems.map(\.withoutInput) }
    var diagnostics = problems.map { moved(Diagnostic($0, of: text.source, file: file)) }
    let more = text.problemCount - text.problems.count
    if more > 0 { diagnostics.append(Diagnostic(more: more, .error, file: file)) }
    return .problems(diagnostics)
  }

  /// Converts a diagnostic of the text to a diagnostic of the file.
  package func moved(_ diagnostic: Diagnostic) -> Diagnostic {
    var moved = diagnostic
    moved.position = diagnostic.position.map(self.moved)
    moved.span = diagnostic.span?.moved(lines: lines, bytes: bytes.startIndex)
    return moved
  }

  /// Converts a position in the text to a position in the file.
  package func moved(_ position: LineColumn) -> LineColumn {
    LineColumn(line: position.line + lines, column: position.column)
  }
}
