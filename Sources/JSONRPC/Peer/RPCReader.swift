package import JSON

/// Reads one JSON-RPC 2.0 connection: bytes go in, and the caller asks for the next event in them.
///
/// The reader knows framing, envelopes, batches and which error answers bad input (protocol/wire.md, "Bad input"). It
/// knows no method and writes nothing; see ``RPCWriter``. Bytes in, events out, in the order of arrival:
///
/// ```swift
/// while let event = reader.next(&input) {
///   writer.framing = reader.framing
///   switch event {
///   case .text(let text): if !recognized(text) { reader.read(text) }  // or, a long one, another thread: OffloadedText
///   case .request(let request): perform(request, writer.accepted(request.id))
///   case .response(let id, let result, let error): if let number = RPCWriter.requestNumber(id) { … }
///   case .refused(let id, let error): writer.refuse(id, error)
///   case .batchBegan: writer.batchBegan()
///   case .batchEnded: writer.batchEnded()
///   case .ended: …
///   }
/// }
/// writer.framing = reader.framing
/// ```
///
/// A caller that has enough stops asking, at any event, and leaves its unread bytes with ``keep(_:)``. It goes on later
/// by asking again.
///
/// The views in an event (texts, method names, nodes) are valid until the reader is called again.
package struct RPCReader: ~Copyable {
  /// The result of reading the next bytes.
  package enum Event {
    /// A whole text, not read yet. The caller deals with the text by itself or calls ``RPCReader/read(_:)``; the
    /// messages of the text are then the next events. For a long text there is ``RPCReader/offload(_:)``.
    case text(UnsafeBufferPointer<UInt8>)
    /// A request or a notification; a member of the batch, if one has begun.
    case request(RPCRequest)
    /// An answer to a request. Exactly one of the two nodes is there; the id is nil if it is neither a string nor an
    /// integer.
    case response(id: RequestID?, result: JSONNode?, error: JSONNode?)
    /// Bad input, and the error that answers it; a member of the batch, if one has begun. Indirect, so that the events
    /// that come all the time are small.
    indirect case refused(id: RequestID?, RPCError)
    /// The next events, up to `batchEnded`, are the members of one batch.
    case batchBegan
    /// All members of the batch were given.
    case batchEnded
    /// The input is over, or nothing after an error of the framing can be read. This is the last event.
    case ended
  }

  /// The events still to be given of a text that was read. Each case names the cases that may follow.
  private enum Rest {
    /// Nothing. Then `message`, `refusal` or `batch`, by ``RPCReader/read(_:)``; or `offloaded`.
    case none
    /// All of it: another thread reads the text. Then `message`, `refusal` or `batch`, by
    /// ``RPCReader/takeOffloaded()``.
    case offloaded(OffloadedText)
    /// The only message of the text. Then `none`.
    case message
    /// The error that answers the text. Then `none`. Indirect, so that a reader is small.
    indirect case refusal(RequestID?, RPCError)
    /// A batch that has not begun. Then `members`.
    case batch
    /// The members of the batch from that one on. Then `members`, at last `none`.
    case members(from: Int, of: Int)
  }

  /// Whether bytes can still give events. Each case names the cases that may follow.
  private enum Input {
    /// They do. Then any other.
    case open
    /// No more bytes will come; earlier bytes are still read. Then `broken` or `closed`.
    case ended
    /// The framing cannot be read any further; `Event.ended` is next. Then `closed`.
    case broken
    /// Bytes are dropped.
    case closed
  }

  private let limits: RPCLimits
  private var framer: MessageFramer
  private var input = Input.open
  /// The bytes that the caller left behind; the bytes before `leftoverRead` are read.
  private var leftover = PendingBytes()
  private var leftoverRead = 0
  /// The text under way. It owns the views in the last event, so it stays until the reader is called again.
  private var tree: JSONTree?
  private var rest = Rest.none
  /// The last long text that was read, until the caller takes it.
  private var spent: SpentText?

  /// A reader for a fresh connection.
  ///
  /// - Parameter framing: the framing, if it is settled; nil: the first bytes show it.
  package init(limits: RPCLimits, framing: Framing? = nil) {
    self.limits = limits
    framer = MessageFramer(textBytesMax: limits.textBytesMax, framing: framing)
  }

  /// The framing; nil until the first bytes have shown it.
  package var framing: Framing? { framer.framing }

  // MARK: Events

  /// Takes bytes off the front of `input` up to the next event; nil when all bytes are taken, or while another thread
  /// reads a text. Kept bytes come first.
  package mutating func next(_ input: inout UnsafeBufferPointer<UInt8>) -> Event? {
    switch rest {
    case .none: dropTree()
    case .offloaded: return nil
    default: return nextOfText()
    }
    switch self.input {
    case .open, .ended: break
    case .broken:
      self.input = .closed
      return .ended
    case .closed:
      input = UnsafeBufferPointer(rebasing: input[input.count...])
      return nil
    }
    if leftover.count > 0, let event = nextOfLeftover() { return event }
    if let frame = framer.next(&input) { return event(of: frame) }
    guard case .ended = self.input else { return nil }
    if let frame = framer.finish() { return event(of: frame) }
    self.input = .closed
    return .ended
  }

  /// Takes a whole line off the front of `input`, if nothing else is under way. Other cases are not looked at.
  ///
  /// - Returns: the text of the ``Event/text(_:)`` that ``next(_:)`` would give; nil, with nothing taken, if the caller
  ///   has to call it.
  package mutating func nextLine(_ input: inout UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    guard case .none = rest, case .open = self.input, leftover.count == 0, tree == nil else { return nil }
    return framer.nextLine(&input)
  }

  /// Reads a text that the last event handed out; the next events are its messages.
  package mutating func read(_ text: UnsafeBufferPointer<UInt8>) {
    guard case .none = rest, tree == nil else { preconditionFailure("read within a text: \(rest)") }
    begin(ParsedText(text, limits: limits))
  }

  /// Copies a text that the last event handed out, so that another thread can parse it. Events stop until
  /// ``takeOffloaded()``.
  package mutating func offload(_ text: UnsafeBufferPointer<UInt8>) -> OffloadedText {
    guard case .none = rest, tree == nil else { preconditionFailure("read within a text: \(rest)") }
    let offloaded = OffloadedText(copyOf: text, limits: limits)
    rest = .offloaded(offloaded)
    framer.dropSpent()
    return offloaded
  }

  /// The offloaded text is parsed; the next events are its messages. Nothing happens if the reader was closed before.
  package mutating func takeOffloaded() {
    guard case .offloaded(let text) = rest else { return }
    begin(text.takeParsed())
  }

  /// Takes the last long text, if it was read. The caller frees it.
  package mutating func takeSpent() -> SpentText? { spent.take() }

  @inline(__always)
  private mutating func dropTree() {
    if _slowPath(tree != nil) { spend() }
  }

  @inline(never)
  private mutating func spend() {
    if let tree = tree.take() { spent = SpentText(tree) }
  }

  private mutating func begin(_ text: consuming ParsedText) {
    switch consume text {
    case .tree(let tree):
      rest = tree.root.kind == .array ? batch(of: tree.root.count) : .message
      self.tree = consume tree
    case .error(let error, let id): rest = refusal(error, id: id)
    }
  }

  /// Keeps the bytes that the caller does not want to read yet, after the bytes that are kept already.
  package mutating func keep(_ unread: UnsafeBufferPointer<UInt8>) {
    if case .none = rest { dropTree() }
    switch input {
    case .open, .ended:
      leftover.removeFirst(leftoverRead)
      leftoverRead = 0
      leftover.append(unread)
    case .broken, .closed: break
    }
  }

  /// Whether no message is read and not given yet, except further members of a batch. A caller that pauses the reader
  /// does so here, because a message takes much more memory than its text.
  package var isBetweenMessages: Bool {
    switch rest {
    case .message, .refusal: false
    case .none, .offloaded, .batch, .members: true
    }
  }

  /// Bytes of memory: unfinished texts, the bytes that the caller left behind, and the text under way.
  package var memoryBytes: Int {
    let textBytes: Int
    switch rest {
    case .none: textBytes = 0
    case .offloaded(let text): textBytes = text.byteCount
    case .message, .refusal, .batch, .members: textBytes = treeBytes
    }
    return framer.memoryBytes + leftover.capacity + textBytes
  }

  /// Whether another event may follow, given the bytes that the caller has not passed on yet.
  package func hasUnread(_ input: UnsafeBufferPointer<UInt8>) -> Bool {
    if case .none = rest {} else { return true }
    return switch self.input {
    case .open: !input.isEmpty || leftover.count > leftoverRead
    case .ended, .broken: true
    case .closed: false
    }
  }

  /// The other side will send no more. Kept bytes and an unfinished last line are still read, then the last event is
  /// `ended`.
  package mutating func inputEnded() {
    if case .open = input { input = .ended }
  }

  /// Reads nothing more; no `ended` follows. The other members of a batch under way are still given.
  package mutating func close() {
    input = .closed
    switch rest {
    case .none, .members: break
    case .offloaded(let text):
      text.withdraw()
      rest = .none
    case .message, .refusal, .batch:
      rest = .none
      tree = nil
    }
    dropKept()
    framer.dropUnfinished()
  }

  /// Reads nothing more and keeps nothing; no `ended` follows. A batch under way ends.
  package mutating func abandon() {
    if case .members(_, let count) = rest {
      tree = nil
      rest = .members(from: count, of: count)
    }
    close()
  }

  // MARK: Parts

  /// The next event of the text under way, which has events left.
  private mutating func nextOfText() -> Event {
    switch rest {
    case .none, .offloaded: preconditionFailure("no text is being read")
    case .message:
      rest = .none
      return Event(envelope: root)
    case .refusal(let id, let error):
      rest = .none
      return .refused(id: id, error)
    case .batch:
      rest = .members(from: 0, of: root.count)
      return .batchBegan
    case .members(let index, let count):
      guard index < count else {
        rest = .none
        return .batchEnded
      }
      rest = .members(from: index + 1, of: count)
      return Event(envelope: root.element(index))
    }
  }

  /// The next event of the kept bytes; nil when all kept bytes are read.
  private mutating func nextOfLeftover() -> Event? {
    var bytes = UnsafeBufferPointer(rebasing: leftover.bytes[leftoverRead...])
    let frame = framer.next(&bytes)
    leftoverRead = leftover.count - bytes.count
    if let frame { return event(of: frame) }
    dropKept()
    return nil
  }

  private var treeBytes: Int {
    switch tree {
    case .some(let tree): tree.memoryBytes
    case nil: 0
    }
  }

  /// The value of the text under way.
  private var root: JSONNode {
    switch tree {
    case .some(let tree): tree.root
    case nil: preconditionFailure("no text is being read")
    }
  }

  @inline(__always)
  private mutating func event(of frame: MessageFramer.Event) -> Event {
    switch frame {
    case .text(let text): return .text(text)
    case .oversized: return .refused(id: nil, .textTooLarge(limit: limits.textBytesMax))
    case .error(let error):
      input = .broken
      dropKept()
      return .refused(id: nil, .parse(["reason": .string(error.rawValue), "offset": 0]))
    }
  }

  /// The next state for a batch of that many members.
  private func batch(of count: Int) -> Rest {
    if count == 0 { return .refusal(nil, .invalidRequest(reason: InvalidEnvelope.emptyBatch.rawValue)) }
    if count > limits.batchMax { return .refusal(nil, .batchTooLarge(limit: limits.batchMax)) }
    return .batch
  }

  private func refusal(_ error: JSONReadError, id: RequestID?) -> Rest {
    let reason = error.reason.rawValue
    switch error.reason {
    case .depth, .nodes:
      return .refusal(id, .invalidRequest(reason: reason, ["path": .string(error.path ?? "")]))
    case _ where error.isRefusedJSON:
      return .refusal(id, .invalidRequest(reason: reason))
    default:
      return .refusal(nil, .parse(["reason": .string(reason), "offset": .integer(Int64(error.offset))]))
    }
  }

  private mutating func dropKept() {
    leftover.removeAll()
    leftoverRead = 0
  }
}
