internal import JSON
internal import Texts

/// The values of a text, each before those inside of it: a ``ScannedText`` and its nodes share them.
///
/// Invariants: entry 0 is the root. The descendants of an entry follow it, up to its `end`. The value of an entry lies
/// within the value of its parent, and its name is before its value. Siblings do not overlap. The exception is the copy
/// for an alias: all of its entries have the alias's range.
final class ScannedTree: Sendable {
  /// A value, or a position where one is missing.
  struct Entry: Sendable {
    var content: Content
    /// The bytes of the value.
    var range: Range<Int32>
    /// The bytes of the member's name; empty if there is none.
    var nameRange: Range<Int32> = 0..<0
    /// The member's name; nil in an array, and if none could be read.
    var name: String?
    /// -1 for the root.
    var parent: Int32
    /// The entry behind the last one inside of it.
    var end: Int32 = 0
    /// The range in `children` that has the numbers of the entries directly inside it.
    var children: Range<Int32> = 0..<0
    /// Whether its text was read completely.
    var isWhole = true
    /// Whether the value has its end, and does not just stop at the end of the text.
    var isClosed = true
    /// Whether its value, or its place, may be another once a line near it can be read.
    var isDoubtful = false
    /// Whether an earlier member has that name.
    var isDuplicate = false
  }

  /// The content of a value.
  enum Content: Sendable {
    case object, array, missing
    case scalar(JSON)
  }

  let entries: [Entry]
  /// The entries right inside of each object and array, in order.
  let children: [Int32]
  /// By the number of an object with many members: its named members.
  let members: [Int32: [UTF8Key: Int32]]

  init(entries: [Entry], children: [Int32], members: [Int32: [UTF8Key: Int32]]) {
    self.entries = entries
    self.children = children
    self.members = members
  }

  /// The entry one step further in; of members with one name the first.
  func child(of parent: Int, _ token: String) -> Int? {
    let entry = entries[parent]
    switch entry.content {
    case .array:
      guard let index = JSONPointer.arrayIndex(token), index < entry.children.count else { return nil }
      return Int(children[Int(entry.children.lowerBound) + index])
    case .object:
      if let index = members[Int32(parent)] { return index[UTF8Key(text: token)].map(Int.init) }
      for child in children[Int(entry.children.lowerBound)..<Int(entry.children.upperBound)]
      where entries[Int(child)].name?.hasSameUTF8(as: token) == true { return Int(child) }
      return nil
    case .missing, .scalar: return nil
    }
  }

  /// The value of an entry. A missing value is left out of objects, and is null in arrays, so that the other elements
  /// keep their positions.
  ///
  /// Without recursion: from the last entry to the first, so that each container finds the values inside of it made.
  func value(of number: Int) -> JSON {
    var values: [JSON] = []
    for index in (number..<Int(entries[number].end)).reversed() {
      let entry = entries[index]
      switch entry.content {
      case .missing: values.append(.null)
      case .scalar(let value): values.append(value)
      case .array:
        let elements = values.suffix(entry.children.count)
        values.removeLast(entry.children.count)
        values.append(.array(elements.reversed()))
      case .object:
        var members: [JSONObject.Member] = []
        members.reserveCapacity(entry.children.count)
        for child in children[Int(entry.children.lowerBound)..<Int(entry.children.upperBound)] {
          let value = values.removeLast()
          let entry = entries[Int(child)]
          if case .missing = entry.content { continue }
          guard let name = entry.name, !entry.isDuplicate else { continue }
          members.append(JSONObject.Member(name: name, value: value))
        }
        values.append(.object(JSONObject(uncheckedMembers: members)))
      }
    }
    return values[0]
  }
}
