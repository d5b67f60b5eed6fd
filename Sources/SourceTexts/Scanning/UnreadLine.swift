internal import JSON

/// A line that could not be read, and is passed over, in a language in which indentation gives the structure.
package struct UnreadLine {
  /// The bytes of the line, without the white space around them.
  package let range: Range<Int>
  /// The bytes before it on its line.
  private let indentation: Int
  /// Whether it is an element of a list. Its list may have the indentation of the list's name.
  private let isElement: Bool
  /// The end of the lines below it that are indented more. Their values may belong into it.
  private let end: Int

  /// The line with that number, from 0.
  ///
  /// - Parameter isLast: whether nothing after it was read.
  package init(_ number: Int, of source: SourceText, isLast: Bool) {
    let (first, range) = Self.content(of: number, in: source)
    self.range = range
    indentation = range.lowerBound - first
    isElement = Self.isElement(range, in: source)
    var end = isLast ? source.bytes.count : range.upperBound
    for below in min(number + 1, source.lineCount)..<source.lineCount where !isLast {
      let (first, content) = Self.content(of: below, in: source)
      let isInside =
        content.isEmpty || content.lowerBound - first > indentation
        || content.lowerBound - first == indentation && !isElement && Self.isElement(content, in: source)
      guard isInside else { break }
      end = content.upperBound
    }
    self.end = end
  }

  private static func content(of number: Int, in source: SourceText) -> (first: Int, content: Range<Int>) {
    guard number < source.lineCount else { return (source.bytes.count, source.bytes.count..<source.bytes.count) }
    let line = source.line(number)
    guard let start = source.bytes[line].firstIndex(where: { $0 > 0x20 }),
      let last = source.bytes[line].lastIndex(where: { $0 > 0x20 })
    else { return (line.lowerBound, line.lowerBound..<line.lowerBound) }
    return (line.lowerBound, start..<last + 1)
  }

  private static func isElement(_ content: Range<Int>, in source: SourceText) -> Bool {
    guard !content.isEmpty, source.bytes[content.lowerBound] == UInt8(ascii: "-") else { return false }
    return content.count == 1 || source.bytes[content.lowerBound + 1] <= 0x20
  }

  /// Marks the values that may be others than they seem: an object or a list that may lack what the line says, a value
  /// that may go on in the line, and values that may belong into it.
  func mark(_ entries: inout [ScannedTree.Entry], in source: SourceText) {
    guard !entries.isEmpty else { return }
    entries[0].isWhole = false
    var before: Int?
    for index in entries.indices {
      let start = entries[index].start
      if start < range.lowerBound {
        before = index
      } else if start < end {
        entries[index].isDoubtful = true
      }
    }
    guard let before else { return }
    let around = Self.containers(around: before, in: entries)
    let columns = around.map { Self.column(of: $0, in: entries, source) }
    let isMisplaced = !columns.contains(indentation)
    for (container, column) in zip(around, columns) {
      let goesOn = entries[Int(entries[container].end) - 1].start >= range.upperBound
      if goesOn || isMisplaced || indentation >= column { entries[container].isWhole = false }
    }
    switch entries[before].content {
    case .object, .array: return
    case .missing, .scalar: break
    }
    let own = entries[before].start - source.line(source.line(of: entries[before].start)).lowerBound
    guard isMisplaced || indentation > own || isElement && indentation == own else { return }
    if case .scalar(.null) = entries[before].content, entries[before].range.isEmpty {
      entries[before].content = .missing
      entries[before].isWhole = false
    } else {
      entries[before].isDoubtful = true
    }
  }

  /// The objects and lists around an entry, and the entry itself if it is one.
  private static func containers(around entry: Int, in entries: [ScannedTree.Entry]) -> [Int] {
    var found: [Int] = []
    var next = entry
    while next >= 0 {
      switch entries[next].content {
      case .object, .array: found.append(next)
      case .missing, .scalar: break
      }
      next = Int(entries[next].parent)
    }
    return found
  }

  /// The indentation of what a container has; a large one if it has nothing.
  private static func column(of container: Int, in entries: [ScannedTree.Entry], _ source: SourceText) -> Int {
    guard container + 1 < Int(entries[container].end) else { return .max }
    let start = entries[container + 1].start
    let column = start - source.line(source.line(of: start)).lowerBound
    // An element begins behind its dash.
    return entries[container].content.isObject ? column : max(0, column - 2)
  }
}

extension ScannedTree.Entry {
  /// The first byte of its name, or of its value.
  fileprivate var start: Int { Int(name == nil ? range.lowerBound : nameRange.lowerBound) }
}
