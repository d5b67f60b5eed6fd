internal import Forms
internal import JSONRPC
internal import Sessions

/// Work of other threads for a connection: they parse long texts and compile definitions. Until they are done, the
/// connection handles nothing else, so that its requests are served in their order.
extension ClientConnection {
  /// Another thread parses a text.
  func readElsewhere(_ text: UnsafeBufferPointer<UInt8>) {
    let text = reader.offload(text)
    offload(OffloadedMessage(), text.parse) { [self] in
      reader.takeOffloaded()
      // At once, even if other connections wait: the parsed messages take much more memory than the text.
      if state.offloadedWorkEnded() == .goOn { goOn() } else { accountForUnread() }
    }
  }

  /// Reads a text for a request, and goes on then.
  ///
  /// - Parameter answer: answers the request; an error that it throws is the answer instead.
  func read(_ text: ReadText, _ token: RequestToken, _ answer: @escaping () throws(RPCError) -> Void) {
    offload(OffloadedMessage(token: token), text.read) { [self] in
      let start = server.now
      do throws(RPCError) {
        try answer()
      } catch {
        if server.logsMessages { server.messageOutcome = .failed(error.code) }
        fail(token, error)
      }
      worked(since: start) { WorkSubject(cause: "text") }
      if state.offloadedWorkEnded() == .goOn { goOnInSlice() }
    }
  }

  /// Compiles a definition for a request, and goes on with its form.
  ///
  /// - Parameters:
  ///   - text: read on the way.
  ///   - open: answers the request; an error that it throws is the answer instead.
  func compile(
    _ definition: BroughtDefinition,
    reading text: ReadText? = nil,
    _ token: RequestToken,
    _ open: @escaping (Form) throws(RPCError) -> Void
  ) {
    let compile: @Sendable () -> Void = {
      text?.read()
      definition.compile()
    }
    offload(OffloadedMessage(definition: definition, token: token), compile) { [self] in
      let start = server.now
      do throws(RPCError) {
        try open(definition.compilation.form(limits: server.limits))
      } catch {
        if server.logsMessages { server.messageOutcome = .failed(error.code) }
        fail(token, error)
        if let form = definition.compilation.form { server.letGo(form) }
      }
      worked(since: start) { WorkSubject(definition: definition.compilation.form?.name ?? "") }
      if state.offloadedWorkEnded() == .goOn { goOnInSlice() }
    }
  }

  /// Another thread does the work. The connection goes on then, unless the work was given up.
  private func offload(
    _ message: OffloadedMessage,
    _ work: @escaping @Sendable () -> Void,
    _ goOn: @escaping () -> Void
  ) {
    precondition(offloadedWork == nil, "another thread works for this connection already")
    offloadedWork = message
    state.workOffloaded()
    output.transport?.setReading(false)
    server.offload(work, compiling: message.definition) { [self, unowned(unsafe) server] in
      guard offloadedWork === message else { return }
      message.goOn = goOn
      server.enter()
      // Results of many connections may come together, and a turn may follow from each.
      if server.sliceSchedule.isPollDue { askForSlice() } else { offloadedWorkCame() }
      server.endEntry()
      closeIfDone()
    }
  }

  /// Goes on if another thread has done its work.
  func offloadedWorkCame() {
    guard let goOn = offloadedWork?.goOn else { return }
    offloadedWork = nil
    goOn()
  }

  /// The other thread's work is given up.
  @discardableResult
  func withdrawOffloaded() -> RequestToken? {
    guard let work = offloadedWork else { return nil }
    offloadedWork = nil
    work.definition?.withdraw()
    _ = state.offloadedWorkEnded()
    return work.token
  }
}

/// A message that another thread works on. It is an object, because most connections have none.
final class OffloadedMessage {
  /// Texts from so many bytes on are parsed by another thread; a shorter one takes no longer than a slice.
  static let longTextBytes = 128 << 10

  /// The definition that compiles; nil if a text is read.
  let definition: BroughtDefinition?
  /// The request that waits; nil if its text is still to be parsed.
  let token: RequestToken?
  /// Goes on with the result, as soon as there is one.
  var goOn: (() -> Void)?

  init(definition: BroughtDefinition? = nil, token: RequestToken? = nil) {
    self.definition = definition
    self.token = token
  }
}
