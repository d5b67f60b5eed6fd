internal import JSON
internal import Synchronization

/// A long text of a connection, while another thread parses it. libjansson takes some 15 ms for a megabyte, and the
/// other connections of the event loop shall not wait for it.
///
/// ``RPCReader/offload(_:)`` makes one, ``RPCReader/takeOffloaded()`` takes the result of ``parse()``.
package final class OffloadedText: Sendable {
  /// Each case names the cases that may follow.
  private enum State: ~Copyable {
    /// The text is not parsed yet. Then `taken`.
    case unparsed([UInt8])
    /// A thread parses the text, or the text is no longer wanted. Then `parsed`.
    case taken
    /// Then `taken`.
    case parsed(ParsedText)
  }

  /// The text's length.
  let byteCount: Int
  private let limits: RPCLimits
  private let state: Mutex<State>

  init(copyOf text: UnsafeBufferPointer<UInt8>, limits: RPCLimits) {
    byteCount = text.count
    self.limits = limits
    state = Mutex(.unparsed(Array(text)))
  }

  /// Parses the text; on any thread, once.
  package func parse() {
    guard case .unparsed(let text) = take() else { return }
    var parsed: ParsedText? = text.span.withUnsafeBufferPointer { ParsedText($0, limits: limits) }
    state.withLock { state in
      if let parsed = parsed.take() { state = .parsed(parsed) }
    }
  }

  /// The result of parsing; the text must be parsed.
  func takeParsed() -> ParsedText {
    guard case .parsed(let parsed) = take() else { preconditionFailure("the text is not parsed") }
    return parsed
  }

  /// Discards the text: it is no longer wanted.
  func withdraw() {
    _ = take()
  }

  private func take() -> State {
    state.withLock { state in
      let taken = state
      state = .taken
      return taken
    }
  }
}

/// A long text that has been read. To free its tree takes up to 10 ms per megabyte, so the caller of
/// ``RPCReader/takeSpent()`` lets another thread do it.
package final class SpentText: Sendable {
  private let tree: Mutex<ParsedText?>

  /// The tree of a text, if it is large.
  init?(_ tree: consuming JSONTree) {
    guard tree.memoryBytes >= Self.bytesMin else { return nil }
    self.tree = Mutex(.tree(tree))
  }

  /// A smaller tree is freed faster than it is passed on.
  private static let bytesMin = 1 << 20
}

/// The result of parsing a connection's text. It is not copied, and so only one thread uses it at a time.
enum ParsedText: ~Copyable, @unchecked Sendable {
  case tree(JSONTree)
  /// The text cannot be read. The request's id, if the text is JSON that is not allowed.
  case error(JSONReadError, id: RequestID?)

  init(_ text: UnsafeBufferPointer<UInt8>, limits: RPCLimits) {
    do throws(JSONReadError) {
      self = .tree(try JSONTree(parsing: text, limits: limits.json))
    } catch {
      self = .error(error, id: error.isRefusedJSON ? IdentifierScanner.identifier(in: text) : nil)
    }
  }
}
