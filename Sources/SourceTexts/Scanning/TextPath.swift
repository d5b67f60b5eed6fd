public import JSON

/// The part of a text that contains an offset: a name, a value, or a gap for one.
public struct TextPath: Sendable, Equatable {
  /// The part at the offset.
  public enum Spot: Sendable {
    /// A member's name; the pointer leads to the member.
    case name
    /// A scalar, or the first bracket of an object or array; the pointer leads to it.
    case value
    /// Nothing, and a member's name may go there; the pointer leads to the object.
    case newName
    /// Nothing, and a value may go there; the pointer leads to that value, also to the next element of an array.
    case newValue
    /// Nothing, and only punctuation may go there; the pointer leads to the object or array.
    case elsewhere
    /// A comment; the pointer leads to the object or array.
    case comment
  }

  /// Leads to that part.
  public var pointer: JSONPointer
  /// The part at the offset.
  public var spot: Spot
  /// The value at the pointer, or the innermost one around it that there is.
  public var node: ScannedNode

  init(_ pointer: JSONPointer, _ spot: Spot, _ node: ScannedNode) {
    self.pointer = pointer
    self.spot = spot
    self.node = node
  }
}

extension ScannedText {
  /// The part of the text at an offset. An offset that touches the end of a word or of a text without closing quote is
  /// within it.
  public func path(atOffset offset: Int) -> TextPath {
    syntax == .lines ? pathByLines(atOffset: offset) : pathByBrackets(atOffset: offset)
  }

  private func pathByBrackets(atOffset offset: Int) -> TextPath {
    var node = root
    guard node.range.lowerBound <= offset, node.touches(offset) else {
      let isIn = gap(from: node.range.lowerBound > offset ? 0 : node.range.upperBound, to: offset).isComment
      return TextPath(.root, isIn ? .comment : node.kind == .missing ? .newValue : .elsewhere, node)
    }
    while true {
      guard node.kind == .object || node.kind == .array, node.range.lowerBound < offset else {
        return TextPath(node.pointer, node.kind == .missing && node.range.isEmpty ? .newValue : .value, node)
      }
      guard let child = node.child(before: offset) else { return path(in: node, behind: nil, at: offset) }
      if let name = child.keyRange, name.upperBound > offset || name.upperBound == offset && !isQuoted(name) {
        return TextPath(child.pointer, .name, child)
      }
      guard child.range.lowerBound <= offset, !child.range.isEmpty, child.touches(offset) else {
        return path(in: node, behind: child, at: offset)
      }
      node = child
    }
  }

  /// The part at an offset between the values of an object or array.
  private func path(in node: ScannedNode, behind child: ScannedNode?, at offset: Int) -> TextPath {
    let pointer = node.pointer
    let isBeforeValue = child.map { $0.range.lowerBound > offset || $0.kind == .missing } ?? false
    let start = child.map { isBeforeValue ? $0.keyRange?.upperBound ?? $0.range.lowerBound : $0.range.upperBound }
    let gap = gap(from: start ?? node.range.lowerBound + 1, to: offset)
    if gap.isComment { return TextPath(pointer, .comment, node) }
    if let child, isBeforeValue, node.kind == .object, !gap.hasComma {
      return gap.hasColon ? TextPath(child.pointer, .newValue, child) : TextPath(pointer, .elsewhere, node)
    }
    guard child == nil || gap.hasComma || gap.hasLineEnd else { return TextPath(pointer, .elsewhere, node) }
    if node.kind == .object { return TextPath(pointer, .newName, node) }
    let index = node.children.count {
      $0.range.lowerBound < offset && !($0.range.isEmpty && $0.range.lowerBound == offset)
    }
    return TextPath(pointer.appending(index), .newValue, node)
  }

  /// The punctuation between two offsets, comments left aside.
  private func gap(from start: Int, to end: Int) -> (hasComma: Bool, hasColon: Bool, hasLineEnd: Bool, isComment: Bool)
  {
    var gap = (hasComma: false, hasColon: false, hasLineEnd: false, isComment: false)
    var offset = start
    while offset < min(end, source.bytes.count) {
      if let commentEnd = JSONScanner.endOfComment(at: offset, in: source.bytes) {
        let isLine = source.bytes[offset + 1] == UInt8(ascii: "/")
        if commentEnd > end || isLine && commentEnd == end {
          gap.isComment = true
          return gap
        }
        offset = commentEnd
        continue
      }
      switch source.bytes[offset] {
      case UInt8(ascii: ","): gap.hasComma = true
      case UInt8(ascii: ":"): gap.hasColon = true
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): gap.hasLineEnd = true
      default: break
      }
      offset += 1
    }
    return gap
  }

  /// The same if columns give the structure: between the values the column counts.
  private func pathByLines(atOffset offset: Int) -> TextPath {
    var around: [ScannedNode] = []
    var node: ScannedNode? = root
    while let current = node, current.kind == .object || current.kind == .array {
      around.append(current)
      guard let child = current.child(before: offset) else { break }
      if let name = child.keyRange, name.lowerBound <= offset, offset <= name.upperBound, name != child.range {
        return TextPath(child.pointer, .name, child)
      }
      node = child
    }
    let line = source.line(source.line(of: offset))
    if isInComment(offset, from: line.lowerBound) {
      return TextPath(around.last?.pointer ?? .root, .comment, around.last ?? root)
    }
    if let node, node.kind != .object, node.kind != .array, !node.range.isEmpty, node.range.lowerBound <= offset,
      offset <= node.range.upperBound
    {
      return TextPath(node.pointer, .value, node)
    }
    guard !around.isEmpty else { return TextPath(.root, .newValue, root) }
    // The position of a value is behind its name or dash, or below its name and further in.
    if let node, node.range.isEmpty, let start = node.keyRange ?? (node.parent == nil ? nil : node.range),
      start.upperBound < offset || node.keyRange == nil,
      start.lowerBound >= line.lowerBound || column(of: start.lowerBound) < offset - line.lowerBound
    {
      return TextPath(node.pointer, .newValue, node)
    }
    let isFlow =
      around.last.map { $0.range.lowerBound < offset && offset < $0.range.upperBound && hasBracket($0) } ?? false
    if isFlow, let last = around.last { return path(in: last, behind: last.child(before: offset), at: offset) }
    guard
      source.bytes[line.lowerBound..<min(offset, line.upperBound)].allSatisfy({ $0 == 0x20 || $0 == UInt8(ascii: "-") })
    else { return TextPath(around[around.count - 1].pointer, .elsewhere, around[around.count - 1]) }
    let column = offset - line.lowerBound
    let holder =
      around.last {
        ($0.children.first.map { self.column(of: $0.keyRange?.lowerBound ?? $0.range.lowerBound) } ?? 0) <= column
      } ?? around[0]
    if holder.kind == .object { return TextPath(holder.pointer, .newName, holder) }
    let index = holder.children.count { $0.range.lowerBound < offset }
    return TextPath(holder.pointer.appending(index), .newValue, holder)
  }

  /// The bytes of the line before that one.
  private func column(of offset: Int) -> Int { offset - source.line(source.line(of: offset)).lowerBound }

  private func hasBracket(_ node: ScannedNode) -> Bool {
    let first = source.bytes[node.range.lowerBound]
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  private func isInComment(_ offset: Int, from start: Int) -> Bool {
    (start..<offset).contains {
      source.bytes[$0] == UInt8(ascii: "#") && ($0 == start || source.bytes[$0 - 1] <= 0x20)
    }
  }

  private func isQuoted(_ name: Range<Int>) -> Bool {
    name.count > 1 && source.bytes[name.lowerBound] == source.bytes[name.upperBound - 1]
      && (source.bytes[name.lowerBound] == UInt8(ascii: "\"") || source.bytes[name.lowerBound] == UInt8(ascii: "'"))
  }
}

extension ScannedNode {
  /// Whether an offset behind the first byte is within the value, or at the end of one without closing quote or
  /// bracket.
  fileprivate func touches(_ offset: Int) -> Bool {
    offset < range.upperBound || offset == range.upperBound && !(isClosed && [.object, .array, .string].contains(kind))
  }

  /// The last of the values right inside of it that begins, with its name, before that offset or at it.
  fileprivate func child(before offset: Int) -> ScannedNode? {
    let children = children
    var low = children.startIndex
    var high = children.endIndex
    while low < high {
      let middle = children.index(low, offsetBy: children.distance(from: low, to: high) / 2)
      let child = children[middle]
      if (child.keyRange?.lowerBound ?? child.range.lowerBound) <= offset {
        low = children.index(after: middle)
      } else {
        high = middle
      }
    }
    return low > children.startIndex ? children[children.index(before: low)] : nil
  }
}
