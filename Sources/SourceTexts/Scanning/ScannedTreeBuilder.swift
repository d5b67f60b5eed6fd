package import JSON
internal import Texts

/// Builds the tree of a ``ScannedText`` from the values that a reader of its language finds, in the order of the text.
///
/// A new value goes into the object or array that was opened last; the first value is the root, and there is one at
/// most.
package struct ScannedTreeBuilder {
  /// A member's name, and its range.
  package struct Name {
    /// The name; nil if another token is there.
    package var text: String?
    /// Its bytes, with quotes.
    package var range: Range<Int>

    /// A name that was read there.
    package init(_ text: String?, in range: Range<Int>) {
      self.text = text
      self.range = range
    }
  }

  /// An object or array that is not closed yet.
  private struct Frame {
    var number: Int
    /// The position in `pending` at which its children begin.
    var start: Int
    /// Its members by name, if it has many.
    var members: [UTF8Key: Int32]?
  }

  /// The largest number of problems that are kept; a text that has more is not a text of its language.
  package static let problemsMax = 100
  /// Up to so many members a linear search is faster than hashing.
  private static let searchedMax = 12
  /// Offsets and numbers are 32 bits.
  package static let bytesMax = 1 << 30

  private var entries: [ScannedTree.Entry] = []
  private var children: [Int32] = []
  private var members: [Int32: [UTF8Key: Int32]] = [:]
  private var frames: [Frame] = []
  /// The children of the frames.
  private var pending: [Int32] = []
  private var problems: [SyntaxProblem] = []
  private var problemCount = 0
  private var hasLosses = false

  /// Nothing yet.
  package init() {}

  /// How many objects and arrays are open.
  package var depth: Int { frames.count }
  /// How many values there are.
  package var count: Int { entries.count }
  /// Whether the innermost open container is an object.
  package var isInObject: Bool {
    guard let frame = frames.last, case .object = entries[frame.number].content else { return false }
    return true
  }

  /// Whether the frame that many below the last one is an object.
  package func isObject(below: Int) -> Bool {
    guard case .object = entries[frames[frames.count - 1 - below].number].content else { return false }
    return true
  }

  /// The beginning of the object or array that was opened last.
  package var start: Int { frames.last.map { Int(entries[$0.number].range.lowerBound) } ?? 0 }

  /// Begins an object or an array.
  package mutating func open(object: Bool, at start: Int, name: Name? = nil) {
    let number = append(object ? .object : .array, start..<start, name)
    frames.append(Frame(number: number, start: pending.count))
  }

  /// Ends the innermost open container.
  ///
  /// - Parameter isClosed: whether its end was written.
  package mutating func close(at end: Int, isClosed: Bool = true) {
    let frame = frames.removeLast()
    let first = Int32(children.count)
    children += pending[frame.start...]
    pending.removeSubrange(frame.start...)
    entries[frame.number].children = first..<Int32(children.count)
    entries[frame.number].end = Int32(entries.count)
    entries[frame.number].range = entries[frame.number].range.lowerBound..<Int32(end)
    entries[frame.number].isClosed = isClosed
    if !isClosed { entries[frame.number].isWhole = false }
    members[Int32(frame.number)] = frame.members
  }

  /// Adds a value that has none inside of it; nil for one that is missing, or cannot be read.
  package mutating func add(_ value: JSON?, in range: Range<Int>, name: Name? = nil, isClosed: Bool = true) {
    let number = append(value.map { .scalar($0) } ?? .missing, range, name)
    entries[number].end = Int32(entries.count)
    entries[number].isClosed = isClosed
    if value == nil { entries[number].isWhole = false }
  }

  /// Adds a copy of a value at an alias that refers to it; the value must be closed.
  package mutating func add(copyOf number: Int, in range: Range<Int>, name: Name?) {
    let end = Int(entries[number].end)
    var open: [Int] = []
    for index in number..<end {
      while let last = open.last, Int(entries[last].end) <= index {
        close(at: range.upperBound)
        open.removeLast()
      }
      let entry = entries[index]
      let own = index == number ? name : entry.parent >= 0 ? entry.name.map { Name($0, in: range) } : nil
      switch entry.content {
      case .object, .array:
        self.open(object: entry.content.isObject, at: range.lowerBound, name: own)
        open.append(index)
      case .missing: add(nil, in: range, name: own)
      case .scalar(let value): add(value, in: range, name: own)
      }
    }
    for _ in open { close(at: range.upperBound) }
  }

  /// The number of the innermost open container.
  package var number: Int { frames[frames.count - 1].number }

  /// The scalar of that number; nil for anything else.
  package func value(of number: Int) -> JSON? {
    if case .scalar(let value) = entries[number].content { value } else { nil }
  }

  /// How many objects and arrays are inside each other there: 0 for a scalar; the value must be closed.
  package func height(of number: Int) -> Int {
    var ends: [Int32] = []
    var height = 0
    for index in number..<Int(entries[number].end) {
      while let end = ends.last, end <= Int32(index) { ends.removeLast() }
      switch entries[index].content {
      case .object, .array:
        ends.append(entries[index].end)
        height = max(height, ends.count)
      case .missing, .scalar: break
      }
    }
    return height
  }

  /// How many values the value of that number has, itself among them; the value must be closed.
  package func size(of number: Int) -> Int { Int(entries[number].end) - number }

  private mutating func append(_ content: ScannedTree.Content, _ range: Range<Int>, _ name: Name?) -> Int {
    let number = entries.count
    var entry = ScannedTree.Entry(
      content: content,
      range: Int32(range.lowerBound)..<Int32(range.upperBound),
      parent: frames.last.map { Int32($0.number) } ?? -1
    )
    if let name {
      entry.name = name.text
      entry.nameRange = Int32(name.range.lowerBound)..<Int32(name.range.upperBound)
      if name.text == nil { entry.isWhole = false }
    }
    if let name, let text = name.text, !register(text, as: Int32(number)) {
      entry.isDuplicate = true
      report(
        SyntaxProblem(
          .duplicateKey,
          at: name.range,
          "\"\(SyntaxProblem.excerpt(text))\" is in this object twice; keep one of them"
        )
      )
    }
    entries.append(entry)
    if !frames.isEmpty { pending.append(Int32(number)) }
    return number
  }

  /// Notes the name of a member that is about to be added; false if a member of that name exists.
  private mutating func register(_ name: String, as number: Int32) -> Bool {
    let last = frames.count - 1
    if frames[last].members != nil {
      let key = UTF8Key(text: name)
      if frames[last].members?[key] != nil { return false }
      frames[last].members?[key] = number
      return true
    }
    let others = pending[frames[last].start...]
    if others.contains(where: { entries[Int($0)].name?.hasSameUTF8(as: name) == true }) { return false }
    guard others.count >= Self.searchedMax else { return true }
    var members: [UTF8Key: Int32] = [UTF8Key(text: name): number]
    for other in others where !entries[Int(other)].isDuplicate {
      if let name = entries[Int(other)].name { members[UTF8Key(text: name)] = other }
    }
    frames[last].members = members
    return true
  }

  // MARK: Problems

  /// Notes a problem.
  ///
  /// - Parameter loses: whether a part there could not be read, so that the innermost open container is not whole.
  package mutating func report(_ problem: SyntaxProblem, loses: Bool = false) {
    problemCount += 1
    if problems.count < Self.problemsMax { problems.append(problem) }
    if loses { markLoss() }
  }

  /// Notes that a part of the innermost open container could not be read.
  package mutating func markLoss() {
    hasLosses = true
    if !entries.isEmpty { entries[frames.last?.number ?? 0].isWhole = false }
  }

  /// Marks the values that an unread line may have changed; everything must be closed.
  package mutating func mark(_ line: UnreadLine, in source: SourceText) {
    hasLosses = true
    line.mark(&entries, in: source)
  }

  /// The text with its values and problems; everything must be closed. If there is no value, a missing one is added.
  package consuming func finish(_ source: SourceText, syntax: ScannedText.Syntax) -> ScannedText {
    precondition(frames.isEmpty, "\(frames.count) values are open")
    if entries.isEmpty { add(nil, in: source.bytes.count..<source.bytes.count) }
    let tree = ScannedTree(entries: entries, children: children, members: members)
    return ScannedText(
      source: source,
      syntax: syntax,
      problems: problems.enumerated()
        .sorted { ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset) }.map(\.element),
      problemCount: problemCount,
      hasLosses: hasLosses || problemCount > 0 && entries[0].content.isMissing,
      tree: tree
    )
  }
}

extension ScannedTree.Content {
  var isObject: Bool {
    if case .object = self { true } else { false }
  }

  var isMissing: Bool {
    if case .missing = self { true } else { false }
  }
}
