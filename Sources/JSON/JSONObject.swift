internal import Texts

/// The members of a JSON object, in the order of the text; no name occurs twice.
///
/// Small objects are searched in order; one of more than ``indexThreshold`` members keeps a hash index, so that a
/// lookup is never linear in the size of a client's input.
public struct JSONObject: Sendable {
  /// One member: its name and its value.
  public struct Member: Sendable {
    /// The name; compared by its UTF-8.
    public let name: String
    public var value: JSON

    public init(name: String, value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// Up to so many members a linear search is faster than hashing.
  @usableFromInline static let indexThreshold = 12

  @usableFromInline var members: [Member]
  /// Nil while there are at most `indexThreshold` members.
  private var index: NameIndex?

  /// No members.
  @inlinable
  public init() {
    self.init(uncheckedMembers: [])
  }

  /// The members in their order; a name that occurs twice keeps its last value at its first position.
  public init(_ members: some Sequence<(String, JSON)>) {
    self.init()
    for (name, value) in members { self[name] = value }
  }

  /// Takes members whose names are known to differ.
  public init(uncheckedMembers: [Member]) {
    members = uncheckedMembers
    reindex()
  }

  private mutating func reindex() {
    guard members.count > Self.indexThreshold else {
      index = nil
      return
    }
    index = NameIndex(of: members)
    precondition(index != nil, "two members have one name")
  }

  /// The number of members.
  @inlinable public var count: Int { members.count }
  /// Whether the object has no members.
  @inlinable public var isEmpty: Bool { members.isEmpty }
  /// The names, in order.
  public var names: [String] { members.map(\.name) }

  /// Calls `body` with the members as they lie in memory, for walks that must not copy them; the buffer is valid only
  /// inside `body`.
  @inlinable
  @inline(__always)
  public func withMembers<Result>(_ body: (UnsafeBufferPointer<Member>) -> Result) -> Result {
    members.withUnsafeBufferPointer(body)
  }

  /// The position of the member of that name, or nil.
  public func position(of name: String) -> Int? {
    if let index { return index.position(of: name, in: members) }
    for position in members.indices where members[position].name.hasSameUTF8(as: name) { return position }
    return nil
  }

  /// The member's value; setting nil removes it, setting an absent name appends it.
  public subscript(name: String) -> JSON? {
    get { position(of: name).map { members[$0].value } }
    set {
      switch (position(of: name), newValue) {
      case (let position?, let value?):
        members[position].value = value
      case (let position?, nil):
        members.remove(at: position)
        reindex()
      case (nil, let value?):
        members.append(Member(name: name, value: value))
        if index?.add(members.count - 1, in: members) == nil { reindex() }
      case (nil, nil):
        break
      }
    }
  }
}

extension JSONObject: RandomAccessCollection {
  @inlinable public var startIndex: Int { 0 }
  @inlinable public var endIndex: Int { members.count }
  @inlinable public subscript(position: Int) -> Member { members[position] }
}

extension JSONObject: Equatable {
  /// Equal members; their order does not count.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    guard left.count == right.count else { return false }
    // Copies share their memory.
    if left.withMembers({ $0.baseAddress }) == right.withMembers({ $0.baseAddress }) { return true }
    for (position, member) in left.members.enumerated() {
      // The same order is the common case and needs no search.
      if right.members[position].name.hasSameUTF8(as: member.name) {
        if right.members[position].value != member.value { return false }
      } else {
        guard let other = right[member.name], other == member.value else { return false }
      }
    }
    return true
  }
}

extension JSONObject: Hashable {
  public func hash(into hasher: inout Hasher) {
    // Independent of the order: the sum of the members' own hashes.
    var sum = 0
    for member in members {
      var inner = Hasher()
      member.name.hashUTF8(into: &inner)
      member.value.hash(into: &inner)
      sum &+= inner.finalize()
    }
    hasher.combine(sum)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self.init(elements)
  }
}
