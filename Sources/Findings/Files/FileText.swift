package import DataTexts
package import JSON

/// One text of a file: the file itself, a line of JSON Lines, or a document of YAML.
package struct FileText: Sendable {
  /// The bytes of it.
  package let bytes: ArraySlice<UInt8>
  /// Its language.
  package let language: DataLanguage
  /// How many lines of the file stand before it; it begins with a line.
  package let lines: Int

  /// The texts of a file, in their order.
  ///
  /// Lines of JSON Lines, and documents of YAML, with nothing in them are passed over; a file in which there is nothing else is one text.
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

  /// Cuts at the lines with which a part begins; what stands between a line that ends a part and the next one, and says nothing by itself,
  /// belongs to what comes after it.
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
    /// Whether the part begins as parts do; the first one need not.
    var hasMark = false
    /// Behind the line that has ended the part.
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
        // Directives and comments before the first mark belong to what comes after it.
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

  /// Whether a line is `---`, which begins a document wherever it stands (YAML 1.2.2, section 9.1.3, `c-forbidden`).
  private static func isDocumentMark(_ line: ArraySlice<UInt8>) -> Bool { isMark("---", line) }

  /// Whether a line is `...`, which ends one.
  private static func isDocumentEnd(_ line: ArraySlice<UInt8>) -> Bool { isMark("...", line) }

  private static func isMark(_ mark: String, _ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: mark.utf8) && (line.count == 3 || line[line.startIndex + 3] <= 0x20)
  }

  /// Whether there are only comments, directives and marks of documents.
  private static func isEmptyDocument(_ text: ArraySlice<UInt8>) -> Bool {
    // Within a document there are no directives.
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
  /// What a text says.
  package enum Reading: Sendable {
    /// A value.
    case value(JSON)
    /// What is wrong with the text, as a text of its language.
    case faults([Diagnostic])
  }

  /// The text as its language reads it, with where everything stands: in the text, and not in the file.
  ///
  /// - Parameter numbers: what becomes of numbers of YAML that neither 64 bits nor a double hold.
  package func scanned(numbers: JSONNumbers = .binary) -> ScannedText {
    ScannedText(SourceText(Array(bytes)), language: language, numbers: numbers)
  }

  /// Reads the text. Numbers are exact, of any length.
  ///
  /// - Parameters:
  ///   - file: its name in diagnostics.
  ///   - hidesInput: whether the diagnostics have no text of the input, since it may be a secret.
  package func read(file: String, hidesInput: Bool = false) -> Reading {
    if language == .json || language == .jsonc {
      let value = bytes.withUnsafeBufferPointer { try? JSON(parsing: $0, numbers: .exact) }
      if let value { return .value(value) }
    }
    let text = scanned(numbers: .exact)
    guard text.faultCount > 0 else { return .value(text.value) }
    var faults = text.faults
    // Numbers of any length are none of JSON's faults here; where there is no other, reading has found one all the same.
    if language == .json { faults.removeAll { $0.code == .integerRange || $0.code == .realRange } }
    if faults.isEmpty { faults = text.faults }
    if hidesInput { faults = faults.map(\.withoutInput) }
    var diagnostics = faults.map { moved(Diagnostic($0, of: text.source, file: file)) }
    let more = text.faultCount - text.faults.count
    if more > 0 { diagnostics.append(Diagnostic(more: more, .error, file: file)) }
    return .faults(diagnostics)
  }

  /// A diagnostic of the text as one of the file.
  package func moved(_ diagnostic: Diagnostic) -> Diagnostic {
    var moved = diagnostic
    moved.place = diagnostic.place.map(self.moved)
    moved.span = diagnostic.span?.moved(lines: lines, bytes: bytes.startIndex)
    return moved
  }

  /// A place in the text as one in the file.
  package func moved(_ place: TextPlace) -> TextPlace { TextPlace(line: place.line + lines, column: place.column) }
}
