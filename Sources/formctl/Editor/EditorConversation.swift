internal import CEL
internal import FormProtocol
internal import JSON
internal import LanguageServer
internal import Times

#if canImport(Glibc)
  internal import Glibc
#endif

/// The conversation with an editor over standard input and output.
///
/// It reads all available input before the server's next step, so that only the last of several changes is judged. It
/// writes only what the editor accepts, so that an editor that writes before it reads does not block it.
struct EditorConversation: ~Copyable {
  private var server = LanguageServer(now: { .ofSystem }, zone: .ofSystem)
  private let daemon: CheckingDaemon
  /// The output; the bytes before `written` are written already.
  private var output: [UInt8] = []
  private var written = 0
  private var isInputOpen = true

  /// While this much output waits for the editor, no more is produced.
  private static let outputBytesMax = 1 << 20
  /// A pipe that is ready for writing accepts this many bytes at once (POSIX, `PIPE_BUF`).
  private static let pieceBytes = 4096

  /// Creates a conversation without messages.
  ///
  /// - Parameter socket: the socket of the daemon that runs the checks of forms.
  init(checkingAt socket: SocketPath) {
    daemon = CheckingDaemon(at: socket)
  }

  /// Serves until the editor sends `exit` or closes the stream. Returns the exit status.
  ///
  /// - Throws: ``CommandFailure`` if standard input cannot be read.
  mutating func serve() throws(CommandFailure) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    while true {
      if !server.hasWork { passRequests() }
      takeOutput()
      let mayWork = server.hasWork && output.count - written < Self.outputBytesMax
      let hasOutput = written < output.count
      if server.exitStatus != nil, !hasOutput { break }
      let events = wait(forOutput: hasOutput, mayBlock: !mayWork)
      if events.canRead { try read() }
      if events.canWrite, !write() { return 1 }
      if events.canSend { daemon.send() }
      if events.hasAnswer { daemon.receive() }
      daemon.expire()
      if mayWork, !events.canRead { server.step() }
    }
    return server.exitStatus ?? 1
  }

  /// Passes the server's requests to the daemon, and its answers back.
  private mutating func passRequests() {
    while let request = server.takeCheckRequest() { daemon.ask(request) }
    for (number, answer) in daemon.takeAnswers() { server.take(answer, of: number) }
  }

  /// Waits until the two streams or the daemon are ready.
  private func wait(
    forOutput: Bool,
    mayBlock: Bool
  ) -> (canRead: Bool, canWrite: Bool, canSend: Bool, hasAnswer: Bool) {
    var streams = [
      // `poll` ignores a descriptor below zero.
      pollfd(fd: isInputOpen && server.exitStatus == nil ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: forOutput ? STDOUT_FILENO : -1, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: daemon.descriptor, events: Int16(POLLIN | (daemon.hasOutput ? POLLOUT : 0)), revents: 0),
    ]
    poll(&streams, nfds_t(streams.count), mayBlock ? milliseconds(daemon.timeLeft) : 0)
    let daemonEvents = CInt(streams[2].revents)
    return (
      streams[0].revents != 0, streams[1].revents != 0, daemonEvents & POLLOUT != 0, daemonEvents & ~POLLOUT != 0
    )
  }

  /// The time for `poll`, rounded up; nil means no limit.
  private func milliseconds(_ time: Duration?) -> CInt {
    guard let time else { return -1 }
    return CInt(clamping: Int64((time / .milliseconds(1)).rounded(.up)))
  }

  private mutating func read() throws(CommandFailure) {
    guard let chunk = try Console.readChunk(of: STDIN_FILENO, "standard input") else {
      isInputOpen = false
      server.inputEnded()
      return
    }
    chunk.withUnsafeBufferPointer { server.receive($0) }
  }

  /// Takes the server's output.
  private mutating func takeOutput() {
    guard let buffer = server.takeOutput() else { return }
    if written == output.count {
      output = Array(buffer.bytes)
      written = 0
    } else {
      output += buffer.bytes
    }
  }

  /// Writes as much as is accepted at once; false if the reader has closed the stream.
  private mutating func write() -> Bool {
    let count = output[written...].prefix(Self.pieceBytes).withUnsafeBytes {
      Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
    }
    if count < 0 { return errno == EINTR || errno == EAGAIN }
    written += count
    return true
  }
}
