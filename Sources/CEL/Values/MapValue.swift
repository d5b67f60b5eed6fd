internal import Texts

/// A map from keys to values, in the order in which the entries were written.
///
/// Keys are bool, int, uint or string (cel-spec, "Aggregate Values"). Numbers are one kind of key: `1` and `1u` are
/// the same key, and a lookup by the double `1.0` finds it. Strings are compared by their UTF-8. A copy shares its
/// storage until changed.
public struct MapValue: Sendable {
  /// One entry.
  public struct Entry: Sendable {
    /// The key in its original type.
    public let key: Value
    public fileprivate(set) var value: Value
  }

  /// Why an entry could not be inserted.
  public enum InsertionError: Error, Sendable {
    /// The key is not a bool, int, uint or string.
    case unsupportedKey
    /// The map already has the key.
    case repeatedKey
  }

  /// Up to so many entries a linear search is faster than hashing.
  private static let indexThreshold = 8

  /// The entries, in order.
  public private(set) var entries: [Entry]
  /// Key to position in `entries`; nil while there are at most `indexThreshold` entries.
  private var index: [MapKey: Int]?

  /// An empty map.
  public init() { entries = [] }

  /// An empty map with room for so many entries.
  public init(capacity: Int) {
    entries = []
    entries.reserveCapacity(capacity)
    if capacity > Self.indexThreshold { index = [MapKey: Int](minimumCapacity: capacity) }
  }

  /// A map with text keys that are known to differ.
  init(uncheckedNames: some Collection<(String, Value)>) {
    self.init(capacity: uncheckedNames.count)
    for (name, value) in uncheckedNames { append(Entry(key: .string(name), value: value), key: .string(name)) }
  }

  /// The number of entries.
  public var count: Int { entries.count }
  /// Whether the map has no entries.
  public var isEmpty: Bool { entries.isEmpty }

  /// The value at that key; a double finds the whole number that equals it; nil if there is none, for keys of any type.
  public subscript(key: Value) -> Value? {
    guard let key = MapKey(lookup: key), let position = position(of: key) else { return nil }
    return entries[position].value
  }

  /// The value at that text key.
  public subscript(name: String) -> Value? {
    guard let position = position(ofName: name) else { return nil }
    return entries[position].value
  }

  /// Adds an entry.
  ///
  /// - Throws: ``InsertionError`` for a key of another type or one that is there already.
  public mutating func insert(_ value: Value, for key: Value) throws(InsertionError) {
    guard let mapKey = MapKey(key) else { throw .unsupportedKey }
    guard position(of: mapKey) == nil else { throw .repeatedKey }
    append(Entry(key: key, value: value), key: mapKey)
  }

  private mutating func append(_ entry: Entry, key: MapKey) {
    entries.append(entry)
    if index != nil {
      index![key] = entries.count - 1
    } else if entries.count > Self.indexThreshold {
      var fresh = [MapKey: Int](minimumCapacity: entries.count * 2)
      for (position, entry) in entries.enumerated() {
        // Every stored key passed `MapKey.init` when it was inserted.
        if let key = MapKey(entry.key) { fresh[key] = position }
      }
      index = fresh
    }
  }

  fileprivate func position(of key: MapKey) -> Int? {
    if let index { return index[key] }
    for position in entries.indices where key.matches(entries[position].key) { return position }
    return nil
  }

  private func position(ofName name: String) -> Int? {
    if let index { return index[.string(name)] }
    for position in entries.indices {
      if case .string(let candidate) = entries[position].key, candidate.hasSameUTF8(as: name) { return position }
    }
    return nil
  }
}

/// A key brought to the one form in which equal keys are the same.
enum MapKey: Hashable {
  case bool(Bool)
  /// Any whole number that `Int64` holds, of any numeric type.
  case integer(Int64)
  /// A whole number beyond `Int64`.
  case large(UInt64)
  case string(String)

  /// The key of an entry; nil for a type that cannot be one.
  init?(_ value: Value) {
    switch value {
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .integer(value)
    case .uint(let value): self = Self.unsigned(value)
    case .string(let value): self = .string(value)
    default: return nil
    }
  }

  /// The key to look up; doubles are accepted here if they equal a whole number.
  init?(lookup value: Value) {
    guard case .double(let number) = value else {
      self.init(value)
      return
    }
    if let whole = Int64(exactly: number) {
      self = .integer(whole)
    } else if let whole = UInt64(exactly: number) {
      self = .large(whole)
    } else {
      return nil
    }
  }

  private static func unsigned(_ value: UInt64) -> MapKey {
    if let signed = Int64(exactly: value) { .integer(signed) } else { .large(value) }
  }

  /// Whether the entry's key is this one.
  @inline(__always)
  func matches(_ key: Value) -> Bool {
    switch (self, key) {
    case (.string(let left), .string(let right)): left.hasSameUTF8(as: right)
    case (.integer(let left), .int(let right)): left == right
    case (.integer(let left), .uint(let right)): left >= 0 && UInt64(left) == right
    case (.large(let left), .uint(let right)): left == right
    case (.bool(let left), .bool(let right)): left == right
    default: false
    }
  }

  static func == (left: MapKey, right: MapKey) -> Bool {
    switch (left, right) {
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.large(let a), .large(let b)): a == b
    case (.string(let a), .string(let b)): a.hasSameUTF8(as: b)
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .large(let value): hasher.combine(value)
    case .string(let text): text.hashUTF8(into: &hasher)
    }
  }
}

extension MapValue {
  /// The entry at that key, with the key in its original type.
  func entry(for key: Value) -> Entry? {
    guard let key = MapKey(lookup: key), let position = position(of: key) else { return nil }
    return entries[position]
  }
}
