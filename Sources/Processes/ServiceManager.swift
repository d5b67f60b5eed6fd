internal import Files
internal import JSON
internal import NIOConcurrencyHelpers
package import NIOCore

#if canImport(Glibc)
  internal import Glibc
#endif

/// The service manager that has started the daemon and wants to know its state: systemd, or `formctl start`
/// (sd_notify(3)). Without one, nothing is sent.
package final class ServiceManager: Sendable {
  /// The socket for messages; -1: there is no service manager.
  private let socket: CInt
  /// How often the daemon must report that it lives; nil: it need not.
  private let watchdog: TimeAmount?
  private struct State {
    /// Whether the daemon has reported once that it is ready. Nothing is reported before that.
    var hasStarted = false
    /// Whether the daemon has reported that it ends: then it reports nothing else.
    var hasStopped = false
    /// The line that the manager shows to people (`STATUS=`).
    var status = "ready"
  }

  private let state = NIOLockedValueBox(State())

  /// The service manager that the environment names. Removes its variables from the environment.
  package init() {
    let path = ProcessEnvironment["NOTIFY_SOCKET"]
    let interval = ProcessEnvironment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
    let isWatched = ProcessEnvironment["WATCHDOG_PID"].map { pid_t($0) == getpid() } ?? true
    ProcessEnvironment.remove("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID")
    socket = path.flatMap { Self.connect(to: $0) } ?? -1
    watchdog = isWatched && socket >= 0 ? interval.map { .microseconds($0) } : nil
  }

  deinit { if socket >= 0 { close(socket) } }

  /// The daemon accepts clients.
  package func isReady() {
    let status = state.withLockedValue { state in
      state.hasStarted = true
      return state.status
    }
    tellNow("READY=1\nMAINPID=\(getpid())\nSTATUS=\(status)")
  }

  /// The reasons why the daemon is not ready for clients have changed; none: it is ready. It does not wait, because it
  /// is called on the event loop: a manager that has no room for the message gets the next one.
  package func readinessChanged(_ notReady: [String]) {
    state.withLockedValue { state in
      state.status = notReady.isEmpty ? "ready" : "not ready: " + notReady.joined(separator: "; ")
      if state.hasStarted, !state.hasStopped { tell("STATUS=\(state.status)", CInt(MSG_DONTWAIT)) }
    }
  }

  /// Configuration and forms are reloaded, from now until ``isReady()``.
  package func isReloading() {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    tellNow("RELOADING=1\nMONOTONIC_USEC=\(Int(now.tv_sec) * 1_000_000 + Int(now.tv_nsec) / 1_000)")
  }

  /// The daemon ends.
  package func isStopping() {
    tellNow("STOPPING=1")
    state.withLockedValue { $0.hasStopped = true }
  }

  /// The event loop itself reports that it lives, at twice the requested rate. A loop that hangs reports nothing.
  package func watch(_ loop: any EventLoop) {
    guard let watchdog else { return }
    let pause = TimeAmount.nanoseconds(max(watchdog.nanoseconds / 2, 1_000_000))
    loop.scheduleRepeatedTask(initialDelay: .zero, delay: pause) { _ in
      // The next message comes soon, so this one does not wait.
      self.tell("WATCHDOG=1", CInt(MSG_DONTWAIT))
    }
  }

  /// Sends a message that must arrive: it waits while the manager has no room, for some seconds at most. Never on the
  /// event loop.
  private func tellNow(_ message: String) {
    if !state.withLockedValue({ $0.hasStopped }) { tell(message, 0) }
  }

  private func tell(_ message: String, _ flags: CInt) {
    guard socket >= 0 else { return }
    var text = message
    _ = text.withUTF8 { send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL) | flags) }
  }

  /// A datagram socket that is connected to that path; nil if it cannot be connected. A path that begins with `@` is an
  /// abstract name (unix(7)).
  private static func connect(to path: String) -> CInt? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    guard bytes.first == UInt8(ascii: "/") || bytes.first == UInt8(ascii: "@"),
      bytes.count < MemoryLayout.size(ofValue: address.sun_path)
    else { return nil }
    if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let descriptor = Glibc.socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (bytes[0] == 0 ? 0 : 1))
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, size) } == 0
    }
    var patience = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    if isConnected { return descriptor }
    close(descriptor)
    return nil
  }
}
