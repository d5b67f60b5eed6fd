import NIOCore
import NIOPosix
import Testing

@testable import Daemon

#if canImport(Glibc)
  import Glibc
#endif

struct SocketMemoryTests {
  /// The unsent and unread bytes of a connection.
  private struct Standing: Equatable {
    let unsent: Int
    let unread: Int

    init(_ channel: any Channel) {
      unsent = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? -1
      unread = SocketMemory.inFlightBytes(of: channel)
    }
  }

  @Test
  func `what a client has read shows although the system takes no more`() throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    defer { try? group.syncShutdownGracefully() }
    var ends: [CInt] = [-1, -1]
    #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { close(ends[1]) }
    let channel = try ClientBootstrap(group: group).withConnectedSocket(ends[0]).wait()
    // The system does not accept all these bytes, so the rest waits in the channel.
    channel.writeAndFlush(ByteBuffer(repeating: 0x20, count: 1 << 20), promise: nil)
    func standing() throws -> Standing { try channel.eventLoop.submit { Standing(channel) }.wait() }
    let before = try standing()
    #expect(before.unsent > 0)
    #expect(before.unread > 0)
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    var bytesRead = 0
    while bytesRead < chunk.count { bytesRead += read(ends[1], &chunk, chunk.count - bytesRead) }
    let after = try standing()
    #expect(after.unsent == before.unsent)
    #expect(after.unread < before.unread)
    try channel.close().wait()
  }
}
