internal import NIOCore
internal import Times

/// Bounds the frames of a browser that are handled before the event loop looks for input again. A browser whose
/// connection ends hands over all that it has sent at once, and many connections can end together. Without a bound, all
/// other browsers would wait for that.
final class FrameTurns {
  /// The frames that a browser has had since the loop looked for input.
  struct Share {
    fileprivate var pass = 0
    fileprivate var frames = 0

    init() {}
  }

  /// Frames of one browser that are handled at once.
  static let framesAtOnce = 16
  /// Frames of all browsers that have waited and are handled at once.
  static let waitingFramesAtOnce = 128
  /// A task that is due already would run before the loop has looked for input.
  private static let pause = TimeAmount.microseconds(50)

  /// How often the loop has looked for input, and has found frames.
  private var pass = 1
  private var isPassOpen = false
  /// The browsers whose frames wait. The first has the next turn.
  private var waiting: CircularBuffer<BrowserHandler> = []
  private var isScheduled = false

  /// A frame of a browser has come.
  ///
  /// - Returns: whether it is handled now. If not, it waits, and ``wait(_:)`` is to follow.
  func take(_ share: inout Share, on loop: any EventLoop) -> Bool {
    if !isPassOpen {
      isPassOpen = true
      loop.assumeIsolated().execute { [self] in passEnded(on: loop) }
    }
    if share.pass != pass {
      share.pass = pass
      share.frames = 0
    }
    share.frames += 1
    return share.frames <= Self.framesAtOnce
  }

  /// Frames of the browser wait from now on. It had none that waited.
  func wait(_ browser: BrowserHandler) { waiting.append(browser) }

  /// The loop has handled the input that it had found.
  private func passEnded(on loop: any EventLoop) {
    isPassOpen = false
    pass += 1
    scheduleTurns(on: loop)
  }

  private func scheduleTurns(on loop: any EventLoop) {
    guard !isScheduled, !waiting.isEmpty else { return }
    isScheduled = true
    loop.assumeIsolated().scheduleTask(in: Self.pause) { [self] in
      isScheduled = false
      giveTurns(at: Instant(loop))
      scheduleTurns(on: loop)
    }
  }

  /// The loop has looked for input since the browsers wait.
  private func giveTurns(at now: Instant) {
    for _ in 0..<(Self.waitingFramesAtOnce / Self.framesAtOnce) {
      guard let browser = waiting.popFirst() else { return }
      if browser.handleWaiting(atMost: Self.framesAtOnce, at: now) { waiting.append(browser) }
    }
  }
}
