internal import Daemon
import Foundation
import JSON
import NIOCore
import NIOPosix
import Server
import Sessions

/// The daemon on a real Unix socket in this process, with the test's clock and effects.
final class SocketServer {
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let folder = NSTemporaryDirectory() + "formd-\(UUID().uuidString.prefix(8))"
  private let channel: any Channel
  private let daemon: NIOLoopBound<TestDaemon>
  private var now: Int64 = 0

  init(catalog: FormCatalog) throws {
    let loop = group.next()
    let daemon = try loop.submit { NIOLoopBound(TestDaemon(catalog: catalog), eventLoop: loop) }.wait()
    self.daemon = daemon
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    channel = try ServerBootstrap(group: group)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(ConnectionHandler(server: daemon.value.server))
        }
      }
      .bind(unixDomainSocketPath: folder + "/s").wait()
  }

  func stop() {
    try? channel.close().wait()
    try? group.syncShutdownGracefully()
    try? FileManager.default.removeItem(atPath: folder)
  }

  func connect() throws -> SocketClient { try SocketClient(path: folder + "/s") }

  /// Advances the daemon's time to that millisecond.
  func advance(to time: Int64) throws {
    let difference = time - now
    guard difference > 0 else { return }
    now = time
    let daemon = daemon
    try channel.eventLoop.submit { daemon.value.advance(milliseconds: difference) }.wait()
  }

  /// Answers the oldest effect. Its request was answered before, so it is there.
  func answerEffect(_ response: EffectResponse) throws {
    let daemon = daemon
    try channel.eventLoop.submit { daemon.value.answerEffect(response) }.wait()
  }
}

/// A blocking client, for tests that hold a conversation line by line.
final class SocketClient {
  private let descriptor: CInt
  private var unread: [UInt8] = []

  struct Failure: Error {
    var what: String
  }

  init(path: String) throws {
    descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw Failure(what: "connect: \(errno)") }
    // A conversation that goes wrong must not hang the tests.
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit {
    close(descriptor)
  }

  func send(_ line: String) throws {
    var bytes = Array((line + "\n").utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Failure(what: "write: \(errno)") }
      bytes = bytes.dropFirst(count)
    }
  }

  /// The next line, read as JSON.
  func nextMessage() throws -> JSON {
    while true {
      if let newline = unread.firstIndex(of: 0x0a) {
        let line = Array(unread[..<newline])
        unread.removeSubrange(...newline)
        return try JSON(parsing: line)
      }
      var chunk = [UInt8](repeating: 0, count: 65536)
      let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Failure(what: count == 0 ? "the connection ended" : "nothing came: \(errno)") }
      unread += chunk[..<count]
    }
  }
}
