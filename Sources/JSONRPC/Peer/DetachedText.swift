internal import JSON
internal import Synchronization

/// A long text of a connection, while another thread parses it: libjansson takes some 15 ms for a megabyte, and the other connections
/// of the event loop shall not wait for that.
///
/// ``RPCReader/detach(_:)`` makes one, ``RPCReader/readDetached()`` takes what ``parse()`` has come to.
package final class DetachedText: Sendable {
  /// Each case says which may follow.
  private enum State: ~Copyable {
    /// Nobody has parsed the text yet. Then `taken`.
    case unparsed([UInt8])
    /// A thread parses the text, or nobody wants it any more. Then `parsed`.
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

  /// What the text has come to; it must be parsed.
  func takeParsed() -> ParsedText {
    guard case .parsed(let parsed) = take() else { preconditionFailure("the text is not parsed") }
    return parsed
  }

  /// Nobody wants the text any more.
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

/// What a text of a connection comes to. Not copied, and so at one thread at a time.
enum ParsedText: ~Copyable, @unchecked Sendable {
  case tree(JSONTree)
  /// It cannot be read. The request's id, where the text is JSON that is not allowed.
  case fault(JSONReadError, id: RequestID?)

  init(_ text: UnsafeBufferPointer<UInt8>, limits: RPCLimits) {
    do throws(JSONReadError) {
      self = .tree(try JSONTree(parsing: text, limits: limits.json))
    } catch {
      self = .fault(error, id: error.isRefusedJSON ? IdentifierScanner.identifier(in: text) : nil)
    }
  }
}
