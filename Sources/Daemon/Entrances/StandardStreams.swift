internal import Files
internal import JSON
internal import Logging
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix
internal import Processes

#if canImport(Glibc)
  internal import Glibc
#endif

/// One client on standard input and output.
///
/// Two threads carry the bytes between the streams and a socket pair; the other end of the pair is the connection. So
/// the streams may be anything, files and terminals too. They stay unchanged for the processes that share them: waiting
/// for them would need `O_NONBLOCK`, a property of the open file and not of this process.
struct StandardStreams: Entrance {
  func open(to host: NIOLoopBound<LoopServer>, _ group: any EventLoopGroup) async throws -> OpenEntrance {
    var ends: [CInt] = [-1, -1]
    let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw StartError("a pair of sockets cannot be made: \(SystemError.last)")
    }
    let (own, other) = (ends[0], ends[1])
    let ended = host.eventLoop.makePromise(of: Void.self)
    let bootstrap = ClientBootstrap(group: group)
      .channelOption(.allowRemoteHalfClosure, value: ClientChannel.allowsHalfClosure)
      .channelOption(.recvAllocator, value: ClientChannel.readBuffer)
      .channelInitializer { ClientChannel.welcome($0, to: host) }
    do {
      _ = try await bootstrap.withConnectedSocket(own).get()
    } catch {
      close(other)
      ended.succeed()
      throw error
    }
    let failure = NIOLockedValueBox<StreamError?>(nil)
    DetachedThread.start {
      if let error = Self.carry(from: STDIN_FILENO, to: other), error.stream == STDIN_FILENO {
        failure.withLockedValue { $0 = error }
      }
      shutdown(other, CInt(SHUT_WR))
    }
    DetachedThread.start {
      // No process reads the output, or the daemon has written all: then no more input is taken, either.
      let error = Self.carry(from: other, to: STDOUT_FILENO)
      shutdown(other, CInt(SHUT_RDWR))
      let isGone = error.map { $0.stream != STDOUT_FILENO || $0.error.code == EPIPE } ?? true
      if !isGone, let error { return ended.fail(error) }
      failure.withLockedValue { $0 }.map(ended.fail) ?? ended.succeed()
    }
    return OpenEntrance(metadata: ["clients": "one, on standard input and output"], ended: ended.futureResult) {}
  }

  /// Carries bytes until the source has no more, or the destination takes no more.
  ///
  /// - Returns: the error, with the stream that failed; nil at the end of the source.
  private static func carry(from source: CInt, to destination: CInt) -> StreamError? {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(source, &chunk, chunk.count)
      if count < 0 {
        if goesOn(waitingFor: POLLIN, on: source) { continue }
        return StreamError(stream: source, error: .last)
      }
      guard count > 0 else { return nil }
      var rest = chunk[..<count]
      while !rest.isEmpty {
        let written = rest.withUnsafeBytes { write(destination, $0.baseAddress, $0.count) }
        if written < 0 {
          if goesOn(waitingFor: POLLOUT, on: destination) { continue }
          return StreamError(stream: destination, error: .last)
        }
        rest = rest.dropFirst(written)
      }
    }
  }

  /// Whether to repeat a call that has failed. If another process has made the open file non-blocking, this waits for
  /// it.
  private static func goesOn(waitingFor event: CInt, on descriptor: CInt) -> Bool {
    switch errno {
    case EINTR: return true
    case EAGAIN:
      var wanted = pollfd(fd: descriptor, events: Int16(event), revents: 0)
      return poll(&wanted, 1, -1) >= 0 || errno == EINTR
    default: return false
    }
  }
}

/// A standard stream could not be read or written.
private struct StreamError: Error, CustomStringConvertible {
  let stream: CInt
  let error: SystemError

  var description: String { "standard \(stream == STDIN_FILENO ? "input" : "output"): \(error)" }
}
