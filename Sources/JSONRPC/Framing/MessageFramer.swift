#if canImport(Glibc)
  internal import Glibc
#endif

/// Cuts a stream of bytes into JSON texts, in either framing, which it detects by itself.
///
/// Sans-IO: bytes go in as they arrive, events come out. The first bytes that are not white space decide the framing:
/// `Content-` in any case means headers, anything else means lines. While the bytes are a prefix of `Content-`, nothing
/// is decided. A text that arrived whole is handed out in place. Only a text in parts is collected, and that memory is
/// given back at its end, so a quiet connection holds none. It never holds more than the limit.
package struct MessageFramer: ~Copyable {
  /// The result of reading bytes.
  package enum Event {
    /// One text, without its framing; valid until the next call.
    case text(UnsafeBufferPointer<UInt8>)
    /// A text over the limit. It is reported once, at once; its bytes are dropped as they arrive, and the bytes after
    /// it are read.
    case oversized
    /// Nothing after this can be read. Further bytes of the input are left in it.
    case error(HeaderError)
  }

  /// The position of the next byte. Each case names the cases that may follow.
  private enum State {
    /// Nothing but white space and a prefix of `Content-` so far (in `pending`). Then `line` or `header`.
    case undecided
    /// Inside a line (its start in `pending`). Then `line` or `discardingLine`.
    case line
    /// Inside a line over the limit. Then `line`.
    case discardingLine
    /// Inside a header line (its start in `pending`). Then `header`, `body`, `discardingBody` or `failed`.
    case header
    /// This many bytes of the body are missing; the earlier bytes are in `pending`. Then `header`.
    case body(Int)
    /// This many bytes of a body over the limit are still to come. Then `header`.
    case discardingBody(Int)
    /// After an error: everything is dropped.
    case failed
  }

  /// Header blocks are short: two known headers of under 100 bytes.
  package static let headerBytesMax = 4096

  private static let prefix: StaticString = "content-"

  /// The most bytes of one text.
  private let textBytesMax: Int
  /// The bytes of an unfinished text, header line or prefix.
  private var pending = PendingBytes()
  /// The length that the current block gave.
  private var contentLength: Int?
  private var state = State.undecided
  /// Whether `pending` was handed out by the last call and is to be dropped.
  private var pendingIsSpent = false
  /// The framing, once it is known.
  package private(set) var framing: Framing?
  /// Bytes of the current header block so far. The type is small because every quiet connection has a framer.
  private var headerBytes: UInt16 = 0

  /// A framer for a fresh connection.
  ///
  /// - Parameter framing: the framing, if it is settled; nil: the first bytes show it.
  package init(textBytesMax: Int, framing: Framing? = nil) {
    self.textBytesMax = textBytesMax
    self.framing = framing
    switch framing {
    case .lines: state = .line
    case .headers: state = .header
    case nil: break
    }
  }

  /// Bytes of memory for the part of an unfinished text that arrived.
  package var memoryBytes: Int { pending.capacity }

  /// Whether no part of a text is kept. For tests.
  package var isAtBoundary: Bool { pending.count == 0 || pendingIsSpent }

  /// Drops the text that the last call handed out.
  package mutating func dropSpent() {
    if pendingIsSpent { dropPending() }
  }

  /// Takes a whole line off the front of `input`, if no part of a text is kept and the line is plainly a text. This is
  /// the usual case, decided without a look at other cases.
  ///
  /// - Returns: the text that ``next(_:)`` would give; nil, with nothing taken, if the caller has to call it.
  @inline(__always)
  mutating func nextLine(_ input: inout UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    guard case .line = state, pending.count == 0, let start = input.baseAddress, let newline = Self.newline(in: input),
      newline > 0, newline <= textBytesMax, !Self.isSpace(start.pointee)
    else { return nil }
    input = UnsafeBufferPointer(start: start + (newline + 1), count: input.count - (newline + 1))
    return UnsafeBufferPointer(start: start, count: newline)
  }

  /// Takes bytes off the front of `input` up to the next event; nil when all bytes are taken and more are needed.
  package mutating func next(_ input: inout UnsafeBufferPointer<UInt8>) -> Event? {
    dropSpent()
    while true {
      switch state {
      case .undecided:
        guard decide(&input) else { return nil }
      case .line:
        guard let newline = Self.newline(in: input) else {
          guard pending.count + input.count <= textBytesMax else {
            dropPending()
            Self.advance(&input, input.count)
            state = .discardingLine
            return .oversized
          }
          pending.append(input)
          Self.advance(&input, input.count)
          return nil
        }
        let part = UnsafeBufferPointer(rebasing: input[..<newline])
        Self.advance(&input, newline + 1)
        guard pending.count + part.count <= textBytesMax else {
          dropPending()
          return .oversized
        }
        var text = part
        if pending.count > 0 {
          pending.append(part)
          text = pending.bytes
          pendingIsSpent = true
        }
        if !Self.isBlank(text) { return .text(text) }
        if pendingIsSpent { dropPending() }
      case .discardingLine:
        guard let newline = Self.newline(in: input) else {
          Self.advance(&input, input.count)
          return nil
        }
        Self.advance(&input, newline + 1)
        state = .line
      case .header:
        guard let newline = Self.newline(in: input) else {
          guard countHeader(input.count) else { return fail(.headerTooLong) }
          pending.append(input)
          Self.advance(&input, input.count)
          return nil
        }
        guard countHeader(newline + 1) else { return fail(.headerTooLong) }
        pending.append(UnsafeBufferPointer(rebasing: input[..<newline]))
        Self.advance(&input, newline + 1)
        do throws(HeaderError) {
          if let length = try headerLineEnded() {
            if length > textBytesMax {
              state = .discardingBody(length)
              return .oversized
            }
            state = .body(length)
          }
        } catch {
          return fail(error)
        }
      case .body(let missing):
        if pending.count == 0, input.count >= missing {
          let text = UnsafeBufferPointer(rebasing: input[..<missing])
          Self.advance(&input, missing)
          state = .header
          return .text(text)
        }
        let taken = min(missing, input.count)
        pending.append(UnsafeBufferPointer(rebasing: input[..<taken]))
        Self.advance(&input, taken)
        guard taken == missing else {
          state = .body(missing - taken)
          return nil
        }
        state = .header
        pendingIsSpent = true
        return .text(pending.bytes)
      case .discardingBody(let missing):
        let taken = min(missing, input.count)
        Self.advance(&input, taken)
        guard taken == missing else {
          state = .discardingBody(missing - taken)
          return nil
        }
        state = .header
      case .failed:
        Self.advance(&input, input.count)
        return nil
      }
    }
  }

  /// The input ended: a last line without a newline is a text; an unfinished block or body is an error.
  package mutating func finish() -> Event? {
    dropSpent()
    switch state {
    case .undecided, .line:
      state = .failed
      guard pending.count > 0, !Self.isBlank(pending.bytes) else { return nil }
      pendingIsSpent = true
      return .text(pending.bytes)
    case .header:
      state = .failed
      return headerBytes > 0 ? .error(.truncated) : nil
    case .body:
      state = .failed
      dropPending()
      return .error(.truncated)
    case .discardingLine, .discardingBody, .failed:
      state = .failed
      return nil
    }
  }

  /// Nothing more is read: an unfinished text is dropped, but not one that the last call handed out.
  package mutating func dropUnfinished() {
    if !pendingIsSpent { dropPending() }
    state = .failed
  }

  // MARK: Parts

  /// Reads on while the first bytes may still be `Content-`; false when the input is used up undecided.
  private mutating func decide(_ input: inout UnsafeBufferPointer<UInt8>) -> Bool {
    while let byte = input.first {
      if pending.count == 0 && Self.isSpace(byte) {
        Self.advance(&input, 1)
        continue
      }
      // Setting bit 5 makes a letter lowercase and does not change "-".
      guard byte | 0x20 == Self.prefix.utf8Start[pending.count], byte != 0x0d else {
        framing = .lines
        state = .line
        return true
      }
      pending.append(UnsafeBufferPointer(rebasing: input[..<1]))
      Self.advance(&input, 1)
      if pending.count == Self.prefix.utf8CodeUnitCount {
        headerBytes = UInt16(pending.count)
        framing = .headers
        state = .header
        return true
      }
    }
    return false
  }

  /// Counts bytes of the header block; false when there are too many.
  private mutating func countHeader(_ count: Int) -> Bool {
    guard Int(headerBytes) + count <= Self.headerBytesMax else { return false }
    headerBytes += UInt16(count)
    return true
  }

  /// A header line is complete in `pending`. Returns the body's length at the end of a block.
  private mutating func headerLineEnded() throws(HeaderError) -> Int? {
    var line = pending.bytes
    if line.last == UInt8(ascii: "\r") { line = UnsafeBufferPointer(rebasing: line.dropLast()) }
    defer { dropPending() }
    guard !line.isEmpty else {
      // Blank lines between messages are ignored: some clients end a body with a newline.
      let isBetweenMessages = headerBytes <= 2 && contentLength == nil
      defer {
        headerBytes = 0
        contentLength = nil
      }
      if isBetweenMessages { return nil }
      guard let contentLength else { throw .contentLengthMissing }
      return contentLength
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .headerSyntax }
    let name = UnsafeBufferPointer(rebasing: line[..<colon])
    guard Self.isContentLength(name) else { return nil }
    guard contentLength == nil else { throw .contentLengthDuplicate }
    contentLength = try Self.decimal(UnsafeBufferPointer(rebasing: line[(colon + 1)...]))
    return nil
  }

  private static func isContentLength(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let wanted: StaticString = "content-length"
    guard name.count == wanted.utf8CodeUnitCount else { return false }
    for index in 0..<name.count where name[index] | 0x20 != wanted.utf8Start[index] { return false }
    return true
  }

  /// Digits between blanks; nothing else, and no overflow.
  private static func decimal(_ text: UnsafeBufferPointer<UInt8>) throws(HeaderError) -> Int {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    var digits = text[...]
    while let first = digits.first, isBlank(first) { digits.removeFirst() }
    while let last = digits.last, isBlank(last) { digits.removeLast() }
    guard !digits.isEmpty else { throw .contentLengthInvalid }
    var value = 0
    for byte in digits {
      guard byte >= 48, byte <= 57 else { throw .contentLengthInvalid }
      let (tenfold, overflowed) = value.multipliedReportingOverflow(by: 10)
      let (sum, carried) = tenfold.addingReportingOverflow(Int(byte - 48))
      if overflowed || carried { throw .contentLengthInvalid }
      value = sum
    }
    return value
  }

  private mutating func fail(_ error: HeaderError) -> Event {
    dropPending()
    state = .failed
    return .error(error)
  }

  private mutating func dropPending() {
    pending.removeAll()
    pendingIsSpent = false
  }

  @inline(__always)
  private static func newline(in input: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let start = input.baseAddress, let found = memchr(start, 0x0a, input.count) else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(start)
  }

  @inline(__always)
  private static func advance(_ input: inout UnsafeBufferPointer<UInt8>, _ count: Int) {
    input = UnsafeBufferPointer(rebasing: input[count...])
  }

  @inline(__always)
  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
  }

  @inline(__always)
  private static func isBlank(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    for byte in text where !isSpace(byte) { return false }
    return true
  }
}
