internal import JSON

/// The texts before the values of a message's members, in order: `{"session":`, `,"revision":`. Each is written once
/// for the life of the process. It is for a message that is written so often that going through its list takes too
/// long. A test compares the two ways.
struct MemberPrefixes: MessageVisitor {
  /// The prefixes, in memory that is never written again or freed.
  private(set) var all: [PreparedBytes] = []

  init(_ list: (inout MemberPrefixes) -> Void) {
    list(&self)
  }

  private mutating func add(_ name: StaticString) {
    let buffer = OutputBuffer()
    if all.isEmpty { buffer.append(byte: UInt8(ascii: "{")) }
    buffer.write(name: name, isFirst: all.isEmpty)
    all.append(PreparedBytes(Array(buffer.bytes)) { _ in })
  }

  mutating func required<Value: MemberValue>(
    _ name: StaticString,
    _ value: inout Value,
    _ summary: StaticString,
    missing: StaticString
  ) { add(name) }

  mutating func optional<Value: MemberValue>(_ name: StaticString, _ value: inout Value?, _ summary: StaticString) {
    add(name)
  }

  mutating func optional<Value: MemberValue & Equatable>(
    _ name: StaticString,
    _ value: inout Value,
    default: Value,
    _ summary: StaticString
  ) { add(name) }

  mutating func optional<Element: MemberValue>(
    _ name: StaticString,
    _ elements: inout [Element],
    _ summary: StaticString
  ) { add(name) }

  mutating func prepared<Content: DescribedValue>(
    _ name: StaticString,
    _ value: inout JSON,
    as content: Content.Type,
    _ summary: StaticString
  ) { add(name) }
}
