public import JSON

/// One value of a ``ScannedText``, or a position where one is missing: its range, and the values around and inside it.
public struct ScannedNode: Sendable {
  /// The kinds of values.
  public enum Kind: Sendable {
    /// The six kinds of JSON.
    case null, bool, number, string, array, object
    /// Nothing, or nothing that could be read.
    case missing
  }

  let tree: ScannedTree
  /// The number of its entry.
  let number: Int

  private var entry: ScannedTree.Entry { tree.entries[number] }

  /// The kind of the value.
  public var kind: Kind {
    switch entry.content {
    case .object: .object
    case .array: .array
    case .missing: .missing
    case .scalar(.null): .null
    case .scalar(.bool): .bool
    case .scalar(.string): .string
    case .scalar: .number
    }
  }

  /// The bytes of the value, with quotes and brackets; an empty range at its position for a missing value.
  public var range: Range<Int> { Int(entry.range.lowerBound)..<Int(entry.range.upperBound) }

  /// The bytes of the member's name, with quotes; nil if it is not a member, or has no name.
  public var keyRange: Range<Int>? {
    entry.name == nil ? nil : Int(entry.nameRange.lowerBound)..<Int(entry.nameRange.upperBound)
  }

  /// The member's name; nil if it is not a member, or has no name.
  public var key: String? { entry.name }

  /// Whether its text was read completely: nothing is missing right in it.
  public var isWhole: Bool { entry.isWhole }

  /// Whether the value has its end, and does not just stop at the end of the text.
  public var isClosed: Bool { entry.isClosed }

  /// Whether it is a text without its closing quote, or a number that just stops at the end of the text: its author may
  /// go on to write it, so its current value is not final.
  public var isUnfinished: Bool {
    switch entry.content {
    case .scalar: !entry.isClosed
    case .object, .array, .missing: false
    }
  }

  /// Whether its value, or its place, may be another once a line near it can be read.
  public var isDoubtful: Bool { entry.isDoubtful }

  /// Whether it, and all inside of it, was read completely.
  public var isComplete: Bool {
    tree.entries[number..<Int(entry.end)].allSatisfy { entry in
      switch entry.content {
      case .missing: false
      case .scalar: entry.isClosed && !entry.isDoubtful
      case .object, .array: entry.isWhole && !entry.isDoubtful
      }
    }
  }

  /// The object or array around it.
  public var parent: ScannedNode? {
    entry.parent < 0 ? nil : ScannedNode(tree: tree, number: Int(entry.parent))
  }

  /// The members or elements right inside of it, in the order of the text; missing ones are included.
  public var children: some RandomAccessCollection<ScannedNode> {
    let entry = entry
    return tree.children[Int(entry.children.lowerBound)..<Int(entry.children.upperBound)].lazy
      .map { [tree] in ScannedNode(tree: tree, number: Int($0)) }
  }

  /// The member or element of that name or position.
  public func child(_ token: String) -> ScannedNode? {
    tree.child(of: number, token).map { ScannedNode(tree: tree, number: $0) }
  }

  /// The pointer to the value; a member without a name has the pointer to its object.
  public var pointer: JSONPointer {
    var tokens: [String] = []
    var node = self
    while let parent = node.parent {
      if parent.kind == .array {
        let first = Int(parent.entry.children.lowerBound)
        var (low, high) = (first, Int(parent.entry.children.upperBound))
        while high - low > 1 {
          let middle = (low + high) / 2
          if tree.children[middle] <= Int32(node.number) { low = middle } else { high = middle }
        }
        tokens.append(String(low - first))
      } else if let key = node.key {
        tokens.append(key)
      }
      node = parent
    }
    return JSONPointer(tokens: tokens.reversed())
  }

  /// The value, as far as it could be read; null if it is missing. See ``ScannedText/value``.
  public var value: JSON { tree.value(of: number) }
}

extension ScannedNode: Equatable {
  /// Whether both are the same value of one scan.
  public static func == (left: ScannedNode, right: ScannedNode) -> Bool {
    left.tree === right.tree && left.number == right.number
  }
}
