internal import Forms
internal import JSON

/// Writes parts of snapshots. Each part is one JSON object, which leaves out members with usual values.
struct PartWriter {
  /// Empty between two parts.
  let out: OutputBuffer
  let use: SnapshotUse

  /// A part, or nil if it would be empty.
  func part(_ write: (_ object: inout ObjectWriter) -> Void) -> [UInt8]? {
    out.removeAll()
    var object = ObjectWriter(out)
    write(&object)
    if object.isEmpty { return nil }
    object.end()
    return out.copiedBytes
  }

  var includesSecrets: Bool { use == .resuming }
}

/// Writes one object member by member. Nothing is written before the first member is.
struct ObjectWriter {
  private let out: OutputBuffer
  private(set) var isEmpty = true

  init(_ out: OutputBuffer) {
    self.out = out
  }

  /// A member whose value is written next.
  mutating func name(_ name: StaticString) -> OutputBuffer {
    if isEmpty { out.append("{") }
    out.write(name: name, isFirst: isEmpty)
    isEmpty = false
    return out
  }

  /// A member with a name that is not a literal.
  mutating func name(_ name: String) -> OutputBuffer {
    out.append(byte: UInt8(ascii: isEmpty ? "{" : ","))
    out.write(name)
    out.append(byte: UInt8(ascii: ":"))
    isEmpty = false
    return out
  }

  mutating func write(_ name: StaticString, _ value: JSON?) {
    if let value { self.name(name).write(value) }
  }

  mutating func write(_ name: StaticString, _ text: String?) {
    if let text { self.name(name).write(text) }
  }

  /// A number that is usually 0.
  mutating func write(_ name: StaticString, _ number: Int) {
    if number != 0 { self.name(name).write(number) }
  }

  /// A member that is an object. It is left out if it would be empty.
  mutating func object(_ name: String, _ write: (inout ObjectWriter) -> Void) {
    let (count, wasEmpty) = (out.count, isEmpty)
    var inner = ObjectWriter(self.name(name))
    write(&inner)
    if inner.isEmpty { takeBack(to: count, wasEmpty) } else { inner.end() }
  }

  /// A member that is an array. It is left out if it would be empty.
  mutating func array<Elements: Sequence>(
    _ name: StaticString,
    _ elements: Elements,
    _ write: (OutputBuffer, Elements.Element) -> Void
  ) {
    let (count, wasEmpty) = (out.count, isEmpty)
    self.name(name).append("[")
    var isFirst = true
    for element in elements {
      if !isFirst { out.append(",") }
      isFirst = false
      write(out, element)
    }
    if isFirst { takeBack(to: count, wasEmpty) } else { out.append("]") }
  }

  private mutating func takeBack(to count: Int, _ wasEmpty: Bool) {
    out.truncate(to: count)
    isEmpty = wasEmpty
  }

  /// No member follows.
  func end() { out.append(isEmpty ? "{}" : "}") }
}
