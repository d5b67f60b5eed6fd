// `@preconcurrency`: Dispatch does not declare its sources Sendable. Any thread may cancel a source
// (dispatch_source_cancel(3)).
@preconcurrency internal import Dispatch

#if canImport(Glibc)
  internal import Glibc
#endif

/// A signal that the process answers to.
package enum ProcessSignal: Sendable, CustomStringConvertible {
  /// SIGHUP: the process reads its configuration and its forms again.
  case hangUp
  /// SIGINT, from the terminal: the process ends.
  case interrupt
  /// SIGTERM: the process ends.
  case terminate

  private var number: CInt {
    switch self {
    case .hangUp: SIGHUP
    case .interrupt: SIGINT
    case .terminate: SIGTERM
    }
  }

  /// The name of the signal: `SIGTERM`.
  package var description: String {
    switch self {
    case .hangUp: "SIGHUP"
    case .interrupt: "SIGINT"
    case .terminate: "SIGTERM"
    }
  }

  /// The signals of these kinds that the process gets from now on. They wait until the caller asks for them. A kind may
  /// be in one stream only.
  ///
  /// The method returns when the system delivers the signals to the stream. Until then they have their default action.
  package static func stream(of signals: ProcessSignal...) async -> AsyncStream<ProcessSignal> {
    let (stream, occurred) = AsyncStream.makeStream(of: ProcessSignal.self)
    let queue = DispatchQueue(label: "formd.signals")
    let sources = signals.map { signal in
      let source = DispatchSource.makeSignalSource(signal: signal.number, queue: queue)
      source.setEventHandler { occurred.yield(signal) }
      return source
    }
    occurred.onTermination = { _ in for source in sources { source.cancel() } }
    for source in sources {
      await withCheckedContinuation { registered in
        source.setRegistrationHandler { registered.resume() }
        source.activate()
      }
    }
    return stream
  }
}
