package import JSON

/// Writes a message as a JSON object.
struct MessageWriter: MessageVisitor {
  /// The part that is written: everything, or only the part before or after the prepared member.
  enum Part {
    case whole, head, tail
  }

  private let buffer: OutputBuffer
  private let part: Part
  /// Whether the members that come next are to be written.
  private var isWriting: Bool
  private var isFirst: Bool

  @inline(__always)
  init(_ buffer: OutputBuffer, _ part: Part) {
    self.buffer = buffer
    self.part = part
    isWriting = part != .tail
    isFirst = part != .tail
  }

  /// Writes a message, or a part of one, without changing it. The message must be mutable because its list also serves
  /// for reading.
  @inline(__always)
  static func write<Content: Message>(_ message: inout Content, _ part: Part, into buffer: OutputBuffer) {
    write(part, into: buffer) { message.list(&$0) }
  }

  /// Writes members whose list does not belong to a message.
  @inline(__always)
  static func write(_ part: Part, into buffer: OutputBuffer, _ list: (inout MessageWriter) -> Void) {
    var writer = MessageWriter(buffer, part)
    if part != .tail { buffer.append(byte: UInt8(ascii: "{")) }
    list(&writer)
    if part != .head { buffer.append(byte: UInt8(ascii: "}")) }
  }

  @inline(__always)
  private mutating func writeName(_ name: StaticString) {
    buffer.write(name: name, isFirst: isFirst)
    isFirst = false
  }

  @inline(__always)
  mutating func required<Value: MemberValue>(
    _ name: StaticString,
    _ value: inout Value,
    _ summary: StaticString,
    missing: StaticString
  ) {
    guard isWriting else { return }
    writeName(name)
    value.write(into: buffer)
  }

  @inline(__always)
  mutating func optional<Value: MemberValue>(_ name: StaticString, _ value: inout Value?, _ summary: StaticString) {
    guard isWriting, let value else { return }
    writeName(name)
    value.write(into: buffer)
  }

  @inline(__always)
  mutating func optional<Value: MemberValue & Equatable>(
    _ name: StaticString,
    _ value: inout Value,
    default: Value,
    _ summary: StaticString
  ) {
    guard isWriting, value != `default` else { return }
    writeName(name)
    value.write(into: buffer)
  }

  @inline(__always)
  mutating func optional<Element: MemberValue>(
    _ name: StaticString,
    _ elements: inout [Element],
    _ summary: StaticString
  ) {
    guard isWriting, !elements.isEmpty else { return }
    writeName(name)
    elements.write(into: buffer)
  }

  @inline(__always)
  mutating func prepared<Content: DescribedValue>(
    _ name: StaticString,
    _ value: inout JSON,
    as content: Content.Type,
    _ summary: StaticString
  ) {
    switch part {
    case .whole:
      writeName(name)
      buffer.write(value)
    case .head:
      writeName(name)
      isWriting = false
    case .tail:
      isWriting = true
    }
  }
}

extension Message {
  package func write(into buffer: OutputBuffer) {
    var message = self
    MessageWriter.write(&message, .whole, into: buffer)
  }

  /// Writes the message up to the value of its prepared member. The value is to be written next, then
  /// ``writeTail(into:)`` called.
  package func writeHead(into buffer: OutputBuffer) {
    var message = self
    MessageWriter.write(&message, .head, into: buffer)
  }

  /// Writes the part after the prepared member.
  package func writeTail(into buffer: OutputBuffer) {
    var message = self
    MessageWriter.write(&message, .tail, into: buffer)
  }
}

extension MemberValue {
  /// The written message, as a value.
  package var json: JSON {
    let buffer = OutputBuffer()
    write(into: buffer)
    guard let json = try? JSON(parsing: buffer.bytes) else {
      preconditionFailure("what is written is JSON: \(buffer.text)")
    }
    return json
  }
}
