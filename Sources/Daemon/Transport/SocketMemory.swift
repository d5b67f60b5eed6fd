internal import NIOCore

#if canImport(Glibc)
  internal import Glibc
#endif

/// The memory that the system uses for a socket (SO_MEMINFO, socket(7)): nine numbers, `SK_MEMINFO_…` of
/// linux/sock_diag.h.
struct SocketMemory {
  private let received: UInt32
  private let receivedMax: UInt32
  /// Bytes that were sent and that the peer has not read, with the system's overhead. The system frees them in pieces:
  /// a reader must take up to 48 KiB of a Unix socket until one is free.
  let sent: UInt32
  private let others: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32)

  /// `SO_MEMINFO`, which Glibc does not declare for Swift.
  private static let option = NIOBSDSocket.Option(rawValue: 55)

  /// Bytes in the system's buffers that a channel's peer has not read; 0 if the system does not report them.
  static func inFlightBytes(of channel: any Channel) -> Int {
    guard let provider = channel as? any SocketOptionProvider else { return 0 }
    var bytes = 0
    // On the channel's own event loop the answer comes at once.
    let memory: EventLoopFuture<SocketMemory> = provider.unsafeGetSocketOption(level: .socket, name: option)
    memory.assumeIsolated().whenSuccess { bytes = Int($0.sent) }
    return bytes
  }
}
